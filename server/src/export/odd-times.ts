import { canonicalText } from '../query/canonical-text.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { elementTables } from './element-tables.ts';
import { quoteIdentifier } from '../query/quote.ts';
import { isWritable } from './writable-time.ts';

/**
 * Makes texts of the times of properties that have one before the year 1 or after 9999, which a form cannot say as a time: ISO 8601, as texts
 * of keys have it. What reads `properties_<n>` then finds a view with these. Infinity stays what is missing.
 */
export async function writeOddTimesAsTexts(store: StoreReader, options: StatementOptions): Promise<void> {
  const [database] = await store.query('SELECT current_database() AS name', options);
  for (const { table, properties } of await elementTables(store)) {
    const times = properties.filter(({ valueType }) => valueType === 'time');
    if (times.length === 0) continue;
    const tests = times.map(
      ({ name }, index) => `coalesce(bool_or(${isOdd(quoteIdentifier(name))}), false) AS t${index}`,
    );
    const [found = {}] = await store.query(`SELECT ${tests.join(', ')} FROM ${quoteIdentifier(table)}`, options);
    const odd = times.filter((_, index) => found[`t${index}`] === true);
    if (odd.length === 0) continue;
    const texts = odd.map(({ name, storedType }) => {
      const column = quoteIdentifier(name);
      return `CASE WHEN isfinite(${column}) THEN ${canonicalText(column, storedType, 'duckdb')} END AS ${column}`;
    });
    const from = `${quoteIdentifier(String(database?.['name']))}.main.${quoteIdentifier(table)}`;
    await store.run(
      `CREATE OR REPLACE TEMP VIEW ${quoteIdentifier(table)} AS SELECT * REPLACE (${texts.join(', ')}) FROM ${from}`,
      options,
    );
  }
}

/** A date may be further away than any timestamp. */
function isOdd(column: string): string {
  return `isfinite(${column}) AND NOT coalesce(${isWritable(`TRY_CAST(${column} AS TIMESTAMP)`)}, false)`;
}
