import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { SourceError } from '../source-error.ts';
import type { FileOptions } from './config.ts';
import { explainError, recordShape } from './errors.ts';
import { call, csvShapeOptions, formatOptions, readerSql, type CsvPlan, type PlanColumn } from './read-plan.ts';

/** Rows from which types are told. Later values that do not fit are errors with file and line. */
export const sniffedRows = 102_400;

export interface SniffTarget {
  readonly session: DuckDbSession;
  /** The file as users know it. */
  readonly path: string;
  /** The file that DuckDB reads: the same, or the beginning of it in UTF-8. */
  readonly readFrom: string;
  readonly options: FileOptions;
  readonly signal: AbortSignal | undefined;
}

type Shape = Omit<CsvPlan, 'columns' | 'header' | 'dateFormat' | 'timestampFormat'>;

/**
 * Tells header, column names, types and time formats of a CSV file whose fields and encoding are known.
 * Rejects with `file-malformed`, naming the line, when the rows at the beginning do not agree.
 */
export async function sniffCsv(target: SniffTarget, shape: Shape, fields: number): Promise<CsvPlan> {
  const { session, options, signal } = target;
  const statement = `SELECT HasHeader, to_json(Columns) AS columns, DateFormat, TimestampFormat FROM ${call(
    'sniff_csv',
    target.readFrom,
    [
      ...csvShapeOptions(shape),
      `skip = ${shape.skip}`,
      `sample_size = ${sniffedRows}`,
      ...(options.header === undefined ? [] : [`header = ${options.header}`]),
      ...formatOptions(options),
    ],
  )}`;
  const rows = await session.query(statement, { ...(signal && { signal }) }).catch(async (error: unknown) => {
    if (signal?.aborted) throw error;
    throw await namedFault(target, shape, fields, error);
  });
  const sniffed = rows[0] ?? {};
  const dateFormat = options.dateFormat ?? textOrUndefined(sniffed['DateFormat']);
  const timestampFormat = options.timestampFormat ?? textOrUndefined(sniffed['TimestampFormat']);
  const plan: CsvPlan = {
    ...shape,
    header: options.header ?? sniffed['HasHeader'] === true,
    columns: JSON.parse(String(sniffed['columns'])) as readonly PlanColumn[],
    ...(dateFormat !== undefined && { dateFormat }),
    ...(timestampFormat !== undefined && { timestampFormat }),
  };
  return { ...plan, columns: withWishes(await corrected(target, plan), options, target.path) };
}

/**
 * Sniffing says only that no dialect fits. Reading the file as text by the dialect that we found names the line.
 */
async function namedFault(target: SniffTarget, shape: Shape, fields: number, error: unknown): Promise<unknown> {
  const files = [{ path: target.path, readFrom: target.readFrom, ...recordShape(shape) }];
  const columns = Array.from({ length: fields }, (_, index) => ({ name: `c${index + 1}`, type: 'VARCHAR' }));
  const text = readerSql({ ...shape, header: target.options.header ?? true, columns }, target.readFrom);
  try {
    await target.session.run(`SELECT max(c1) FROM ${text}`, { ...(target.signal && { signal: target.signal }) });
  } catch (named) {
    return explainError(named, { files });
  }
  return explainError(error, { files });
}

/**
 * DuckDB takes times without offset for zoned ones where the time format given fits another column, and integers beyond
 * 64 bits for floating-point numbers, which would make different keys equal.
 */
async function corrected(target: SniffTarget, plan: CsvPlan): Promise<readonly PlanColumn[]> {
  const suspects = plan.columns.filter(({ type }) => type === 'TIMESTAMP WITH TIME ZONE' || type === 'DOUBLE');
  if (suspects.length === 0) return plan.columns;
  const asText: CsvPlan = { ...plan, columns: plan.columns.map(({ name }) => ({ name, type: 'VARCHAR' })) };
  const tests = suspects.map(({ name, type }, index) => {
    const column = quoteIdentifier(name);
    return type === 'DOUBLE'
      ? `coalesce(bool_or(regexp_full_match(${column}, '[+-]?[0-9]{17,}')), false) AS t${index}`
      : `NOT coalesce(bool_or(regexp_matches(${column}, '([zZ]|[+-][0-9]{2}(:?[0-9]{2})?| [A-Za-z/_]+)$') AND ${column} LIKE '%:%'), false) AS t${index}`;
  });
  const sample = `(SELECT * FROM ${readerSql(asText, target.readFrom)} LIMIT 20480)`;
  const [found = {}] = await target.session
    .query(`SELECT ${tests.join(', ')} FROM ${sample}`, { ...(target.signal && { signal: target.signal }) })
    .catch(async (error: unknown) => {
      if (target.signal?.aborted) throw error;
      const files = [{ path: target.path, readFrom: target.readFrom, ...recordShape(plan) }];
      throw await explainError(error, { files });
    });
  return plan.columns.map((column) => {
    const index = suspects.indexOf(column);
    if (index < 0 || found[`t${index}`] !== true) return column;
    if (column.type === 'DOUBLE') return { name: column.name, type: 'VARCHAR' };
    return { name: column.name, type: 'TIMESTAMP', ...(plan.timestampFormat !== undefined && { castFromText: true }) };
  });
}

function withWishes(columns: readonly PlanColumn[], options: FileOptions, path: string): readonly PlanColumn[] {
  const types = options.types ?? {};
  const unknown = Object.keys(types).find((name) => !columns.some((column) => column.name === name));
  if (unknown !== undefined) {
    throw new SourceError('source-config', `${path} has no column ${unknown}, for which types names a type.`, {
      file: path,
      remedy: `Its columns are: ${columns.map((column) => column.name).join(', ')}.`,
    });
  }
  return columns.map((column) => {
    const type = types[column.name];
    return type === undefined ? column : { name: column.name, type };
  });
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
