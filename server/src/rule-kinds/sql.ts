import { namedValuesSql } from './named-values-sql.ts';
import { judgedColumn } from './property-values-sql.ts';
import type { RuleKind } from './rule-kind.ts';
import { verdict } from './verdict.ts';

/** An expression over properties. */
export const sql: RuleKind<'sql'> = {
  fields: 'sql',
  limits: () => undefined,
  text: ({ sql: { value } }) => value.trim().replaceAll(/\s+/gu, ' '),
  foundText: () => 'it is not so',
  judge({ sql: { value } }, { activity, graph }) {
    const of = activity === undefined ? 'entity' : 'event';
    const { values, sql: expression } = namedValuesSql(graph, { of, judged: 'judged', sql: value });
    return `SELECT judged, CASE WHEN is_true THEN ${verdict.kept} WHEN NOT is_true THEN ${verdict.broken} ELSE ${verdict.undecided} END AS verdict, CAST(NULL AS BIGINT) AS found
FROM (SELECT ${judgedColumn} AS judged, CAST((\n${expression}\n) AS BOOLEAN) AS is_true FROM (\n${values}\n) AS value) AS judged_value`;
  },
};
