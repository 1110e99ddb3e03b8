import type { Finding, FindingExample } from '../../../protocol/findings.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import type { FoundFinding, SearchedGraph } from './finding-kind.ts';
import { findingSearches } from './finding-searches.ts';
import { readOrderedPairs } from './order-tables.ts';
import { readTimesOfDay } from './read-times-of-day.ts';
import { createStepTables, dropStepTables, flaggedTable, stepTable } from './step-tables.ts';

/** Examples of a finding. */
const mostExamples = 10;

/**
 * What is odd in the data of an imported graph (docs/data-quality.md): warnings first, those that explain most of the
 * map before the others. It fills temporary tables of the connection. Rejects as the store does.
 */
export async function findFindings(store: StoreReader, options: StatementOptions): Promise<readonly Finding[]> {
  const [run] = await store.query('SELECT config FROM run', options);
  const { graph } = parseEntityGraph(String(run?.['config'] ?? ''));
  const elements = new Map(graph.elements.map((element) => [element.activityName?.value, element]));
  const found: FoundFinding[] = [];
  const searched: SearchedGraph = {
    store,
    options,
    graph,
    element: (name) => elements.get(name),
    timesOfDay: once(() => readTimesOfDay({ store, options })),
    orderedPairs: once(() => readOrderedPairs({ store, options })),
    flaggedBy(...kinds) {
      const numbers = found.flatMap(({ kind }, number) => (kinds.includes(kind) ? [number] : []));
      return `SELECT id FROM ${flaggedTable} WHERE finding IN (${[-1, ...numbers].join(', ')})`;
    },
  };
  await createStepTables(store, options);
  try {
    for (const { find } of findingSearches) {
      for (const finding of await find(searched)) {
        const ids = `SELECT DISTINCT ${found.length}, id FROM (${finding.flagged}) AS flagged`;
        await store.run(`INSERT INTO ${flaggedTable} ${ids}`, options);
        found.push(finding);
      }
    }
    return sorted(await withShares(found, searched));
  } finally {
    await dropStepTables(store);
  }
}

/** The result of the first call. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let result: Promise<T> | undefined;
  return () => (result ??= read());
}

async function withShares(found: readonly FoundFinding[], graph: SearchedGraph): Promise<readonly Finding[]> {
  const { store, options } = graph;
  const [total] = await store.query(`SELECT count(*) AS steps FROM ${stepTable}`, options);
  const steps = Number(total?.['steps'] ?? 0);
  const findings: Finding[] = [];
  for (const [number, { flagged: _flagged, ...finding }] of found.entries()) {
    const isFlagged = `IN (SELECT id FROM ${flaggedTable} WHERE finding = ${number})`;
    const [row] = await store.query(
      `SELECT count(*) AS steps FROM ${stepTable} WHERE source_event_id ${isFlagged} OR target_event_id ${isFlagged}`,
      options,
    );
    findings.push({
      ...finding,
      explains: steps === 0 ? null : Number(row?.['steps'] ?? 0) / steps,
      examples: await readExamples(number, graph),
    });
  }
  return findings;
}

/** The first ones, those of an entity together. */
async function readExamples(number: number, { store, options }: SearchedGraph): Promise<readonly FindingExample[]> {
  const rows = await store.query(
    `WITH example AS (
  SELECT f.id, coalesce(v.entity_id, (SELECT min(c.entity_id) FROM event_entity AS c WHERE c.event_id = f.id)) AS entity_id
  FROM ${flaggedTable} AS f JOIN event AS v ON v.id = f.id WHERE f.finding = ${number}
), placed AS (
  SELECT id, entity_id, min(id) OVER (PARTITION BY coalesce(entity_id, -id)) AS first FROM example ORDER BY first, id LIMIT ${mostExamples}
)
SELECT v.id, v.activity, v.time, e.id AS entity_id, e.entity_type, e.key
FROM placed AS f JOIN event AS v ON v.id = f.id LEFT JOIN entity AS e ON e.id = f.entity_id ORDER BY f.first, v.id`,
    options,
  );
  return rows.map((row) => ({
    entity:
      row['entity_id'] === null
        ? null
        : { id: Number(row['entity_id']), type: String(row['entity_type']), key: String(row['key']) },
    event: { id: Number(row['id']), activity: String(row['activity']), time: String(row['time']) },
  }));
}

function sorted(findings: readonly Finding[]): readonly Finding[] {
  const rank = ({ severity }: Finding): number => (severity === 'warning' ? 0 : 1);
  return [...findings].sort(
    (one, other) =>
      rank(one) - rank(other) ||
      (other.explains ?? 0) - (one.explains ?? 0) ||
      other.count / other.of - one.count / one.of,
  );
}
