import { judgedColumn, propertyValuesSql } from '../rule-kinds/property-values-sql.ts';
import type { JudgedSubject } from '../rule-kinds/rule-kind.ts';
import type { MeasureKind, MeasuredSql } from './measure-kind.ts';

/** An expression over properties. */
export const sql: MeasureKind<'sql'> = {
  isTime: false,
  text: ({ sql: { value } }) => value.trim().replaceAll(/\s+/gu, ' '),
  measure: ({ sql: { value } }, subject) => valuesOf(value, subject),
};

/** The value of an expression for each measured thing. */
export function valuesOf(expression: string, { activity, graph }: JudgedSubject): MeasuredSql {
  const of = activity === undefined ? 'entity' : 'event';
  const values = propertyValuesSql(graph, { of, judged: 'judged', sql: expression });
  const found = `SELECT ${judgedColumn} AS judged, CAST((\n${expression}\n) AS DOUBLE PRECISION) AS number FROM (\n${values}\n) AS value`;
  return {
    tables: [],
    select: `SELECT member.entity, member.event, found.number AS value FROM member LEFT JOIN (${found}) AS found ON found.judged = member.judged`,
  };
}
