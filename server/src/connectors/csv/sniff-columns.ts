import type { DuckDbSession } from '../../store/duckdb-store.ts';
import type { FileOptions } from './read-settings.ts';
import { explainError, recordShape } from './errors.ts';
import { asTexts, correctedTypes, inFormat, lookedAt } from './corrected-types.ts';
import { withDeclaredTypes } from './declared-types.ts';
import { hasDecimalComma } from './detect-decimal.ts';
import type { CsvPlan, PlanColumn } from './plan-types.ts';
import { csvShapeOptions, formatOptions, readerSql } from './read-plan.ts';
import { call } from './reader-call.ts';

/** Number of rows for type detection. Later values that do not fit are errors with file and line. */
export const sniffedRows = 102_400;

/** Number of rows for type detection of one file of several that are sampled together. DuckDB reads 2,048 rows at once. */
export function sniffedRowsOf(parts: number): number {
  return Math.max(2_048, Math.ceil(sniffedRows / parts));
}

interface SniffTarget {
  readonly session: DuckDbSession;
  /** The file as known to users. */
  readonly path: string;
  /** The file read by DuckDB: the original, or a UTF-8 copy of its sample. */
  readonly readFrom: string;
  readonly options: FileOptions;
  /** Number of rows for type detection. */
  readonly sampleRows: number;
  readonly signal: AbortSignal | undefined;
}

type Shape = Omit<CsvPlan, 'columns' | 'header' | 'dateFormat' | 'timestampFormat'>;

/**
 * Detects header, column names, types, decimal sign and time formats of a CSV file with known fields and encoding. Rejects with
 * `file-malformed`, with the line, for inconsistent sample rows.
 */
export async function sniffColumns(target: SniffTarget, shape: Shape, fields: number): Promise<CsvPlan> {
  const { session, options, signal } = target;
  const plan = await sniff(target, shape, fields);
  const texts = (of: CsvPlan): string => readerSql({ ...of, columns: asTexts(of.columns) }, target.readFrom);
  const isUndecided = options.decimal === undefined && plan.delimiter !== ',';
  const sample = `(SELECT * FROM ${texts(plan)} LIMIT ${lookedAt})`;
  const explained = async (error: unknown): Promise<never> => {
    if (signal?.aborted) throw error;
    const files = [{ path: target.path, readFrom: target.readFrom, ...recordShape(plan) }];
    throw await explainError(error, { files });
  };
  const isComma = isUndecided && (await hasDecimalComma(session, plan.columns, sample, signal).catch(explained));
  const sniffed = isComma ? await sniff(target, { ...shape, decimal: ',' }, fields) : plan;
  const corrected = await correctedTypes(session, texts(sniffed), sniffed, signal).catch(explained);
  const columns = await withDeclaredTypes(corrected, { ...target, reader: 'read_csv' });
  return { ...sniffed, columns: columns.map((column) => inFormat(column, sniffed)) };
}

/** What DuckDB detects. */
async function sniff(target: SniffTarget, shape: Shape, fields: number): Promise<CsvPlan> {
  const { session, options, signal } = target;
  const statement = `SELECT HasHeader, to_json(Columns) AS columns, DateFormat, TimestampFormat FROM ${call(
    'sniff_csv',
    target.readFrom,
    [
      ...csvShapeOptions(shape),
      `skip = ${shape.skip}`,
      `sample_size = ${target.sampleRows}`,
      ...(options.header === undefined ? [] : [`header = ${options.header}`]),
      ...formatOptions(options),
      ...(shape.decimal === undefined ? [] : [`decimal_separator = '${shape.decimal}'`]),
    ],
  )}`;
  const rows = await session.query(statement, { signal }).catch(async (error: unknown) => {
    if (signal?.aborted) throw error;
    throw await namedFault(target, shape, fields, error);
  });
  const sniffed = rows[0] ?? {};
  const dateFormat = options.dateFormat ?? textOrUndefined(sniffed['DateFormat']);
  const timestampFormat = options.timestampFormat ?? textOrUndefined(sniffed['TimestampFormat']);
  return {
    ...shape,
    header: options.header ?? sniffed['HasHeader'] === true,
    columns: JSON.parse(String(sniffed['columns'])) as readonly PlanColumn[],
    dateFormat,
    timestampFormat,
  };
}

/** The error with its line, which DuckDB's detection does not tell: the file is read again as text in the detected format. */
async function namedFault(target: SniffTarget, shape: Shape, fields: number, error: unknown): Promise<unknown> {
  const files = [{ path: target.path, readFrom: target.readFrom, ...recordShape(shape) }];
  const columns = Array.from({ length: fields }, (_, index) => ({ name: `c${index + 1}`, type: 'VARCHAR' }));
  const text = readerSql({ ...shape, header: target.options.header ?? true, columns }, target.readFrom);
  try {
    await target.session.run(`SELECT max(c1) FROM ${text}`, { signal: target.signal });
  } catch (named) {
    return explainError(named, { files });
  }
  return explainError(error, { files });
}

function textOrUndefined(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
