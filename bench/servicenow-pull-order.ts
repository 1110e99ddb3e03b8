/** A job for the measured process. */
export interface ServiceNowPullOrder {
  /** The complete pull, reading alone (records are discarded), or a plain loop of requests for the same pages. */
  readonly work: 'pull' | 'read' | 'loop';
  readonly url: string;
  readonly records: number;
}

/** The result of the measured process. Memory is the peak above the start, in MiB. */
export interface ServiceNowPullMeasurement {
  readonly seconds: number;
  /** JavaScript heap and buffers. */
  readonly nodeMemory: number;
  /** The whole process, with DuckDB. */
  readonly residentMemory: number;
}

export const pageSize = 1000;
export const concurrency = 4;
/** Delay of each page in milliseconds. */
export const latency = 20;
