import { quoteIdentifier } from '../../query/quote.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import type { StagedColumn } from '../connector.ts';
import { SourceError } from '../source-error.ts';
import { decimalOfText } from '../segments/decimal-of-text.ts';
import type { Segment } from '../segments/segment-writer.ts';
import { type StagingTarget as SegmentTarget, readSql, stagingFailure } from '../segments/stage-segment.ts';

/** A staging table loaded from segments. */
export interface StagingTarget extends SegmentTarget {
  /** Times BC have occurred, so further segments are read with support for them at once. */
  readonly hasEras?: boolean;
}

/**
 * Loads a file written by `COPY`. Resolves to the changed target: decimal columns become texts when one value is NaN,
 * which DuckDB's decimals lack. Rejects with a `SourceError` that names column and value, or with the signal's reason.
 */
export async function stageSegment(target: StagingTarget, segment: Segment): Promise<StagingTarget> {
  const { staging, columns, signal } = target;
  const load = async (into: StagingTarget): Promise<StagingTarget> => {
    await runOn(staging, segmentSql(into, segment), signal);
    return into;
  };
  try {
    // Times BC and NaN are rare, so the fast path does not support them.
    return await load(target).catch(async (error: unknown) => {
      if (signal?.aborted || !isConversion(error)) throw error;
      const fitting = await withoutNaN(target, segment);
      return load({ ...fitting, ...(columns.some(isTimestamp) && { hasEras: true }) });
    });
  } catch (error) {
    signal?.throwIfAborted();
    const unfit = isConversion(error) && (await unfitValue(target, segment).catch(() => undefined));
    throw unfit || stagingFailure(error, segment.path);
  }
}

/** The statement of `stageSegment`. */
export function segmentSql(
  target: Pick<StagingTarget, 'table' | 'columns' | 'hasEras'>,
  segment: Pick<Segment, 'path' | 'longestRow'>,
): string {
  const { table, columns, hasEras } = target;
  // DuckDB would drop text after a date.
  const isTimeText = (column: StagedColumn): boolean => isDate(column) || (hasEras === true && isTimestamp(column));
  const valueOfText = (column: StagedColumn): string | undefined =>
    isTimeText(column) ? timeOfText(column, 'CAST') : decimalOfText(column.stagedAs, column.stagedType);
  const selected = columns.map((column) => {
    const value = valueOfText(column);
    return value === undefined ? column.stagedAs : `${value} AS ${column.stagedAs}`;
  });
  const asText = (column: StagedColumn): boolean => valueOfText(column) !== undefined;
  return `INSERT INTO ${quoteIdentifier(table)} SELECT ${selected.join(', ')} FROM ${readSql(columns, segment, asText)}`;
}

function isTimestamp({ stagedType }: StagedColumn): boolean {
  return stagedType === 'TIMESTAMP';
}

function isDate({ stagedType }: StagedColumn): boolean {
  return stagedType === 'DATE';
}

function isDecimal({ stagedType }: StagedColumn): boolean {
  return stagedType.startsWith('DECIMAL');
}

/** Converts PostgreSQL's `0044-03-15 12:00:00 BC` to DuckDB's `0044-03-15 (BC) 12:00:00`. */
function timeOfText({ stagedAs, stagedType }: StagedColumn, cast: 'CAST' | 'TRY_CAST'): string {
  const moved = `regexp_replace(${stagedAs}, '^([^ ]+)(.*) BC$', '\\1 (BC)\\2')`;
  return `CASE WHEN ends_with(${stagedAs}, ' BC') THEN ${cast}(${moved} AS ${stagedType}) ELSE ${cast}(${stagedAs} AS ${stagedType}) END`;
}

/** Converts decimal columns with NaN in a segment to texts. */
async function withoutNaN(target: StagingTarget, segment: Segment): Promise<StagingTarget> {
  const { staging, table, columns, signal } = target;
  const decimals = columns.filter(isDecimal);
  if (decimals.length === 0) return target;
  const tests = decimals.map(({ stagedAs }) => `coalesce(bool_or(${stagedAs} = 'NaN'), false) AS ${stagedAs}`);
  const sql = `SELECT ${tests.join(', ')} FROM ${readSql(columns, segment, () => true)}`;
  const [found = {}] = await staging.query(sql, { signal });
  const hasNaN = (column: StagedColumn): boolean => found[column.stagedAs] === true;
  for (const { stagedAs } of columns.filter(hasNaN)) {
    await runOn(staging, `ALTER TABLE ${quoteIdentifier(table)} ALTER ${stagedAs} TYPE VARCHAR`, signal);
  }
  return {
    ...target,
    columns: columns.map((column) => (hasNaN(column) ? { ...column, stagedType: 'VARCHAR' } : column)),
  };
}

/** Message about the first value of a segment that DuckDB cannot hold. */
async function unfitValue(target: StagingTarget, segment: Segment): Promise<SourceError | undefined> {
  const { staging, columns, signal } = target;
  const texts = readSql(columns, segment, () => true);
  for (const column of columns) {
    const { stagedAs, stagedType, name, type } = column;
    const isTime = isTimestamp(column) || isDate(column);
    const value = isTime ? timeOfText(column, 'TRY_CAST') : `TRY_CAST(${stagedAs} AS ${stagedType})`;
    const sql = `SELECT ${stagedAs} AS text FROM ${texts} WHERE ${stagedAs} IS NOT NULL AND ${value} IS NULL AND ${stagedAs} <> 'NaN' LIMIT 1`;
    const [found] = await staging.query(sql, { signal });
    if (!found) continue;
    return new SourceError(
      'type-mismatch',
      `${name} has the value ${String(found['text'])}, a ${type} that DuckDB cannot hold as ${stagedType}.`,
      { remedy: 'Exclude such rows with where, or use engine: source.' },
    );
  }
  return undefined;
}

function runOn(staging: StagingDatabase, sql: string, signal: AbortSignal | undefined): Promise<unknown> {
  return staging.run(sql, { signal });
}

function isConversion(error: unknown): boolean {
  return error instanceof Error && /conver|could not parse|out of range|not UTC/i.test(error.message);
}
