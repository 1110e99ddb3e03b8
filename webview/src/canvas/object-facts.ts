import type { DataObjectView } from '../../../protocol/canvas-intents.ts';

const number = new Intl.NumberFormat('en');

/** One line about a data object, such as `12 columns · about 6,000 rows`. */
export function objectFacts({ columnCount, rowEstimate }: DataObjectView): string {
  const columns = `${number.format(columnCount)} ${columnCount === 1 ? 'column' : 'columns'}`;
  return rowEstimate === undefined ? columns : `${columns} · about ${number.format(rowEstimate)} rows`;
}

/** Bytes as people read them. */
export function sizeText(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const power = bytes < 1000 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power] ?? ''}`;
}

/** Names that a filter leaves, and that of the source when it is known. */
export function filterNames<T extends { readonly name: string }>(items: readonly T[], filter: string): readonly T[] {
  const wanted = filter.trim().toLowerCase();
  return wanted === '' ? items : items.filter(({ name }) => name.toLowerCase().includes(wanted));
}
