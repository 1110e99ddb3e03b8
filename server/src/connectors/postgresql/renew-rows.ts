import { quoteIdentifier } from '../../query/quote.ts';
import type { CompiledQuery } from '../../query/compiled-query.ts';
import type { StagingDatabase } from '../../store/staging-database.ts';
import { countSql } from '../embedded/load-sql.ts';
import { type KeptTable, type LoadOptions, type LoadResult, type StagedColumn, hasColumns } from '../load-result.ts';
import type { Watermark } from './watermark.ts';

/** What a kept table needs to be brought up to date. */
interface Marks {
  readonly meaning: string;
  readonly since: string;
}

/** The marks of rows that are read now; undefined if nothing tells which of them the next import has to read again. */
export async function newMarks(watermark: Watermark, signal: AbortSignal | undefined): Promise<string | undefined> {
  const since = await watermark.newest(signal);
  const marks: Marks | undefined = since === undefined ? undefined : { meaning: watermark.meaning, since };
  return marks && JSON.stringify(marks);
}

export interface RowsToRenew {
  readonly staging: StagingDatabase;
  readonly table: string;
  readonly columns: readonly StagedColumn[];
  readonly watermark: Watermark;
  readonly kept: KeptTable;
  /** Stages the rows of a query on the server. */
  load(query: CompiledQuery, table: string, options: LoadOptions): Promise<LoadResult>;
}

/**
 * Stages the rows of a query from kept ones and those that have changed since; undefined, with no table, if these are
 * not all rows of the query: rows were deleted, the table is another one, or the kept rows are damaged.
 */
export async function renewRows(
  { staging, table, columns, watermark, kept, load }: RowsToRenew,
  options: LoadOptions,
): Promise<Omit<LoadResult, 'marks'> | undefined> {
  const { signal } = options;
  const { meaning, since } = JSON.parse(kept.marks) as Marks;
  if (meaning !== watermark.meaning || !hasColumns(kept, columns)) return undefined;
  const changed = `${table}_changed`;
  const keys = `${table}_keys`;
  const drop = async (...names: readonly string[]): Promise<void> => {
    for (const name of names) await staging.run(`DROP TABLE IF EXISTS ${quoteIdentifier(name)}`);
  };
  try {
    const loaded = await load(watermark.changedRows(since), changed, options);
    // A decimal that became NaN changes the type of its column.
    if (!loaded.columns.every(({ stagedType }, index) => stagedType === columns[index]?.stagedType)) return undefined;
    // Rows that a filter leaves out now are not among them, but may be among those kept.
    if (watermark.isFiltered) await load(watermark.changedKeys(since), keys, { signal });
    const keyOf = (place: number): string => `c${place + 1}`;
    const isSame = watermark.keyPlaces
      .map((place, index) => `k.${keyOf(place)} = d.${keyOf(watermark.isFiltered ? index : place)}`)
      .join(' AND ');
    const replaced = quoteIdentifier(watermark.isFiltered ? keys : changed);
    // Rows that were read are behind the others, so that these can be told apart.
    const statements = [
      `CREATE TABLE ${quoteIdentifier(table)} AS SELECT k.* FROM ${kept.table} AS k ANTI JOIN ${replaced} AS d ON ${isSame}`,
      `INSERT INTO ${quoteIdentifier(table)} SELECT * FROM ${quoteIdentifier(changed)}`,
    ];
    try {
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
    const keptRows = rows - loaded.sourceRows;
    if (keptRows === 0) return { sourceRows: rows, columns, warnings: loaded.warnings };
    const others = {
      otherRows: [{ from: keptRows, until: rows }],
      otherKey: watermark.keyPlaces.map((place) => keyOf(place)),
    };
    return { sourceRows: rows, columns, keptRows, ...others, warnings: [...loaded.warnings, unseenText(watermark)] };
  } finally {
    await drop(changed, keys);
  }
}

function unseenText({ dataObject, column }: Watermark): string {
  return `${dataObject}: only rows with a new ${column} were read, as watermarks says. Deleted rows are found by the number of rows only, and rows that changed without a new ${column} not at all: Import Everything Anew (--full) reads everything.`;
}
