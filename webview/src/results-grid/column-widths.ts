import type { TestQueryResult } from '../../../protocol/query-results.ts';
import { readableTime } from '../ui/readable-time.ts';
import { displayedText } from '../ui/shown-text.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { type CellMarks, cellMarks } from './cell-marks.ts';
import { cellText, nullsText } from './cell-text.ts';

const minWidth = 72;
const maxWidth = 320;
const padding = 18;
/** Space for the sort arrow. */
const sortIcon = 16;
/** Space for the mark icon. */
const markIcon = 18;
/** Samples rows, and measures only their longest texts, for speed. */
const sample = 100;
const measured = 8;

/** Limits of column widths in pixels. */
export function columnWidths(result: TestQueryResult, text: TextMetrics): readonly number[] {
  const marks = cellMarks(result);
  return result.columns.map((_, column) => Math.min(maxWidth, columnWidth(result, column, text, marks)));
}

/** The width in pixels that fits the name, type and displayed values of a column. */
export function columnWidth(
  result: TestQueryResult,
  column: number,
  text: TextMetrics,
  marks: CellMarks = cellMarks(result),
): number {
  const { columns, rows } = result;
  const { name = '', type = '', nulls = 0 } = columns[column] ?? {};
  const room = marks.inColumn(column) ? markIcon : 0;
  const values = longest(
    rows.slice(0, sample).map((row) => displayedText(cellText(readableTime(row[column] ?? null, type)))),
  ).map((value) => text.width(value, 'normal') + room);
  const header = [
    text.width(name, 'bold') + sortIcon,
    type === '' ? 0 : text.width(`${type} · ${nullsText(nulls, rows.length)}`, 'normal'),
  ];
  return Math.ceil(Math.max(minWidth, ...header, ...values) + padding);
}

function longest(texts: readonly string[]): readonly string[] {
  return texts.toSorted((left, right) => right.length - left.length).slice(0, measured);
}

/** Width of the row number column. */
export function rowNumberWidth(rows: number, text: TextMetrics): number {
  return Math.ceil(text.width(String(Math.max(rows, 10)), 'normal') + padding);
}
