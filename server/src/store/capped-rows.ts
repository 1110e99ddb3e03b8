import { maxPreviewBytes } from '../../../protocol/preview-limits.ts';

type Cell = string | number | boolean | null;

/** The first rows of a result, within row and size limits. */
export interface CappedRows<Value extends Cell = Cell> {
  readonly rows: readonly (readonly Value[])[];
  /** Whether there are more. */
  readonly truncated: boolean;
  /** The size limit in bytes if it ended the preview; absent otherwise. */
  readonly sizeLimit?: number;
}

interface RowCap<Value extends Cell> {
  /** Adds a row if it fits; returns whether another one may be added. */
  add(row: readonly Value[]): boolean;
  result(): CappedRows<Value>;
}

/** Collects rows up to `limit` or `maxPreviewBytes`. One row more is not kept, but sets `truncated`. */
export function createRowCap<Value extends Cell>(limit: number): RowCap<Value> {
  const rows: (readonly Value[])[] = [];
  let bytes = 0;
  let end: { readonly sizeLimit?: number } | undefined;
  return {
    add(row) {
      if (end) return false;
      if (rows.length >= limit) end = {};
      else {
        bytes += row.reduce<number>((sum, cell) => sum + cellBytes(cell), 0);
        if (rows.length > 0 && bytes > maxPreviewBytes) end = { sizeLimit: maxPreviewBytes };
        else rows.push(row);
      }
      return end === undefined;
    },
    result: () => ({ rows, truncated: end !== undefined, ...end }),
  };
}

function cellBytes(cell: Cell): number {
  return typeof cell === 'string' ? Buffer.byteLength(cell) : 8;
}
