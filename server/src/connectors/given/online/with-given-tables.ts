import type { DataObject } from '../../../catalog/catalog.ts';
import { dialectNamed } from '../../../dialects/index.ts';
import type { CompiledQuery } from '../../../query/compiled-query.ts';
import { type ReplacedQuery, replaceInQuery } from '../../../query/replace-in-query.ts';
import { identifierKey, mentionedNames } from '../../../query/sql-names.ts';
import type { TableReference } from './table-reference.ts';

/**
 * Replaces the tables of a query by common table expressions, or by subqueries inside a common table expression of the
 * query. A table without an alias keeps its name as alias.
 * @param bodyOf the SELECT that gives the rows of a data object, with its columns by name
 */
export function withGivenTables(
  query: CompiledQuery,
  references: readonly TableReference[],
  bodyOf: (object: DataObject) => string,
): ReplacedQuery<CompiledQuery> {
  const { dialect } = query;
  const mentioned = mentionedNames(query.sql, dialect);
  const names = new Map<DataObject, string>();
  let number = 0;
  for (const { object, isInOwnExpression = false } of references) {
    if (isInOwnExpression || names.has(object)) continue;
    let name: string;
    do name = `given_${++number}`;
    while (mentioned.has(identifierKey(name, dialect)));
    names.set(object, dialectNamed(dialect).identifiers.quote(name));
  }
  const tables = [...names].map(([object, name]) => `${name} AS (\n${bodyOf(object)}\n)`);
  const replacements = references.map(({ start, end, object, ownAlias, isInOwnExpression = false }) => {
    const name = isInOwnExpression ? `(\n${bodyOf(object)}\n)` : (names.get(object) ?? '');
    return { start, end, text: ownAlias === undefined ? name : `${name} AS ${ownAlias}` };
  });
  return replaceInQuery(query, tables.length === 0 ? '' : `WITH ${tables.join(',\n')}\n`, replacements);
}
