import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import { t } from '../ui/translate.ts';

const number = new Intl.NumberFormat('en');

/** A summary of a data object, such as `12 columns · about 6,000 rows`. */
export function objectFacts({ columnCount, rowEstimate }: Pick<DataObjectView, 'columnCount' | 'rowEstimate'>): string {
  const columns = columnCount === 1 ? t('1 column') : t('{0} columns', number.format(columnCount));
  return rowEstimate === undefined ? columns : `${columns} · ${t('about {0} rows', number.format(rowEstimate))}`;
}

/** Formats bytes. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return t('{0} bytes', bytes.toFixed(0));
  const units = ['kB', 'MB', 'GB', 'TB'];
  const power = Math.min(units.length, Math.floor(Math.log10(bytes) / 3));
  return `${(bytes / 1000 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}

/** Names that pass a filter; a known name keeps its spelling in the source. */
export function filterNames<T extends { readonly name: string }>(items: readonly T[], filter: string): readonly T[] {
  const wanted = filter.trim().toLowerCase();
  return wanted === '' ? items : items.filter(({ name }) => name.toLowerCase().includes(wanted));
}
