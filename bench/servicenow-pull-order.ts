/** What to do, sent to the measured process by its parent. */
export interface ServiceNowPullOrder {
  /** The product's pull, its reading alone (records are dropped), or a bare loop of requests for the same pages. */
  readonly work: 'pull' | 'read' | 'loop';
  readonly url: string;
  readonly records: number;
}

/** What the measured process answers. Memory is what it took at its peak above what it had before, in MiB. */
export interface ServiceNowPullMeasurement {
  readonly seconds: number;
  /** JavaScript heap and buffers. */
  readonly nodeMemory: number;
  /** The whole process, DuckDB's share among it. */
  readonly residentMemory: number;
}

export const pageSize = 1000;
export const concurrency = 4;
/** Milliseconds before each page. */
export const latency = 20;
