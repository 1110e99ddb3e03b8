import { namedValuesSql } from '../rule-kinds/named-values-sql.ts';
import { judgedColumn } from '../rule-kinds/property-values-sql.ts';
import type { JudgedSubject } from '../rule-kinds/rule-kind.ts';
import type { MeasureKind, MeasuredSql } from './measure-kind.ts';

/** An expression over properties. */
export const sql: MeasureKind<'sql'> = {
  isTime: false,
  text: ({ sql: { value } }) => value.trim().replaceAll(/\s+/gu, ' '),
  measure: ({ sql: { value } }, subject) => valuesOf(value, subject),
};

/** NaN, infinity and numbers that no sum or deviation of doubles could hold are no values: comparisons leave them out. */
const largest = '1e100';

/** The value of an expression for each measured thing. */
export function valuesOf(expression: string, { activity, graph }: JudgedSubject): MeasuredSql {
  const of = activity === undefined ? 'entity' : 'event';
  const { values, sql: named } = namedValuesSql(graph, { of, judged: 'judged', sql: expression });
  const found = `SELECT ${judgedColumn} AS judged, CAST((\n${named}\n) AS DOUBLE PRECISION) AS number FROM (\n${values}\n) AS value`;
  return {
    tables: [],
    select: `SELECT member.entity, member.event, CASE WHEN abs(found.number) <= ${largest} THEN found.number END AS value FROM member LEFT JOIN (${found}) AS found ON found.judged = member.judged`,
  };
}
