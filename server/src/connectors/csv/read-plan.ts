import { columnSense } from '../../dialects/duckdb/types.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';
import { isInMicroseconds, nanoseconds } from '../embedded/column-types.ts';
import { jsonReaderSql } from './json-reader.ts';
import { columnValueSql, typeAsRead } from './nested-values.ts';
import type { CsvPlan, PlanColumn, ReadPlan, WorkbookPlan } from './plan-types.ts';
import { call } from './reader-call.ts';
import { decimalOfBytesSql } from './wide-decimals-copy.ts';

/** Format of a copy of a file. */
export const plainUtf8 = {
  encoding: { name: 'utf-8', native: 'utf-8', guessed: false },
  gzip: false,
} as const satisfies Partial<CsvPlan>;

/** Whether DuckDB needs a copy of a file. */
export function needsCopy(plan: ReadPlan | Pick<CsvPlan, 'kind' | 'encoding' | 'mixedLineEnds'>): boolean {
  if (plan.kind === 'workbook') return true;
  if (plan.kind === 'parquet') return plan.columns.some(({ wideScale }) => wideScale !== undefined);
  if (plan.kind === 'json') {
    return plan.hasLongNumbers === true || plan.hasByteOrderMark === true || plan.records !== undefined;
  }
  return plan.kind === 'csv' && (plan.encoding.native === undefined || plan.mixedLineEnds === true);
}

/** What a SELECT reads of a file in addition to, or instead of, all its columns. */
export interface Selection {
  /** SQL expressions with aliases, in which column names denote texts. */
  readonly extraColumns?: readonly string[] | undefined;
  /** The names of the selected columns, of which there is at least one; default: all. */
  readonly used?: ReadonlySet<string> | undefined;
}

/** The SELECT that reads a file by its plan, with the functions of `cell-values.ts`. */
export function readFileSql(plan: ReadPlan, path: string, { extraColumns = [], used }: Selection = {}): string {
  const selected = used ? plan.columns.filter(({ name }) => used.has(name)) : plan.columns;
  const isWhole = selected.length === plan.columns.length;
  // Readers of text files and workbooks need all columns for their order, those of JSON if some are renamed.
  const isByName = plan.kind === 'json' && plan.columns.every(({ field }) => field === undefined);
  const rows = readerSql(isByName ? { ...plan, columns: selected } : plan, path);
  if (plan.kind === 'parquet') {
    return `SELECT ${[...parquetValues(selected, isWhole), ...extraColumns].join(', ')} FROM ${rows}`;
  }
  const values = selected.map((column) => ({
    name: quoteIdentifier(column.name),
    value: columnValueSql(column, plan),
  }));
  if (isWhole && values.every(({ value }) => value === undefined)) {
    return `SELECT ${['*', ...extraColumns].join(', ')} FROM ${rows}`;
  }
  // DuckDB plans expressions over many columns in linear time only without REPLACE, and on a subquery.
  const list = values.map(({ name, value }) => (value === undefined ? name : `${value} AS ${name}`));
  return `SELECT ${[...list, ...extraColumns].join(', ')} FROM (SELECT * FROM ${rows})`;
}

/** The columns of a Parquet file as values of a graph. */
function parquetValues(columns: readonly PlanColumn[], isWhole: boolean): readonly string[] {
  const values = columns.map((column) => {
    const name = quoteIdentifier(column.name);
    const value = unifiedValue(name, column);
    return value === undefined ? name : `${value} AS ${name}`;
  });
  const isAsStored = columns.every((column) => column.stored === undefined && unifiedValue('', column) === undefined);
  return isWhole && isAsStored ? ['*'] : values;
}

/** The value of a column in the type that all parts of the data object have. */
function unifiedValue(name: string, { type, stored = type, wideScale }: PlanColumn): string | undefined {
  if (stored === '') return `CAST(NULL AS ${type})`;
  if (wideScale !== undefined) return decimalOfBytesSql(name, wideScale);
  const value = parquetValue(name, stored);
  if (stored === type) return value;
  const isWhole = type === 'DOUBLE' && columnSense(stored) === 'integer';
  if (!isWhole) return `CAST(${value ?? name} AS ${type})`;
  const double = `CAST(${name} AS DOUBLE)`;
  return `checked(CASE WHEN CAST(${double} AS HUGEINT) = ${name} THEN ${double} END, CAST(${name} AS VARCHAR), 'DOUBLE')`;
}

function parquetValue(name: string, type: string): string | undefined {
  switch (type) {
    // Statistics leave out NaN, so filters must not skip rows by them. An expression is evaluated for each row.
    case 'DOUBLE':
    case 'FLOAT':
      return `CASE WHEN isnan(${name}) THEN 'NaN' ELSE ${name} END`;
    // DuckDB's cast cuts off the digits below microseconds.
    case nanoseconds: {
      return `checked(CASE WHEN ${isInMicroseconds(name)} THEN CAST(${name} AS TIMESTAMP) END, CAST(${name} AS VARCHAR), 'TIMESTAMP')`;
    }
    default:
      return undefined;
  }
}

/** The reader with all options, so that DuckDB detects nothing; values of CSV and JSON are read as texts. */
export function readerSql(plan: ReadPlan, path: string): string {
  switch (plan.kind) {
    case 'csv':
      return call('read_csv', path, [
        'auto_detect = false',
        ...csvShapeOptions(plan),
        `header = ${plan.header}`,
        `skip = ${plan.skip}`,
        `columns = ${columnsLiteral(plan)}`,
      ]);
    case 'json':
      return jsonReaderSql(plan, path);
    case 'workbook':
      return sheetCopySql(plan, path);
    case 'parquet':
      return call('read_parquet', path, []);
  }
}

/** Bytes of a row of a copy. DuckDB reads no longer JSON values. */
export const longestRow = 16_777_216;

/** Reads what `writeSheetCopy` wrote. */
function sheetCopySql({ columns }: WorkbookPlan, path: string): string {
  const texts = columns.map(({ name }, index) => `r[${index + 1}] AS ${quoteIdentifier(name)}`);
  const rows = call('read_json', path, [
    "format = 'newline_delimited'",
    'records = false',
    "columns = {'r': 'VARCHAR[]'}",
    `maximum_object_size = ${longestRow}`,
  ]);
  return `(SELECT ${texts.join(', ')} FROM ${rows})`;
}

/** The options of `read_csv` and `sniff_csv` for fields and NULLs. */
export function csvShapeOptions(plan: Omit<CsvPlan, 'columns' | 'header' | 'skip' | 'kind'>): readonly string[] {
  return [
    `delim = ${literal(plan.delimiter)}`,
    `quote = ${literal(plan.quote)}`,
    `escape = ${literal(plan.escape)}`,
    "comment = ''",
    `nullstr = [${['', ...plan.nullValues].map(literal).join(', ')}]`,
    ...(plan.encoding.native === undefined || plan.encoding.native === 'utf-8'
      ? []
      : [`encoding = ${literal(plan.encoding.native)}`]),
    ...(plan.gzip ? ["compression = 'gzip'"] : []),
    // A field may contain a document; DuckDB's default limit is 2 MB.
    'max_line_size = 16777216',
    // A line must fit in the buffer. DuckDB's default is sixteen lines, with several buffers per thread.
    'buffer_size = 33554432',
  ];
}

/** The time format options of `sniff_csv` and `read_json`. */
export function formatOptions(plan: {
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
}): readonly string[] {
  return [
    ...(plan.dateFormat === undefined ? [] : [`dateformat = ${literal(plan.dateFormat)}`]),
    ...(plan.timestampFormat === undefined ? [] : [`timestampformat = ${literal(plan.timestampFormat)}`]),
  ];
}

function columnsLiteral(plan: CsvPlan): string {
  const entries = plan.columns.map((column) => `${literal(column.name)}: ${literal(typeAsRead(column, plan))}`);
  return `{${entries.join(', ')}}`;
}

function literal(text: string): string {
  return embeddedLiteral(text);
}
