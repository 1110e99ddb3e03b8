import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { asItLooks } from '../ui/shown-text.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { type CellMarks, cellMarks } from './cell-marks.ts';
import { cellText, nullsText } from './cell-text.ts';

const minWidth = 72;
const maxWidth = 320;
const padding = 18;
/** Room for the arrow of a sorted column. */
const sortIcon = 16;
/** Room for the icon of a marked cell. */
const markIcon = 18;
/** Rows that are looked at, and so many of their longest texts are measured: to measure all would be felt. */
const sample = 100;
const measured = 8;

/** Widths in pixels that show names, types and most values in full; none is very wide. */
export function columnWidths(result: TestQueryResult, text: TextMetrics): readonly number[] {
  const marks = cellMarks(result);
  return result.columns.map((_, column) => Math.min(maxWidth, columnWidth(result, column, text, marks)));
}

/** The width in pixels that shows a column's name, type and values in full, as far as they are shown at all. */
export function columnWidth(
  result: TestQueryResult,
  column: number,
  text: TextMetrics,
  marks: CellMarks = cellMarks(result),
): number {
  const { columns, rows } = result;
  const { name = '', type = '', nulls = 0 } = columns[column] ?? {};
  const room = marks.inColumn(column) ? markIcon : 0;
  const values = longest(rows.slice(0, sample).map((row) => asItLooks(cellText(row[column])))).map(
    (value) => text.width(value, 'normal') + room,
  );
  const header = [
    text.width(name, 'bold') + sortIcon,
    type === '' ? 0 : text.width(`${type} · ${nullsText(nulls, rows.length)}`, 'normal'),
  ];
  return Math.ceil(Math.max(minWidth, ...header, ...values) + padding);
}

function longest(texts: readonly string[]): readonly string[] {
  return texts.toSorted((left, right) => right.length - left.length).slice(0, measured);
}

/** Width of the column of row numbers. */
export function rowNumberWidth(rows: number, text: TextMetrics): number {
  return Math.ceil(text.width(String(Math.max(rows, 10)), 'normal') + padding);
}
