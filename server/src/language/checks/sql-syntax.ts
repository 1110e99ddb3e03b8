import type { Problem } from '../../model/problem.ts';
import type { LocatedSql } from '../../model/source-range.ts';
import { containmentProblems, usableSql } from '../../query/check-sql.ts';
import { placeSqlPosition } from '../../query/place-error.ts';
import type { SqlSyntaxCheck } from '../sql/sql-syntax-check.ts';
import type { GraphCheck } from './check.ts';

/**
 * Custom SQL that the parser of its dialect does not understand. A warning: the parser is of one version, the source may
 * be of another, and has the last word.
 */
export const sqlSyntax: GraphCheck = {
  codes: ['sql-syntax'],
  local: true,
  check({ graph, sqlSyntax: check }) {
    if (!check) return [];
    const conditions = [
      ...graph.elements.map(({ where }) => where),
      ...graph.relationships.flatMap(({ mappings }) =>
        mappings.map((mapping) => (mapping.kind === 'expression' ? mapping.expression : undefined)),
      ),
    ];
    return [
      ...conditions.flatMap((sql) => problemOf(sql, 'SELECT 1 FROM t WHERE (\n', '\n)', check)),
      ...graph.elements.flatMap(({ joins }) => problemOf(joins, 'SELECT 1 FROM t\n', '\n', check)),
    ];
  },
};

function problemOf(
  sql: LocatedSql | undefined,
  before: string,
  after: string,
  check: SqlSyntaxCheck,
): readonly Problem[] {
  const usable = usableSql(sql);
  // SQL that does not stay in its place has its own rule, and would be read here as something else.
  if (!usable || containmentProblems(usable).length > 0) return [];
  const statement = `${before}${usable.value}${after}`;
  const error = check(statement);
  if (!error) return [];
  const fragments = [{ offset: before.length, source: usable }];
  const range = placeSqlPosition({ sql: statement, fragments, references: [] }, error.position) ?? usable.range;
  const tooEarly = error.position >= before.length + usable.value.length;
  const word = usable.value.slice(error.position - before.length).match(/^(?:\w+|"[^"]*"|'[^']*'|\S)/u)?.[0] ?? '';
  const message = tooEarly ? 'The SQL ends too early. Complete it.' : `SQL syntax error near "${word}".`;
  return [{ code: 'sql-syntax', severity: 'warning', message, range }];
}
