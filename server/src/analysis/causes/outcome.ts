import type { GraphFilter } from '../../../../protocol/event-graph.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { millisecondsSql } from '../../graph-schema/duration-classes.ts';
import { valuesIn } from '../../model/process-rule.ts';
import { rulesOf } from '../../process-rules/read-rule.ts';
import { ruleName } from '../../process-rules/judge-rules.ts';
import { sqlTokens } from '../../query/sql-tokens.ts';
import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import { noEnd } from '../event-place.ts';

const { literals } = duckdb;

/**
 * SELECTs of `entity_id` and `place`: the id of the event at which an entity gets the outcome, as far as its conditions
 * say. What is known from that event on does not explain the outcome.
 */
export function outcomePlaces({ activities = [], paths = [], rule, throughput }: GraphFilter): readonly string[] {
  const correlated = 'event_entity AS c JOIN event AS v ON v.id = c.event_id';
  const firstOf = (activity: string): string =>
    `SELECT c.entity_id, min(v.id) AS place FROM ${correlated} WHERE ${noEnd('v')} AND v.activity = ${literals.quote(activity)} GROUP BY 1`;
  const limits = throughput?.slower;
  return [
    ...activities.flatMap(({ activity, occurs }) => (occurs ? [firstOf(activity)] : [])),
    ...paths.map(({ target }) => firstOf(target)),
    ...(rule === undefined
      ? []
      : [
          `SELECT entity_id, min(event_id) AS place FROM rule_violation WHERE rule = ${Math.trunc(rule.number)} AND event_id IS NOT NULL GROUP BY 1`,
        ]),
    ...(limits === undefined
      ? []
      : [
          `SELECT c.entity_id, min(v.id) AS place FROM ${correlated} JOIN (
    SELECT c.entity_id, min(v.time) AS time FROM ${correlated} GROUP BY 1
  ) AS first ON first.entity_id = c.entity_id WHERE ${millisecondsSql('first.time', 'v.time')} > ${Number(limits)} GROUP BY 1`,
        ]),
  ];
}

/** The properties that the definition of an outcome names, in lower case. */
export async function definingNames(
  store: StoreReader,
  sql: readonly string[],
  ruleNames: readonly string[],
  options: StatementOptions,
): Promise<ReadonlySet<string>> {
  const rules = ruleNames.length === 0 ? [] : await rulesOf(store, undefined, options);
  const ofRules = rules
    .filter((rule) => ruleNames.includes(ruleName(rule)))
    .flatMap((rule) => valuesIn(rule, 'sql').map(({ value }) => value));
  const tokens = [...sql, ...ofRules].flatMap((text) => sqlTokens(text));
  return new Set(
    tokens.flatMap(({ kind, text }) => (kind === 'word' || kind === 'quoted' ? [text.toLowerCase()] : [])),
  );
}
