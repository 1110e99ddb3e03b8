import { type EntityGraph, elementEntityType, masterDataName, relationshipName } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { Located } from '../model/source-range.ts';
import { rangeOf, timesText } from './activity.ts';
import type { JudgedGraphTables } from './judged-tables.ts';
import { inMembers } from './members.ts';
import type { RuleKind } from './rule-kind.ts';
import { judgeCount } from './verdict.ts';

/** So many entities that are related by a relationship. */
export const relationship: RuleKind<'relationship'> = {
  fields: 'relationship',
  /** If both ends have the same type, a rule has to name the end. */
  mistakes: ({ relationship: named, direction }, graph) => directionMistake(named, direction, graph),
  limits({ relationship: { value }, direction, of, count }) {
    const { min, max = Infinity } = rangeOf(count);
    return { about: ['relationship', value, direction, of?.value], min, max, reach: Infinity };
  },
  text: ({ relationship: { value }, count }) => `"${value}" ${timesText(rangeOf(count))}`,
  foundText: (found) => `found ${found === 1 ? '1 entity' : `${found ?? 0} entities`}`,
  judge({ relationship: { value }, direction, count, of }, judged) {
    const sql = {
      tables: [relatedTable(value, direction, judged.graph)],
      select: judgeCount(
        'SELECT member.judged, coalesce(related.number, 0) AS found, FALSE AS is_open FROM member LEFT JOIN related ON related.entity = member.entity',
        rangeOf(count),
      ),
    };
    return inMembers(sql, of, judged);
  },
};

type Direction = 'source' | 'target' | undefined;

/** A relationship between entities of one type without a direction. */
export function directionMistake(
  { value, range }: Located<string>,
  direction: Direction,
  graph: EntityGraph,
): readonly Pick<Problem, 'range' | 'message'>[] {
  if (direction) return [];
  const named = graph.relationships.find((each) => relationshipName(each) === value);
  const type = named && typeOfEnd(graph, named.source?.value);
  if (type === undefined || type !== typeOfEnd(graph, named?.target?.value)) return [];
  const message = `"${value}" relates entities of the type "${type}" to one another. Add direction: source or target, for the end that is judged.`;
  return [{ range, message }];
}

/** The common table expression `related`: how many entities (`number`) a relationship relates to an `entity`. */
export function relatedTable(name: string, direction: Direction, { dialect, table }: JudgedGraphTables): string {
  const side = (here: 'source' | 'target'): string =>
    `SELECT ${here}_entity_id AS entity, ${here === 'source' ? 'target' : 'source'}_entity_id AS other FROM ${table('relation')} WHERE relationship = ${dialect.literals.quote(name)}`;
  const sides = direction ? side(direction) : `${side('source')} UNION ${side('target')}`;
  return `related AS (SELECT entity, count(DISTINCT other) AS number FROM (${sides}) AS side GROUP BY entity)`;
}

/** The entity type of an element, or of an entry of `entities`. */
function typeOfEnd({ elements, entities }: EntityGraph, end: string | undefined): string | undefined {
  const element = elements.find(({ activityName }) => end !== undefined && activityName?.value === end);
  const entry = element ?? entities.find((each) => masterDataName(each) === end);
  return entry && elementEntityType(entry);
}
