import { canonicalText } from '../query/canonical-text.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { type ElementProperty, elementTables } from './element-tables.ts';
import { masterDataTables } from './master-data-tables.ts';
import { quoteIdentifier } from '../query/quote.ts';
import { isWritable } from './writable-time.ts';

/** Kinds of values of which a form may be unable to say some: times beyond the years 1 to 9999, integers of more than 64 bits. */
type UnsupportedKind = 'time' | 'integer';

/**
 * Converts properties with values that a format cannot express to texts, times in ISO 8601, through a view that
 * replaces
 * `properties_<n>`. Infinity counts as missing.
 */
export async function writeUnsupportedValuesAsTexts(
  store: StoreReader,
  kinds: readonly UnsupportedKind[],
  options: StatementOptions,
): Promise<void> {
  const [database] = await store.query('SELECT current_database() AS name', options);
  const masterData = (await masterDataTables(store)).flatMap(({ table, valuesTable, properties }) =>
    [table, valuesTable].flatMap((each) => (each === undefined ? [] : [{ table: each, properties }])),
  );
  for (const { table, properties } of [...(await elementTables(store)), ...masterData]) {
    const columns = properties.filter((property) => kinds.some((kind) => mayBeOdd[kind](property)));
    if (columns.length === 0) continue;
    const tests = columns.map((column, index) => `coalesce(bool_or(${isOdd(column)}), false) AS t${index}`);
    const [found = {}] = await store.query(`SELECT ${tests.join(', ')} FROM ${quoteIdentifier(table)}`, options);
    const odd = columns.filter((_, index) => found[`t${index}`] === true);
    if (odd.length === 0) continue;
    const texts = odd.map(textOf);
    const from = `${quoteIdentifier(String(database?.['name']))}.main.${quoteIdentifier(table)}`;
    await store.run(
      `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(table)} AS SELECT * REPLACE (${texts.join(', ')}) FROM ${from}`,
      options,
    );
  }
}

const mayBeOdd: Readonly<Record<UnsupportedKind, (property: ElementProperty) => boolean>> = {
  time: ({ valueType }) => valueType === 'time',
  integer: ({ storedType }) => /^(U?HUGEINT|UBIGINT)$/.test(storedType),
};

function isOdd({ name, valueType }: ElementProperty): string {
  const column = quoteIdentifier(name);
  if (valueType === 'integer') return `TRY_CAST(${column} AS BIGINT) IS NULL AND ${column} IS NOT NULL`;
  // A date may be further away than any timestamp.
  return `isfinite(${column}) AND NOT coalesce(${isWritable(`TRY_CAST(${column} AS TIMESTAMP)`)}, false)`;
}

function textOf({ name, valueType, storedType }: ElementProperty): string {
  const column = quoteIdentifier(name);
  if (valueType === 'integer') return `CAST(${column} AS VARCHAR) AS ${column}`;
  return `CASE WHEN isfinite(${column}) THEN ${canonicalText(column, storedType, 'duckdb')} END AS ${column}`;
}
