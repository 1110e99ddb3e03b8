import { quoteIdentifier } from '../../query/quote.ts';
import type { WrittenSegment } from '../../store/sqlite-reader/sqlite-reader.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { readRowsSql, stagingFailure } from '../segments/stage-segment.ts';
import { SourceError } from '../source-error.ts';
import { type ResultColumn, rowColumns } from './session.ts';

/** A staging table that is loaded from files of rows. */
export interface StagingTarget {
  readonly staging: StagingDatabase;
  readonly table: string;
  readonly columns: readonly ResultColumn[];
  readonly signal: AbortSignal | undefined;
  readonly warnings: readonly string[];
}

export async function createTable(target: StagingTarget): Promise<void> {
  await target.staging.run(tableSql(target), { signal: target.signal });
}

/** Texts are not compressed: that takes as long as parsing the rows. The file is then about as large as that of SQLite. */
export function tableSql({ table, columns }: Pick<StagingTarget, 'table' | 'columns'>): string {
  const definitions = columns.map(
    ({ stagedType }, index) =>
      `c${index + 1} ${stagedType}${stagedType === 'VARCHAR' ? ' USING COMPRESSION uncompressed' : ''}`,
  );
  return `CREATE TABLE ${quoteIdentifier(table)} (${definitions.join(', ')})`;
}

/**
 * Loads a file of rows. SQLite lets a column hold values of any type: columns with values that do not fit their type
 * become texts, with a warning. Resolves to the changed target. Rejects with a `SourceError`, or the signal's reason.
 */
export async function loadSegment(target: StagingTarget, segment: WrittenSegment): Promise<StagingTarget> {
  const { staging, signal } = target;
  try {
    await staging.run(segmentSql(target, segment), { signal });
    return target;
  } catch (error) {
    signal?.throwIfAborted();
    if (!isConversion(error)) throw stagingFailure(error, segment.path);
    const fitting = await withTexts(target, segment);
    try {
      await staging.run(segmentSql(fitting, segment), { signal });
      return fitting;
    } catch (again) {
      signal?.throwIfAborted();
      throw stagingFailure(again, segment.path);
    }
  }
}

/** The statement that loads a file of rows. */
export function segmentSql(
  { table, columns }: Pick<StagingTarget, 'table' | 'columns'>,
  segment: Pick<WrittenSegment, 'path' | 'longestRow'>,
): string {
  const values = columns.map(({ value }, index) => value?.(`c${index + 1}`) ?? `c${index + 1}`);
  return `INSERT INTO ${quoteIdentifier(table)} SELECT ${values.join(', ')} FROM ${readSql(columns, segment)}`;
}

function readSql(columns: readonly ResultColumn[], segment: Pick<WrittenSegment, 'path' | 'longestRow'>): string {
  const types = rowColumns(columns).map(({ name, type }) => `'${name}': '${type}'`);
  return readRowsSql(types, segment, 'null');
}

/** The columns with a value that does not fit become texts; times that are numbers cannot. */
async function withTexts(target: StagingTarget, segment: WrittenSegment): Promise<StagingTarget> {
  const { staging, table, columns, signal } = target;
  const texts = readSql(
    columns.map((column) => ({ ...column, readAs: 'VARCHAR' })),
    segment,
  );
  const fitting = [...columns];
  const warnings = [...target.warnings];
  for (const [index, column] of columns.entries()) {
    if (column.stagedType === 'VARCHAR') continue;
    const text = `c${index + 1}`;
    const [found] = await staging.query(
      `SELECT ${text} AS value FROM ${texts} WHERE ${text} IS NOT NULL AND ${fits(column, text)} IS NULL LIMIT 1`,
      { signal },
    );
    if (!found) continue;
    const value = String(found['value']);
    if (column.times && column.readAs === 'DOUBLE') throw noTime(column, value);
    await staging.run(`ALTER TABLE ${quoteIdentifier(table)} ALTER ${text} TYPE VARCHAR`, { signal });
    const { value: _, zoned: __, ...rest } = column;
    fitting[index] = { ...rest, sense: 'text', stagedType: 'VARCHAR', readAs: 'VARCHAR' };
    warnings.push(
      `${column.name} has the value ${value}, which is no ${column.type}: its values are texts in the graph.`,
    );
  }
  return { ...target, columns: fitting, warnings };
}

/** An expression that is NULL for a text that the column cannot hold. */
function fits({ readAs, value, stagedType }: ResultColumn, text: string): string {
  if (readAs !== 'VARCHAR') return `TRY_CAST(${text} AS ${readAs})`;
  return value?.(text, 'TRY_CAST') ?? `TRY_CAST(${text} AS ${stagedType})`;
}

function noTime({ name, type }: ResultColumn, value: string): SourceError {
  return new SourceError('type-mismatch', `${name} has the value ${value}, which is no ${type}.`, {
    remedy: 'Exclude such rows with where, or set times for this column (text, or none to read it as it is).',
  });
}

function isConversion(error: unknown): boolean {
  return error instanceof Error && /conver|could not parse|out of range/i.test(error.message);
}
