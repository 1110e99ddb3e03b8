import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { cellText, nullsText } from './cell-text.ts';

const minWidth = 72;
const maxWidth = 320;
const padding = 18;
/** Room for the arrow of a sorted column. */
const sortIcon = 16;
/** Rows that are looked at: measuring 10,000 would be felt. */
const sample = 100;

/** Widths in pixels that show names, types and most values in full; none is wider than `widest`. */
export function columnWidths(
  { columns, rows }: TestQueryResult,
  text: TextMetrics,
  widest = maxWidth,
): readonly number[] {
  return columns.map(({ name, type, nulls }, index) => {
    const values = rows.slice(0, sample).map((row) => text.width(cellText(row[index]), 'normal'));
    const header = [
      text.width(name, 'bold') + sortIcon,
      type === '' ? 0 : text.width(`${type} · ${nullsText(nulls, rows.length)}`, 'normal'),
    ];
    return Math.ceil(Math.min(widest, Math.max(minWidth, ...header, ...values) + padding));
  });
}

/** Width of the column of row numbers. */
export function rowNumberWidth(rows: number, text: TextMetrics): number {
  return Math.ceil(text.width(String(Math.max(rows, 10)), 'normal') + padding);
}
