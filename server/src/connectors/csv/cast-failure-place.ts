import { basename } from 'node:path';
import { askColumns } from './ask-columns.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { type DuckDbSession, isDuckDbError } from '../../store/duckdb-store.ts';
import { SourceError } from '../source-error.ts';
import { columnSense } from '../../dialects/duckdb/types.ts';
import { isFineTime } from '../../dialects/standard/fine-times.ts';
import { castFailureOf, isMadeOfText, numberText, tryValueSql } from './cell-values.ts';
import { numberDigits, numberDigitsSql, numberType } from './exact-numbers.ts';
import { asTexts } from './corrected-types.ts';
import { leavesOf, parseType } from './nested-types.ts';
import { clip } from './clip.ts';
import type { PlanColumn, ReadPlan } from './plan-types.ts';
import { nanoseconds } from '../embedded/column-types.ts';
import { plainUtf8, readerSql } from './read-plan.ts';
import { shownName } from './hive-folders.ts';
import { type AttachedFile, type InspectedFile, filesOnDisk } from './inspected-file.ts';
import type { Workbooks } from './workbook/workbooks.ts';
import { rowOfRecord } from './workbook/write-sheet-copy.ts';
import { type TextOptions, readText } from './encodings.ts';
import type { LineShape } from './line-ends.ts';

/**
 * Position in the file of a text that does not fit its column type, for such an error of `checked` (`cell-values.ts`);
 * undefined for other errors. The error names text and type, but neither file nor row: the first row with that text is
 * looked for.
 */
export async function castFailurePlace(
  session: DuckDbSession,
  attached: readonly AttachedFile[],
  error: unknown,
  workbooks: Workbooks,
): Promise<SourceError | undefined> {
  const found = isDuckDbError(error) ? castFailureOf(error.failure.message) : undefined;
  if (!found) return undefined;
  const { text, type } = found;
  for (const each of filesOnDisk(attached)) {
    const place = await firstRow(session, each, text, type).catch(() => undefined);
    const isPart = attached.some(({ parts }) => parts?.includes(each));
    if (place) return castFailureError(each, place, { text, type, cause: error, isPart }, workbooks);
  }
  return undefined;
}

interface CastFailurePlace {
  readonly column: PlanColumn;
  /** 1-based. */
  readonly row: number;
  /** The type that holds the numbers of the column, if their digits are the reason. */
  readonly fittingType?: string | undefined;
}

async function firstRow(
  session: DuckDbSession,
  { file, readFrom }: AttachedFile,
  text: string,
  type: string,
): Promise<CastFailurePlace | undefined> {
  const plan = readablePlan(file.plan, file.path, readFrom);
  const columns = plan.columns.filter((column) =>
    plan.kind === 'parquet'
      ? (column.stored ?? column.type) === nanoseconds || isMadeDouble(column, type)
      : (column.type === type && isMadeOfText(column, plan)) || isNestedIn(column, type, plan),
  );
  if (columns.length === 0) return undefined;
  // The text of an object or list is JSON.
  const quoted = embeddedLiteral(JSON.stringify(text).slice(1, -1));
  const holdsText = (column: PlanColumn, x: string): string =>
    isNestedIn(column, type, plan) ? `contains(${x}, ${quoted})` : `${x} = ${embeddedLiteral(text)}`;
  const read = readerSql({ ...plan, columns: asTexts(plan.columns) }, readFrom);
  const texts = plan.kind === 'parquet' ? `(SELECT CAST(COLUMNS(*) AS VARCHAR) FROM ${read})` : read;
  const rows = await askColumns(
    session,
    texts,
    columns.map((column) => ({
      column,
      aggregate: (x: string) => `min(CASE WHEN ${holdsText(column, x)} THEN r END)`,
    })),
    undefined,
  );
  const places = [...rows].map(([column, row]) => ({ column, row: Number(row) })).filter(({ row }) => row > 0);
  for (const place of places.toSorted((one, other) => one.row - other.row)) {
    const { column } = place;
    if (plan.kind === 'parquet' || isNestedIn(column, type, plan)) return place;
    // The same text may be a value of another column of the type, as a declared type has more notations.
    const [value] = await session.query(
      `SELECT ${tryValueSql('x', column, plan)} IS NULL AS refused FROM (SELECT ${embeddedLiteral(text)} AS x)`,
    );
    if (value?.['refused'] !== true) continue;
    return { ...place, fittingType: await fittingType(session, column, plan, texts) };
  }
  return undefined;
}

/** The type that holds the numbers of all rows, where their digits are too many for that of the first rows. */
async function fittingType(
  session: DuckDbSession,
  column: PlanColumn,
  plan: ReadPlan,
  texts: string,
): Promise<string | undefined> {
  if (plan.kind !== 'csv' || columnSense(column.type) !== 'number') return undefined;
  const [row] = await session.query(
    `SELECT ${numberDigitsSql(numberText(quoteIdentifier(column.name), plan))} AS digits FROM ${texts}`,
  );
  const type = numberType(numberDigits(row?.['digits']));
  return type === 'DOUBLE' ? undefined : type;
}

/** Whether whole numbers of a Parquet file are floating-point numbers, as in other parts. */
function isMadeDouble({ type, stored }: PlanColumn, wanted: string): boolean {
  return type === wanted && stored !== undefined && stored !== '';
}

function isNestedIn(column: PlanColumn, type: string, { kind }: Pick<ReadPlan, 'kind'>): boolean {
  if (kind !== 'json') return false;
  const nested = parseType(column.type);
  return nested.kind !== 'leaf' && leavesOf(nested).includes(type);
}

interface RefusedText {
  readonly text: string;
  readonly type: string;
  readonly cause: unknown;
  /** The file is one of several of a data object. */
  readonly isPart: boolean;
}

async function castFailureError(
  { file, readFrom }: AttachedFile,
  { column, row, fittingType }: CastFailurePlace,
  { text, type, cause, isPart }: RefusedText,
  workbooks: Workbooks,
): Promise<SourceError> {
  const name = basename(file.path);
  const plan = readablePlan(file.plan, file.path, readFrom);
  const isLines = plan.kind === 'json' && plan.lines;
  const line = plan.kind === 'csv' ? await lineOfRow(readFrom, row, plan) : isLines ? row : undefined;
  const where = line === undefined ? await recordName(file, workbooks, row) : `line ${line}`;
  const place = `${shownName(file)}, ${where}`;
  const nulls = plan.kind === 'csv' || plan.kind === 'workbook' ? ', add it to nullValues' : '';
  if (plan.kind === 'parquet') {
    const isDouble = isMadeDouble(column, type);
    const what = isDouble
      ? 'has more digits than a DOUBLE keeps, which other files have'
      : 'has digits below microseconds';
    const said = `${place}: "${clip(text)}" in column ${column.name} ${what}.`;
    const remedy = isDouble ? 'Write all files with whole numbers in this column.' : 'Write the times in microseconds.';
    return new SourceError('file-malformed', said, { file: file.path, remedy, cause });
  }
  const isFine = ['timestamp', 'time'].includes(columnSense(type)) && isFineTime(text);
  const unfit = isFine ? 'has digits below microseconds' : `is not a ${type}`;
  const what = fittingType === undefined ? unfit : `has more digits than a ${type} keeps`;
  return new SourceError('file-malformed', `${place}: "${clip(text)}" in column ${column.name} ${what}.`, {
    file: file.path,
    line,
    remedy:
      fittingType === undefined
        ? `Correct the value${nulls}, or set types: { "${column.name}": VARCHAR } for ${name}.`
        : `Set types: { "${column.name}": "${fittingType}" } for ${name}, which holds the numbers of all its rows.`,
    remedyOfFile: 'Correct the value.',
    // A declared type of an object or list would be that of the whole column.
    ...(!isNestedIn(column, type, plan) && {
      proposedType: { file: name, isPart, column: column.name, types: [fittingType ?? 'VARCHAR'] },
    }),
    cause,
  });
}

/** The row as the user knows it. */
async function recordName({ path, table, plan }: InspectedFile, workbooks: Workbooks, row: number): Promise<string> {
  if (!table || plan.kind !== 'workbook') return `record ${row}`;
  return `sheet ${table.sheet}, row ${await rowOfRecord(workbooks, { path, table, plan }, row)}`;
}

/** Format of the file read by DuckDB, which may be a copy. */
function readablePlan(plan: ReadPlan, path: string, readFrom: string): ReadPlan {
  return plan.kind === 'csv' && readFrom !== path ? { ...plan, ...plainUtf8 } : plan;
}

const [lineFeed, carriageReturn] = [10, 13];

/** Record separators, and which records are rows. */
interface RowShape extends LineShape, TextOptions {
  /** Records and blank lines above the header. */
  readonly skip: number;
  readonly header: boolean;
}

/** The 1-based line of the n-th row (1-based) of a CSV file; undefined when unreadable or beyond the end. */
async function lineOfRow(path: string, row: number, shape: RowShape): Promise<number | undefined> {
  const counter = recordCounter(shape, shape.skip, row + (shape.header ? 1 : 0));
  await readText(path, shape, counter.read).catch(() => undefined);
  return counter.line();
}

/** Scans the records of a text up to the n-th, skipping blank lines. */
function recordCounter({ quote, escape }: LineShape, skip: number, wanted: number) {
  const [quoteCode, escapeCode] = [quote.charCodeAt(0), escape.charCodeAt(0)];
  let [line, rows, records, isQuoted, isStart, previous] = [1, 0, 0, false, true, 0];
  let found: number | undefined;
  return {
    line: () => found,
    read(piece: string): void {
      for (let at = 0; at < piece.length && found === undefined; at += 1) {
        const code = piece.charCodeAt(at);
        const isEnd = code === lineFeed || code === carriageReturn;
        // The second character of a CRLF.
        const isSecond = code === lineFeed && previous === carriageReturn;
        if (isEnd && !isSecond) line += 1;
        if (isEnd && !isSecond && !isQuoted) rows += 1;
        if (isEnd && !isQuoted) isStart = true;
        else if (isStart) {
          isStart = false;
          records += rows >= skip ? 1 : 0;
          if (records === wanted) found = line;
        }
        // A doubled quote closes and opens again, with the same effect.
        const isEscaped = isQuoted && escapeCode !== quoteCode && previous === escapeCode;
        if (code === quoteCode && !isEscaped) isQuoted = !isQuoted;
        previous = isEscaped ? 0 : code;
      }
    },
  };
}
