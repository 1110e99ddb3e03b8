import type { CompiledQuery } from '../../query/compiled-query.ts';
import { mysql } from '../../dialects/mysql.ts';
import { executedSql, type ExecutedSql } from './error-position.ts';
import type { ResultColumn } from './result-columns.ts';

/** The core SELECT, limited. It is a subquery, in which SQL of the user can only read. */
export function limitedStatement(query: CompiledQuery, limit: number | undefined): ExecutedSql {
  return executedSql('SELECT * FROM (\n', query, `\n) AS q${limitClause(limit)}`);
}

/** The core SELECT, with columns converted that the protocol would not transfer exactly. */
export function exactStatement(
  query: CompiledQuery,
  columns: readonly ResultColumn[],
  limit: number | undefined,
): ExecutedSql {
  if (!columns.some(({ columnType }) => columnType.select)) return limitedStatement(query, limit);
  const { quote } = mysql.identifiers;
  const items = columns.map(({ name, columnType }) => {
    const column = `q.${quote(name)}`;
    return columnType.select ? `${columnType.select(column)} AS ${quote(name)}` : column;
  });
  return executedSql(`SELECT ${items.join(', ')} FROM (\n`, query, `\n) AS q${limitClause(limit)}`);
}

function limitClause(limit: number | undefined): string {
  return limit === undefined ? '' : ` LIMIT ${limit}`;
}
