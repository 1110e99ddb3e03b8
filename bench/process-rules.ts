import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSecrets } from '../test/support/no-secrets.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { openGraphStore } from '../server/src/operations/stored-graphs/open-graph-store.ts';
import { parseEntityGraph } from '../server/src/model/parse-model.ts';
import { judgeRules } from '../server/src/process-rules/judge-rules.ts';
import { suggestRules } from '../server/src/process-rules/suggest-rules.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { type StoreReader, openScratch } from '../server/src/store/duckdb-store.ts';
import { writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { besideFloor, ofRounds } from './measure.ts';

const events = isQuick ? 1_000_000 : 10_000_000;
const perOrder = 20;
const activities = 24;
const runs = 3;

/** A rule of the file, and the query for a report of it that an analyst would write. */
interface BenchRule {
  readonly rule: string;
  readonly broken: string;
}

const start = (activity: string): string =>
  `(SELECT * FROM event WHERE activity = '${activity}' AND lifecycle = 'start')`;

/** Two rules of each kind. */
function benchRules(): readonly BenchRule[] {
  return [1, 9].flatMap((number) => {
    const [first, second, third] = [0, 1, 2].map((offset) => `Activity ${number + offset}`) as [string, string, string];
    const anchors = `SELECT DISTINCT anchor.entity_id FROM ${start(first)} AS anchor`;
    const each = '{ entityType: order }';
    return [
      {
        rule: `each: ${each}, expect: [{ activity: ${first} }]`,
        broken: `SELECT id FROM entity WHERE entity_type = 'order' AND id NOT IN (SELECT entity_id FROM ${start(first)})`,
      },
      {
        rule: `each: ${each}, expect: [{ activity: ${first}, count: "0..1" }]`,
        broken: `SELECT entity_id FROM ${start(first)} GROUP BY entity_id HAVING count(*) > 1`,
      },
      {
        rule: `each: ${each}, expect: [{ never: ${first} }]`,
        broken: `SELECT DISTINCT entity_id FROM ${start(first)}`,
      },
      {
        rule: `each: ${each}, expect: [{ activity: ${second}, after: ${first} }]`,
        broken: `${anchors} WHERE NOT EXISTS (FROM ${start(second)} AS later WHERE later.entity_id = anchor.entity_id AND later.id > anchor.id)`,
      },
      {
        rule: `each: ${each}, expect: [{ activity: ${second}, before: ${first} }]`,
        broken: `${anchors} WHERE NOT EXISTS (FROM ${start(second)} AS earlier WHERE earlier.entity_id = anchor.entity_id AND earlier.id < anchor.id)`,
      },
      {
        rule: `each: ${each}, expect: [{ never: ${third}, after: ${first} }]`,
        broken: `${anchors} WHERE EXISTS (FROM ${start(third)} AS later WHERE later.entity_id = anchor.entity_id AND later.id > anchor.id)`,
      },
      {
        rule: `each: { activity: ${first} }, expect: [{ activity: ${second}, within: 3d }]`,
        broken: `SELECT id FROM ${start(first)} AS anchor WHERE anchor.time + INTERVAL 3 DAY < (SELECT max(time) FROM event)
          AND NOT EXISTS (FROM ${start(second)} AS later WHERE later.entity_id = anchor.entity_id AND later.id > anchor.id AND later.time <= anchor.time + INTERVAL 3 DAY)`,
      },
      {
        rule: `each: { activity: ${first} }, expect: [{ activity: ${second}, directly: true }]`,
        broken: `SELECT id FROM ${start(first)} AS anchor WHERE NOT EXISTS
          (FROM directly_follows AS edge JOIN ${start(second)} AS next ON next.id = edge.target_event_id WHERE edge.source_event_id = anchor.id AND edge.entity_id = anchor.entity_id)`,
      },
      {
        rule: `each: ${each}, expect: [{ from: ${first}, to: ${second}, atMost: 3d, take: first }]`,
        broken: `WITH began AS (SELECT entity_id, min(id) AS id, min(time) AS time FROM ${start(first)} GROUP BY entity_id),
          ended AS (SELECT began.entity_id, min(later.time) AS time FROM began JOIN ${start(second)} AS later ON later.entity_id = began.entity_id AND later.id > began.id GROUP BY ALL)
          SELECT entity_id FROM began LEFT JOIN ended USING (entity_id)
          WHERE CASE WHEN ended.time IS NULL THEN began.time + INTERVAL 3 DAY < (SELECT max(time) FROM event) ELSE ended.time > began.time + INTERVAL 3 DAY END`,
      },
      {
        rule: `each: { activity: ${first} }, expect: [{ sql: amount >= 10 }]`,
        broken: `SELECT judged.id FROM ${start(first)} AS judged JOIN properties_1 ON event_id = judged.id WHERE amount < 10`,
      },
    ].map(({ rule, broken }) => ({
      rule,
      broken: reported(broken, rule.includes('activity: Activity') && rule.startsWith('each: { a') ? first : undefined),
    }));
  });
}

/** The content of a report of a rule: numbers of judged and broken entities, and a hundred of them by name. */
function reported(broken: string, activity: string | undefined): string {
  const judged = activity ? start(activity) : "entity WHERE entity_type = 'order'";
  const keys = activity
    ? 'SELECT list(key) FROM event JOIN entity ON entity.id = entity_id WHERE event.id IN (FROM shown)'
    : 'SELECT list(key) FROM entity WHERE id IN (FROM shown)';
  return `WITH broken(id) AS MATERIALIZED (${broken}), shown AS (FROM broken ORDER BY id LIMIT 100)
    SELECT (SELECT count(*) FROM ${judged}) AS judged, (SELECT count(*) FROM broken) AS broken, (${keys}) AS keys`;
}

/** Time to judge twenty rules over ten million events, compared with queries written by hand that count the same, and with the import of the graph. */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  try {
    const { path, seconds } = await importedGraph(folder);
    // As an import judges it.
    const store = await openGraphStore(path, { memoryLimit: '512MB', temporaryFolder: folder });
    try {
      const judged: number[] = [];
      const byHand: number[] = [];
      const ofAGraph: number[] = [];
      for (let index = 0; index < runs; index += 1) {
        byHand.push(await timeByHand(store));
        judged.push(await timeRules(store, benchRules()));
        ofAGraph.push(await timeRules(store, usualRules()));
      }
      const began = performance.now();
      const found = await suggestRules(store, [], {});
      const suggested = (performance.now() - began) / 1000;
      if (found.length === 0) throw new Error('Nothing was suggested.');
      // Ten seconds a million.
      const goal = events / 1e5;
      const [twenty, five] = [besideFloor(judged, byHand), ofRounds(ofAGraph)];
      return [
        {
          name: `20 rules over ${events / 1e6} M events`,
          ...{ unit: 's', ...twenty },
          goal: '≤ 1.3 × by hand',
          ok: twenty.ratio <= 1.3,
        },
        {
          name: `5 rules over ${events / 1e6} M events, compared with the import`,
          ...{ ...five, unit: 's', floor: seconds, ratio: five.value / seconds },
          goal: '≤ 0.1 × import',
          ok: five.value <= 0.1 * seconds,
        },
        {
          name: `suggestions from ${events / 1e6} M events`,
          ...{ value: suggested, unit: 's' },
          goal: `≤ ${goal} s`,
          ok: suggested <= goal,
        },
      ];
    } finally {
      await store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const expected = new Map<string, number>();

async function timeByHand(store: StoreReader): Promise<number> {
  const began = performance.now();
  for (const { rule, broken } of benchRules()) {
    const [row] = await store.query(broken);
    expected.set(rule, Number(row?.['broken']));
  }
  return (performance.now() - began) / 1000;
}

/** As many as the graph of an ordinary process has. */
function usualRules(): readonly BenchRule[] {
  return benchRules().filter((_, index) => [0, 3, 6, 8, 9].includes(index));
}

async function timeRules(store: StoreReader, rules: readonly BenchRule[]): Promise<number> {
  const { graph } = parseEntityGraph(
    `rules:\n${rules.map(({ rule }) => `  - { name: '${rule}', ${rule} }\n`).join('')}`,
  );
  const began = performance.now();
  const results = await judgeRules(graph.rules, store, {});
  const seconds = (performance.now() - began) / 1000;
  for (const { name, broken, error } of results) {
    if (error !== undefined || broken !== expected.get(name))
      throw new Error(`${name}: ${error ?? `${broken} broken, ${expected.get(name)} by hand`}`);
  }
  return seconds;
}

/** Interleaved orders, so that ids are chronological over the whole graph. Each begins with five activities in one order; the others come at random. */
async function importedGraph(folder: string): Promise<{ readonly path: string; readonly seconds: number }> {
  const orders = events / perOrder;
  await writeFiles(folder, {
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'graph.entity.yaml': `version: 1
name: Orders
dataSource: files
elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: at, activityColumn: step, properties: [amount] }
`,
  });
  const scratch = await openScratch();
  await scratch.run(
    `COPY (SELECT range % ${orders} AS id, TIMESTAMP '2024-01-01' + to_seconds(range // 4) AS at, hash(range) % 1000 AS amount,
       'Activity ' || CAST(CASE WHEN range // ${orders} < 5 THEN 12 + range // ${orders} ELSE (hash(range) % 100 + range // ${orders}) % ${activities} END AS VARCHAR) AS step FROM range(${events}))
     TO '${join(folder, 'orders.csv').replaceAll("'", "''")}'`,
  );
  await scratch.close();
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const began = performance.now();
  const outcome = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  const seconds = (performance.now() - began) / 1000;
  if (outcome.status !== 'imported') throw new Error(outcome.error.message);
  return { path: outcome.store ?? '', seconds };
}
