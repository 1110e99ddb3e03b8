/** What the values of a preview take at most, in bytes; its first row is kept whatever it takes. */
export const mostPreviewBytes = 64 * 1024 * 1024;

type Cell = string | number | boolean | null;

/** The first rows of a result, as many as its caps let through. */
export interface CappedRows<Value extends Cell = Cell> {
  readonly rows: readonly (readonly Value[])[];
  /** Whether there are more. */
  readonly truncated: boolean;
  /** In bytes: there are more because those before took this much; absent where they end for another reason. */
  readonly sizeLimit?: number;
}

export interface RowCap<Value extends Cell> {
  /** Keeps a row, if it is not too many or too much; whether the next one may be kept as well. */
  add(row: readonly Value[]): boolean;
  result(): CappedRows<Value>;
}

/** Keeps rows until there are `limit` or until they take `mostPreviewBytes`: one that comes then is not kept, but known of. */
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
        if (rows.length > 0 && bytes > mostPreviewBytes) end = { sizeLimit: mostPreviewBytes };
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
