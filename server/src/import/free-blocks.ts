/** The blocks of a database file. */
export interface FileBlocks {
  readonly total: number;
  /** How many of these are unused. */
  readonly free: number;
  /** Bytes of one block. */
  readonly size: number;
}

/** Whether a file has too many free blocks to be copied again: DuckDB only cuts off those at its end. */
export function isWasteful({ total, free, size }: FileBlocks): boolean {
  return free > total / 2 && free * size > smallWaste;
}

/** Bytes of free blocks that are tolerated. */
const smallWaste = 16 * 1024 * 1024;
