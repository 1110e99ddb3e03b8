import type { Finding, FindingExample } from '../../../protocol/findings.ts';
import { noEnd } from '../analysis/event-place.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';
import { numbersOf } from './counted.ts';
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
  // A graph without findings has none of these questions.
  if (found.length === 0) return [];
  const total = await readShared(graph);
  const share = (part: number, whole: number): number | null => (whole === 0 ? null : part / whole);
  const findings: Finding[] = [];
  for (const [number, { flagged: _flagged, ...finding }] of found.entries()) {
    const own = await readOwn(number, graph);
    findings.push({
      ...finding,
      explains: share(own.steps, total.steps),
      explainsVariants: share(own.variants, total.variants),
      explainsViolations: share(own.violations, total.violations),
      examples: await readExamples(number, graph),
    });
  }
  return findings;
}

type Shared = Readonly<Record<'steps' | 'variants' | 'violations', number>>;

/** All steps, variants and violations. Creates the tables with the variant of each entity and the events of violations. */
async function readShared({ store, options }: SearchedGraph): Promise<Shared> {
  await store.run(
    `CREATE OR REPLACE TEMP TABLE finding_variant AS
SELECT c.entity_id, hash(e.entity_type, list(v.activity ORDER BY v.id)) AS variant
FROM (SELECT DISTINCT entity_id, event_id FROM event_entity) AS c JOIN event AS v ON v.id = c.event_id JOIN entity AS e ON e.id = c.entity_id
WHERE ${noEnd('v')} GROUP BY c.entity_id, e.entity_type`,
    options,
  );
  // The table is there in graphs with rules only.
  const [rules] = await store.query(
    `SELECT count(*) AS tables FROM information_schema.tables WHERE table_name = 'rule_violation'`,
    options,
  );
  const violations = Number(rules?.['tables']) > 0 ? 'SELECT entity_id, event_id FROM rule_violation' : noViolations;
  await store.run(`CREATE OR REPLACE TEMP TABLE finding_violation AS ${violations}`, options);
  const [row] = await store.query(
    `SELECT (SELECT count(*) FROM ${stepTable}) AS steps, (SELECT count(DISTINCT variant) FROM temp.finding_variant) AS variants,
  (SELECT count(*) FROM temp.finding_violation) AS violations`,
    options,
  );
  return numbersOf(row, 'steps', 'variants', 'violations');
}

const noViolations = 'SELECT NULL::BIGINT AS entity_id, NULL::BIGINT AS event_id WHERE false';

/** Those with at least one event of a finding. */
async function readOwn(number: number, { store, options }: SearchedGraph): Promise<Shared> {
  const flagged = `SELECT id FROM ${flaggedTable} WHERE finding = ${number}`;
  const entities = `SELECT c.entity_id FROM event_entity AS c WHERE c.event_id IN (${flagged})`;
  const [row] = await store.query(
    `SELECT (SELECT count(*) FROM ${stepTable} WHERE source_event_id IN (${flagged}) OR target_event_id IN (${flagged})) AS steps,
  (SELECT count(DISTINCT variant) FROM temp.finding_variant WHERE entity_id IN (${entities})) AS variants,
  (SELECT count(*) FROM temp.finding_violation WHERE event_id IN (${flagged}) OR (event_id IS NULL AND entity_id IN (${entities}))) AS violations`,
    options,
  );
  return numbersOf(row, 'steps', 'variants', 'violations');
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
