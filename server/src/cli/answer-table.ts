import { durationText } from '../../../protocol/duration-text.ts';
import { numberText as numberOfMeasureText } from '../../../protocol/measure-outcome.ts';
import type { MeasureUnit } from '../../../protocol/analysis.ts';
import { escapeForComment } from '../../../protocol/escape-markdown.ts';
import type { Answered } from '../operations/stored-graphs/ask-questions.ts';
import type { Invocation } from './command.ts';
import { textTable } from './text-table.ts';

/** A cell: text, a number with its unit, or a time; null is missing. */
export type AnswerCell =
  | string
  | null
  | { readonly value: number | null; readonly unit: MeasureUnit }
  /** ISO 8601, UTC. */
  | { readonly time: string | null };

/** The rows of an answer, for all formats but JSON. */
export interface AnswerTable {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly AnswerCell[])[];
  /** Rows that were left out. */
  readonly others: number;
  /** What a row is about, if several rows are about one. Default: `row`. */
  readonly one?: string;
  /** A sentence that is printed when there are no rows. */
  readonly nothing?: string;
}

export const answerFormats = ['text', 'json', 'markdown', 'csv'] as const;

/** Prints an answer in the chosen format: its table, or `json` as it is. */
export function printAnswer(
  answered: Answered<unknown>,
  {
    table,
    json,
    asked,
    about = aboutText(answered, asked),
  }: {
    readonly table: AnswerTable;
    readonly json: unknown;
    readonly asked: AskedTexts;
    /** What the rows are about. Default: how many entities, and which. */
    readonly about?: string;
  },
  { format, terminal }: Invocation,
): void {
  const sentences = [about, ...answered.notes];
  const { others, one = 'row', rows, nothing } = table;
  const left = `${others.toLocaleString('en')} more ${one}${others === 1 ? '' : 's'}`;
  const none = rows.length > 0 || nothing === undefined ? [] : [nothing];
  const more = others === 0 ? none : [`… and ${left}: --limit N shows ${others === 1 ? 'it' : 'them'}.`];
  switch (format) {
    case 'json':
      terminal.document(JSON.stringify(json, null, 2));
      break;
    case 'csv':
      terminal.document(csvLines(table).join('\n'));
      break;
    case 'markdown':
      terminal.document([...sentences.map(escapeForComment), ...markdownLines(table), ...more].join('\n\n').trimEnd());
      return;
    default:
      for (const line of [...sentences, ...textLines(table), ...more]) terminal.result(line);
      return;
  }
  // Their syntax has no room for sentences.
  for (const note of [...answered.notes, ...more]) terminal.note(note);
}

/** The conditions as the user wrote them. */
interface AskedTexts {
  readonly where?: readonly string[] | undefined;
  readonly compare?: readonly string[] | undefined;
}

/** Such as `119 of 316 entities of the type order: with:Pay and slower:5d.` */
function aboutText(
  { entities, all, entityType, compared }: Answered<unknown>,
  { where = [], compare = [] }: AskedTexts,
): string {
  const count = (number: number): string => number.toLocaleString('en');
  const about =
    where.length === 0
      ? `${count(all)} entities of the type ${entityType}.`
      : `${count(entities)} of ${count(all)} entities of the type ${entityType}: ${where.join(' and ')}.`;
  return compared === undefined ? about : `${about} Compared with ${count(compared)}: ${compare.join(' and ')}.`;
}

function textLines({ columns, rows }: AnswerTable): readonly string[] {
  const isNumber = (column: number): boolean => rows.some((row) => isNumeric(row[column]));
  if (rows.length === 0) return [];
  const aligned = new Set(columns.flatMap((_, column) => (isNumber(column) ? [column] : [])));
  return textTable(
    columns,
    rows.map((row) => row.map(shownText)),
    aligned,
  );
}

function markdownLines({ columns, rows }: AnswerTable): readonly string[] {
  if (rows.length === 0) return [];
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [
    [
      line(columns.map(escapeForComment)),
      line(columns.map((_, column) => (rows.some((row) => isNumeric(row[column])) ? '---:' : '---'))),
      ...rows.map((row) => line(row.map((cell) => escapeForComment(shownText(cell))))),
    ].join('\n'),
  ];
}

/** Durations are milliseconds, as the names of their columns say. */
function csvLines({ columns, rows }: AnswerTable): readonly string[] {
  const quoted = (text: string): string => {
    const doubled = text.replaceAll(/"/g, '""');
    return /[",\r\n]/.test(text) || text === '' ? `"${doubled}"` : text;
  };
  const cellText = (cell: AnswerCell): string => {
    if (cell === null) return '';
    if (typeof cell === 'string') return quoted(cell);
    if ('time' in cell) return cell.time ?? '';
    // Sums and quantiles of doubles have faulty last digits.
    return cell.value === null ? '' : String(Number(cell.value.toPrecision(14)));
  };
  const unitsOf = (column: number): readonly string[] =>
    rows.flatMap((row) => {
      const cell = row[column];
      return typeof cell === 'object' && cell !== null && 'unit' in cell ? [cell.unit] : [];
    });
  const header = columns.map((name, column) => {
    const units = unitsOf(column);
    return units.length > 0 && units.every((unit) => unit === 'ms') ? `${name} (ms)` : name;
  });
  return [header.map(quoted).join(','), ...rows.map((row) => row.map(cellText).join(','))];
}

function isNumeric(cell: AnswerCell | undefined): boolean {
  return cell !== null && cell !== undefined && typeof cell === 'object' && 'value' in cell;
}

function shownText(cell: AnswerCell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return cell;
  if ('time' in cell) return cell.time?.slice(0, 19).replace('T', ' ') ?? '';
  return cell.value === null ? '' : numberText(cell.value, cell.unit);
}

/** A number as people read it: `2.3 d`, `97 %`, `1,234.5`. */
export function numberText(value: number, unit: MeasureUnit): string {
  if (unit === 'ms') return durationText(value);
  if (unit === 'share') return `${(value * 100).toLocaleString('en', { maximumFractionDigits: 1 })} %`;
  const isLegible = value === 0 || (Math.abs(value) >= 0.01 && Math.abs(value) < 1e15);
  return isLegible ? value.toLocaleString('en', { maximumFractionDigits: 2 }) : numberOfMeasureText(value);
}
