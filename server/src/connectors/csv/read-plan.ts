import { quoteIdentifier, quoteLiteral } from '../../query/quote.ts';
import { isMadeOfText, valueSql } from './cell-values.ts';
import type { CsvPlan, ReadPlan } from './plan-types.ts';

/** How a copy of a file is written, whatever the file is. */
export const plainUtf8 = {
  encoding: { name: 'utf-8', native: 'utf-8', guessed: false },
  gzip: false,
} as const satisfies Partial<CsvPlan>;

/** Whether DuckDB has to be given a copy of a file to read. */
export function needsCopy(plan: ReadPlan | Pick<CsvPlan, 'kind' | 'encoding' | 'mixedLineEnds'>): boolean {
  return plan.kind === 'csv' && (plan.encoding.native === undefined || plan.mixedLineEnds === true);
}

/**
 * The SELECT that reads a file by its plan, with the functions of `cell-values.ts`; `extraColumns` are SQL expressions with their aliases, in
 * which names of columns stand for texts.
 */
export function readFileSql(plan: ReadPlan, path: string, extraColumns: readonly string[] = []): string {
  const replace = plan.columns
    .filter((column) => isMadeOfText(column, plan))
    .map((column) => `${valueSql(quoteIdentifier(column.name), column, plan)} AS ${quoteIdentifier(column.name)}`);
  const star = replace.length === 0 ? '*' : `* REPLACE (${replace.join(', ')})`;
  return `SELECT ${[star, ...extraColumns].join(', ')} FROM ${readerSql(plan, path)}`;
}

/** The reader with all it needs to know, so that DuckDB guesses nothing: of CSV it gives texts. */
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
      return call('read_json', path, [
        `format = '${plan.lines ? 'newline_delimited' : 'auto'}'`,
        `columns = ${columnsLiteral(plan)}`,
      ]);
    case 'parquet':
      return call('read_parquet', path, []);
  }
}

/** The options of `read_csv` and `sniff_csv` that say how characters become fields and NULLs. */
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
    // A field may hold a document; DuckDB's own limit is 2 MB.
    'max_line_size = 16777216',
    // A line must fit; DuckDB's own are sixteen lines long, and each thread holds some of them.
    'buffer_size = 33554432',
  ];
}

/** The options of `sniff_csv` and `read_json` that say how times are written. */
export function formatOptions(plan: {
  readonly dateFormat?: string;
  readonly timestampFormat?: string;
}): readonly string[] {
  return [
    ...(plan.dateFormat === undefined ? [] : [`dateformat = ${literal(plan.dateFormat)}`]),
    ...(plan.timestampFormat === undefined ? [] : [`timestampformat = ${literal(plan.timestampFormat)}`]),
  ];
}

/** A call of a reader on one file, whose name is taken literally. */
export function call(reader: string, path: string, options: readonly string[]): string {
  return `${reader}(${[literal(enginePath(path)), ...options].join(', ')})`;
}

/** The path as DuckDB's readers must hear it: `*`, `?` and `[` would be wildcards, backslashes are no separators. */
export function enginePath(path: string): string {
  const slashed = process.platform === 'win32' ? path.replaceAll('\\', '/') : path;
  return slashed.replace(/[[*?]/g, '[$&]');
}

function columnsLiteral(plan: ReadPlan): string {
  const entries = plan.columns.map(
    (column) => `${literal(column.name)}: ${literal(isMadeOfText(column, plan) ? 'VARCHAR' : column.type)}`,
  );
  return `{${entries.join(', ')}}`;
}

function literal(text: string): string {
  return quoteLiteral(text, 'duckdb');
}
