import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { cellMarks } from './cell-marks.ts';
import { cellText, nullsText } from './cell-text.ts';

const minWidth = 72;
const maxWidth = 320;
const padding = 18;
/** Room for the arrow of a sorted column. */
const sortIcon = 16;
/** Room for the icon of a marked cell. */
const markIcon = 18;
/** Rows that are looked at: measuring 10,000 would be felt. */
const sample = 100;

/** Widths in pixels that show names, types and most values in full; none is wider than `widest`. */
export function columnWidths(result: TestQueryResult, text: TextMetrics, widest = maxWidth): readonly number[] {
  const { columns, rows } = result;
  const marks = cellMarks(result);
  return columns.map(({ name, type, nulls }, index) => {
    const room = marks.inColumn(index) ? markIcon : 0;
    const values = rows.slice(0, sample).map((row) => text.width(cellText(row[index]), 'normal') + room);
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
