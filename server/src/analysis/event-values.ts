import { duckdb } from '../dialects/duckdb.ts';
import { didYouMean, nearestNames } from '../model/nearest-name.ts';
import type { JudgedGraphTables } from '../rule-kinds/judged-tables.ts';
import { judgedColumn, propertyValuesSql } from '../rule-kinds/property-values-sql.ts';
import { QuestionError } from './question-error.ts';

/** A SELECT of the events that have a value of a property: `event_id`, `value` (text). Throws `QuestionError` for an unknown one. */
export function eventValuesSql(property: string, graph: JudgedGraphTables): string {
  const known = new Set(graph.properties.flatMap(({ isOfEvents, properties }) => (isOfEvents ? properties : [])));
  if (!known.has(property)) {
    const remedy = didYouMean(nearestNames(property, known));
    throw new QuestionError(`The events of the graph have no property "${property}".`, remedy);
  }
  const column = duckdb.identifiers.quote(property);
  const values = propertyValuesSql(graph, { of: 'event', judged: 'known_event', sql: column });
  return `WITH known_event AS (SELECT id AS judged FROM event)
SELECT ${judgedColumn} AS event_id, CAST(${column} AS VARCHAR) AS value FROM (\n${values}\n) AS known WHERE ${column} IS NOT NULL`;
}
