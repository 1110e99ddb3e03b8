import { canonicalText } from '../query/canonical-text.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { elementTables } from './element-tables.ts';
import { quoteIdentifier } from '../query/quote.ts';
import { isWritable } from './writable-time.ts';

/**
 * Converts time properties with a value before the year 1 or after 9999, which a format cannot express, to ISO 8601
 * texts, through a view that replaces `properties_<n>`. Infinity counts as missing.
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

/** The range of dates exceeds that of timestamps. */
function isOdd(column: string): string {
  return `isfinite(${column}) AND NOT coalesce(${isWritable(`TRY_CAST(${column} AS TIMESTAMP)`)}, false)`;
}
