import { escapeTableCell, lineBreaks } from '../../../protocol/escape-markdown.ts';
import { guardedText } from '../../../protocol/formula-guard.ts';
import type { RowsFormat } from '../../../protocol/webview-messages.ts';
import { type CellValue, cellText } from './cell-text.ts';

type Row = readonly CellValue[];

/** Copy and export formats; `spreadsheet` is CSV without executable formulas. */
export type OfferedFormat = RowsFormat | 'spreadsheet';

/** Formats rows as a file. @param names of the columns, in the order of the values. */
export function formatRows(format: OfferedFormat, names: readonly string[], rows: readonly Row[]): string {
  switch (format) {
    case 'csv':
      return csv(names, rows);
    case 'spreadsheet':
      return csv(
        names.map(guardedText),
        rows.map((row) => row.map(guardedValue)),
      );
    case 'json':
      return json(names, rows);
    case 'markdown':
      return markdown(names, rows);
  }
}

/** Clipboard format of spreadsheets: cells that contain separators are quoted. */
export function tabSeparated(rows: readonly (readonly (CellValue | undefined)[])[]): string {
  const field = (value: CellValue | undefined): string => {
    const text = cellText(value);
    return /^"|[\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return rows.map((row) => row.map(field).join('\t')).join('\n');
}

/** Numbers need no guard: they are numbers or exact texts. */
function guardedValue(value: CellValue): CellValue {
  return typeof value === 'string' ? guardedText(value) : value;
}

/** RFC 4180. A missing value is an empty field, an empty text a quoted one. */
function csv(names: readonly string[], rows: readonly Row[]): string {
  const field = (value: CellValue): string => {
    if (value === null) return '';
    const text = String(value);
    return text === '' || /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  return [names, ...rows].map((row) => `${row.map(field).join(',')}\r\n`).join('');
}

function json(names: readonly string[], rows: readonly Row[]): string {
  const keys = distinct(names);
  const objects = rows.map((row) => Object.fromEntries(keys.map((key, index) => [key, row[index] ?? null])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}

/** Two columns may share a name, two members of an object may not. */
function distinct(names: readonly string[]): readonly string[] {
  const seen = new Set<string>();
  return names.map((name) => {
    let key = name;
    for (let count = 2; seen.has(key); count += 1) key = `${name}_${count}`;
    seen.add(key);
    return key;
  });
}

function markdown(names: readonly string[], rows: readonly Row[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  const row = (values: readonly CellValue[]): string =>
    line(values.map((value) => cellText(value).split(lineBreaks).map(escapeTableCell).join('<br>')));
  return row(names) + line(names.map(() => '---')) + rows.map(row).join('');
}
