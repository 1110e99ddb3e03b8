/** A found row at the start of a message. In a cluster rows have no number that a reader could use: `row` is null. */
export function rowName({ row }: Readonly<Record<string, unknown>>): string {
  return row === null || row === undefined ? 'A row' : `Row ${String(row)}`;
}
