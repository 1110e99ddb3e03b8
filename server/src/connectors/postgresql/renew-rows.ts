import { quoteIdentifier } from '../../query/quote.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { countSql } from '../embedded/load-sql.ts';
import { type CachedRows, type LoadOptions, type LoadResult, type StagedColumn, hasColumns } from '../load-result.ts';
import { dropCopy, takeCopy } from '../cached-copy.ts';
import { isWide, narrowWideDecimals, takesDecimal } from '../segments/wide-decimals.ts';
import type { Watermark } from './watermark.ts';

/** The data that an update of a cached table needs. */
interface Marks {
  readonly meaning: string;
  readonly since: string;
}

/** The marks for the rows read now; undefined if these cannot limit what the next import reads. */
export async function newMarks(watermark: Watermark, signal: AbortSignal | undefined): Promise<string | undefined> {
  const since = await watermark.newest(signal);
  const marks: Marks | undefined = since === undefined ? undefined : { meaning: watermark.meaning, since };
  return marks && JSON.stringify(marks);
}

interface RowsToRenew {
  readonly staging: StagingDatabase;
  readonly table: string;
  /** As the source describes them. */
  readonly columns: readonly StagedColumn[];
  readonly watermark: Watermark;
  readonly cached: CachedRows;
  /** Stages the rows of a query on the server, with numbers that may have more than 38 digits as texts. */
  loadTexts(query: CompiledQuery, table: string, options: LoadOptions): Promise<LoadResult>;
}

/**
 * Stages the rows of a query by combining cached rows with rows that changed since the previous import. Returns undefined,
 * and leaves no table, if the result is incomplete: rows were deleted, the table was replaced, or the row cache is damaged.
 */
export async function renewRows(
  { staging, table, columns: described, watermark, cached, loadTexts }: RowsToRenew,
  options: LoadOptions,
): Promise<Omit<LoadResult, 'marks'> | undefined> {
  const { signal } = options;
  const { meaning, since } = JSON.parse(cached.marks) as Marks;
  // The numbers of an earlier import decided whether they are decimals.
  const columns = described.map((column, index) => {
    const stagedType = cached.columns[index]?.stagedType ?? column.stagedType;
    return isWide(column) ? { ...column, stagedType } : column;
  });
  if (meaning !== watermark.meaning || !hasColumns(cached, columns)) return undefined;
  const changed = `${table}_changed`;
  const keys = `${table}_keys`;
  const drop = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(name)}`);
  };
  try {
    const keyOf = (place: number): string => `c${place + 1}`;
    const takesType = async (name: string, stagedAs: string, place: number): Promise<boolean> => {
      const [column, wanted] = [described[place], columns[place]?.stagedType ?? ''];
      return !column || !isWide(column) || takesDecimal({ staging, table: name, signal }, stagedAs, wanted);
    };
    const loaded = await loadTexts(watermark.changedRows(since), changed, options);
    for (const [place, { stagedAs, stagedType }] of loaded.columns.entries()) {
      // A decimal that became NaN changes the type of its column.
      if (stagedType !== described[place]?.stagedType || !(await takesType(changed, stagedAs, place))) return undefined;
    }
    // The filter excludes changed rows that no longer match, but the row cache may still contain them.
    if (watermark.isFiltered) {
      await loadTexts(watermark.changedKeys(since), keys, { signal });
      for (const [index, place] of watermark.keyPlaces.entries()) {
        if (!(await takesType(keys, keyOf(index), place))) return undefined;
      }
    }
    const isSame = watermark.keyPlaces
      .map((place, index) => `k.${keyOf(place)} = d.${keyOf(watermark.isFiltered ? index : place)}`)
      .join(' AND ');
    const replaced = quoteIdentifier(watermark.isFiltered ? keys : changed);
    const ofKey = watermark.keyPlaces.map((place) => `k.${keyOf(place)} = d.${keyOf(place)}`).join(' AND ');
    try {
      const others = {
        replaced: `${replaced} AS d ON ${isSame}`,
        read: `${quoteIdentifier(changed)} AS d ON ${ofKey}`,
      };
      const isWhole = await takeAll({ staging, cached, table, columns, ...others }, signal);
      const statements = isWhole
        ? [
            `INSERT INTO ${quoteIdentifier(table)} SELECT d.* FROM ${quoteIdentifier(changed)} AS d ANTI JOIN ${cached.table} AS k ON ${ofKey}`,
          ]
        : [
            `CREATE TABLE ${quoteIdentifier(table)} AS SELECT k.* FROM ${cached.table} AS k ANTI JOIN ${replaced} AS d ON ${isSame}`,
            `INSERT INTO ${quoteIdentifier(table)} SELECT * FROM ${quoteIdentifier(changed)}`,
          ];
      for (const sql of statements) await staging.run(sql, { signal });
    } catch (error) {
      if (signal?.aborted) throw error;
      await drop(table);
      return undefined;
    }
    const [count] = await staging.query(countSql(table));
    const rows = Number(count?.['rows']);
    if (rows !== (await watermark.count(signal))) {
      await drop(table);
      return undefined;
    }
    const cachedRows = rows - loaded.sourceRows;
    // As all rows would be staged, whatever the earlier import found.
    const narrowed = await narrowWideDecimals({ staging, table, columns: described, signal });
    if (cachedRows === 0) return { sourceRows: rows, ...narrowed };
    const warnings = [...narrowed.warnings, unseenText(watermark)];
    return { sourceRows: rows, columns: narrowed.columns, cachedRows, warnings };
  } finally {
    await drop(changed, keys);
  }
}

interface RowsToTake extends Pick<RowsToRenew, 'staging' | 'cached' | 'table' | 'columns'> {
  /** Joins the cached rows `k` with the keys of rows that may have changed, as SQL. */
  readonly replaced: string;
  /** Joins the cached rows `k` with the rows `d` that were read, as SQL. */
  readonly read: string;
}

/**
 * Takes all cached rows if none has changed. A watermark also finds the newest of them, which have not. Else the copy is
 * dropped: rows that are deleted in a table would leave gaps in the places of the others. Resolves to whether the cached
 * rows are taken.
 */
async function takeAll(
  { staging, cached, table, columns, replaced, read }: RowsToTake,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  if (cached.copy === undefined) return false;
  // Equal values may be printed in different ways, such as intervals.
  const isSame = columns.flatMap(({ stagedAs }) =>
    ['', '::VARCHAR'].map((type) => `k.${stagedAs}${type} IS NOT DISTINCT FROM d.${stagedAs}${type}`),
  );
  const counts = [
    `SELECT count(*) AS rows FROM ${cached.table} AS k SEMI JOIN ${replaced}`,
    // In WHERE, the comparisons would become conditions of the join, and be computed for all cached rows.
    `SELECT count(*) FILTER (WHERE ${isSame.join(' AND ')}) AS rows FROM ${cached.table} AS k JOIN ${read}`,
  ];
  const found: number[] = [];
  for (const sql of counts) found.push(Number((await staging.query(sql, { signal }))[0]?.['rows']));
  const [ofKeys, staying] = found;
  if (staying !== undefined && ofKeys === staying) {
    return (await takeCopy(staging, cached.copy, table, { signal })) !== undefined;
  }
  await dropCopy(staging, cached.copy);
  return false;
}

function unseenText({ dataObject, column }: Watermark): string {
  return `${dataObject}: only rows with a new ${column} were read, as watermarks says. Deleted rows are found by the number of rows only, and rows that changed without a new ${column} not at all: Import Everything Anew (--full) reads everything.`;
}
