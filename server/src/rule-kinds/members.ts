import type { JudgedSubject } from './rule-kind.ts';
import { verdict } from './verdict.ts';

/** SQL over the table `member`: `judged`, `entity` and, of judged events, `time`. */
export interface MemberSql {
  /** Common table expressions. */
  readonly tables: readonly string[];
  /** A SELECT of `judged`, `verdict` and `found`. */
  readonly select: string;
}

/** Judges each judged thing in the entities that an expectation is about: its own, or those of a type. */
export function inMembers(
  { tables, select }: MemberSql,
  of: { readonly value: string } | undefined,
  judged: JudgedSubject,
): string {
  const context = contextSql(of?.value, judged);
  const inlined = judged.graph.dialect.build.judging.inlinedTable;
  const more = tables.map((table) => `, ${table}`).join('');
  // Without a judged activity, entities are judged; an event may have no entity.
  if (judged.activity === undefined) return `WITH member AS ${inlined}(${context})${more}\n${select}`;
  return `WITH context AS ${inlined}(${context}), member AS ${inlined}(SELECT * FROM context WHERE entity IS NOT NULL)${more}
SELECT judged, ${verdict.undecided} AS verdict, CAST(NULL AS BIGINT) AS found FROM context WHERE entity IS NULL
UNION ALL
${select}`;
}

/** `entity` is NULL for an event without one. */
function contextSql(of: string | undefined, judged: JudgedSubject): string {
  const members = memberSql(of, judged);
  const { worked } = judged.graph;
  // Judged entities have no time.
  return worked && judged.activity !== undefined ? worked(members, ['judged', 'entity']) : members;
}

function memberSql(of: string | undefined, { activity, graph: { dialect, table } }: JudgedSubject): string {
  if (activity === undefined || of === undefined) return 'SELECT judged, own AS entity, time FROM judged';
  return `SELECT judged.judged, member.entity, judged.time FROM judged LEFT JOIN (
  SELECT DISTINCT event_entity.event_id, event_entity.entity_id AS entity
  FROM ${table('event_entity')} JOIN ${table('entity')} ON entity.id = event_entity.entity_id AND entity.entity_type = ${dialect.literals.quote(of)}
) AS member ON member.event_id = judged.judged`;
}
