/** A job for the measured process. */
export interface IncrementalOrder {
  /** Holds `ticket.entity.yaml`, `entity-sources.yaml` and the row cache of the import before. */
  readonly folder: string;
  /** Reads everything, whatever is kept. */
  readonly isFull: boolean;
}

export interface IncrementalMeasurement {
  readonly seconds: number;
  /** Of this process, without the server of the source. */
  readonly processorSeconds: number;
  /** Of `seconds`: reading the rows, or taking them from the row cache, and finding out what has changed. */
  readonly readingSeconds: number;
  readonly keptRows: number;
  /** The graph of the previous import was changed instead of built anew. */
  readonly isGraphReused: boolean;
  readonly totals: object;
}
