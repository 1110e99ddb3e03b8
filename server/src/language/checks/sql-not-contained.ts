import { duckdb } from '../../dialects/duckdb.ts';
import type { Problem } from '../../model/problem.ts';
import { measureValuesIn } from '../../model/measure.ts';
import { valuesIn } from '../../model/process-rule.ts';
import type { LocatedSql } from '../../model/source-range.ts';
import { containmentProblems } from '../../query/check-sql.ts';
import { sqlOfEntry } from '../../model/entry-columns.ts';
import type { GraphCheck } from './check.ts';
import { dialectOf } from './dialect-of.ts';

/** Custom SQL that cannot be embedded in a query: an unclosed literal or parenthesis, a semicolon. */
export const sqlNotContained: GraphCheck = {
  codes: ['sql-not-contained'],
  scope: 'entry',
  check(context) {
    const { graph } = context;
    const dialect = dialectOf(context)?.name;
    const problems = (sql: LocatedSql): readonly Problem[] => containmentProblems(sql, dialect);
    return [
      ...[...graph.elements, ...graph.entities].flatMap((source) => sqlOfEntry(source).flatMap(problems)),
      ...graph.relationships.flatMap(({ mappings }) =>
        mappings.flatMap((mapping) => (mapping.kind === 'expression' ? problems(mapping.expression) : [])),
      ),
    ];
  },
};

/**
 * SQL of process rules and measures that cannot be part of a larger statement. The dialect is that of the engine that builds the
 * graph.
 */
export const ruleSqlNotContained: GraphCheck = {
  codes: ['sql-not-contained'],
  sections: ['rules', 'measures'],
  check(context) {
    const { rules, measures, import: settings } = context.graph;
    const dialect = settings.engine === 'source' ? dialectOf(context)?.name : duckdb.name;
    const texts = [
      ...rules.flatMap((rule) => valuesIn(rule, 'sql')),
      ...measures.flatMap((measure) => measureValuesIn(measure, 'sql')),
    ];
    return texts.flatMap((sql) => containmentProblems(sql, dialect));
  },
};
