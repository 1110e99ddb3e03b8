import type { CompiledQuery } from '../../query/compiled-query.ts';
import { trino } from '../../dialects/trino.ts';
import { executedSql, type ExecutedSql } from './error-position.ts';
import type { ResultColumn } from './result-columns.ts';

/** The core SELECT without rows. It is a subquery, in which SQL of the user can only read. */
export function describingStatement(query: CompiledQuery): ExecutedSql {
  return executedSql('SELECT * FROM (\n', query, '\n) AS q LIMIT 0');
}

/** A statement that validates the query on the server without running it. */
export function validatingStatement(query: CompiledQuery): ExecutedSql {
  return executedSql('EXPLAIN (TYPE VALIDATE)\nSELECT * FROM (\n', query, '\n) AS q');
}

/** The core SELECT with a row limit. Casts values that the protocol would not transfer exactly. */
export function exactStatement(
  query: CompiledQuery,
  columns: readonly ResultColumn[],
  limit: number | undefined,
): ExecutedSql {
  const end = limit === undefined ? '' : ` LIMIT ${limit}`;
  if (!columns.some(({ columnType }) => columnType.select)) {
    return executedSql('SELECT * FROM (\n', query, `\n) AS q${end}`);
  }
  // Aliases of our own: names of the query may differ by case only.
  const aliases = columns.map((_, index) => `c${index + 1}`);
  const items = columns.map(({ name, columnType }, index) => {
    const alias = `c${index + 1}`;
    return `${columnType.select?.(alias) ?? alias} AS ${trino.identifiers.quote(name)}`;
  });
  return executedSql(`SELECT ${items.join(', ')} FROM (\n`, query, `\n) AS q (${aliases.join(', ')})${end}`);
}
