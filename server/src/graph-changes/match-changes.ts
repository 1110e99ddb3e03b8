import type { EndMatches, NamedChange } from '../../../protocol/graph-changes.ts';
import type { DuckDbSession, StatementOptions } from '../store/duckdb-store.ts';
import { type Side, sides } from './pair-events.ts';

const ends = ['source', 'target'] as const;

/** How the entities of both ends of each relationship of a graph are matched: `name`, and three numbers for each end. */
function matchesSql(side: Side): string {
  const pairs = (end: (typeof ends)[number]): string =>
    `SELECT relationship AS name, count(*) AS matched, max(n) AS most
     FROM (SELECT relationship, count(*) AS n FROM ${side}.relation GROUP BY relationship, ${end}_entity_id) GROUP BY relationship`;
  const counted = `SELECT found->>'$.name' AS name, ${ends.map((end) => `CAST(found->>'$.${end}.entities' AS BIGINT) AS ${end}s, found->>'$.${end}.name' AS ${end}_name`).join(', ')}
    FROM (SELECT unnest(CAST(counts->'$.relationships' AS JSON[])) AS found FROM ${side}.run)`;
  const numbers = ends.map(
    (end) => `${end}_name, coalesce(${end}.matched, 0) AS ${end}_matched, coalesce(${end}.most, 0) AS ${end}_most,
      ${end}s - coalesce(${end}.matched, 0) AS ${end}_unmatched`,
  );
  return `SELECT name, ${numbers.join(', ')} FROM (${counted})
    ${ends.map((end) => `LEFT JOIN (${pairs(end)}) AS ${end} USING (name)`).join(' ')}`;
}

/** The matches of all relationships by name. */
export async function relationshipMatches(
  both: DuckDbSession,
  options: StatementOptions,
): Promise<ReadonlyMap<string, NonNullable<NamedChange['matches']>>> {
  const found = new Map<string, NonNullable<NamedChange['matches']>>();
  for (const side of sides) {
    for (const row of await both.query(matchesSql(side), options)) {
      const name = String(row['name']);
      const [source, target] = ends.map((end): EndMatches => {
        const [of, unmatched] = [row[`${end}_name`], row[`${end}_unmatched`]];
        return {
          name: typeof of === 'string' ? of : end,
          matched: Number(row[`${end}_matched`]),
          unmatched: unmatched === null ? null : Number(unmatched),
          most: Number(row[`${end}_most`]),
        };
      });
      if (source && target) found.set(name, { ...found.get(name), [side]: { source, target } });
    }
  }
  return found;
}
