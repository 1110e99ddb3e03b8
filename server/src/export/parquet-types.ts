import { quoteIdentifier } from '../query/quote.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** The columns of a table as Parquet can hold their values, without loss. */
interface ParquetColumns {
  /** SQL of a SELECT list. */
  readonly columns: string;
  readonly changed: readonly ChangedColumn[];
}

/** A column that gets another type. */
export interface ChangedColumn {
  readonly name: string;
  readonly type: string;
  readonly written: string;
}

/**
 * DuckDB writes integers of 128 bits as DOUBLE, and times with zone as those in UTC. Such integers become DECIMAL(38,0)
 * if all of their column fit, else texts; times become texts in ISO 8601. All other types of a store keep their values:
 * intervals and nested values are texts there.
 */
export async function parquetColumns(
  store: StoreReader,
  table: string,
  options: StatementOptions,
): Promise<ParquetColumns> {
  const columns = await store.describe(`SELECT * FROM ${quoteIdentifier(table)}`);
  const integers = columns.filter(({ type }) => isLargeInteger(type)).map(({ name }) => name);
  const times = columns.filter(({ type }) => type === timeWithZone).map(({ name }) => name);
  const tooLarge = integers.length === 0 ? {} : await haveTooLarge(store, table, integers, options);
  const changed = columns.flatMap(({ name, type }) => {
    if (times.includes(name)) return [{ name, type, written: 'VARCHAR' }];
    if (!integers.includes(name)) return [];
    return [{ name, type, written: tooLarge[name] === true ? 'VARCHAR' : decimal }];
  });
  const replacements = changed.map((column) => `${writtenValue(column)} AS ${quoteIdentifier(column.name)}`);
  return { columns: changed.length === 0 ? '*' : `* REPLACE (${replacements.join(', ')})`, changed };
}

const timeWithZone = 'TIME WITH TIME ZONE';
const decimal = 'DECIMAL(38,0)';

function isLargeInteger(type: string): boolean {
  return type === 'HUGEINT' || type === 'UHUGEINT';
}

/** Whether a column has an integer of more than 38 digits, by its name. */
async function haveTooLarge(
  store: StoreReader,
  table: string,
  names: readonly string[],
  options: StatementOptions,
): Promise<Readonly<Record<string, unknown>>> {
  const tests = names.map(quoteIdentifier).map((column) => {
    const isTooLarge = `${column} IS NOT NULL AND TRY_CAST(${column} AS ${decimal}) IS NULL`;
    return `coalesce(bool_or(${isTooLarge}), false) AS ${column}`;
  });
  const [found = {}] = await store.query(`SELECT ${tests.join(', ')} FROM ${quoteIdentifier(table)}`, options);
  return found;
}

function writtenValue({ name, type, written }: ChangedColumn): string {
  const value = `CAST(${quoteIdentifier(name)} AS ${written})`;
  // ISO 8601 has minutes in an offset.
  return type === timeWithZone ? String.raw`regexp_replace(${value}, '([+-]\d\d)$', '\1:00')` : value;
}
