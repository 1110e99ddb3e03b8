import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TypeFilter } from '../protocol/event-graph.ts';
import type { EventGraphQuestion, QuestionParams } from '../protocol/requests/event-graph-requests.ts';
import { createElkLayout } from '../server/src/event-graph/elk-layout.ts';
import { askGraph, createGraphCache } from '../server/src/operations/stored-graphs/event-graph.ts';
import { graphMemoryLimit } from '../server/src/operations/stored-graphs/open-graph-store.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { openScratch, openStore } from '../server/src/store/duckdb-store.ts';
import { noSecrets } from '../test/support/no-secrets.ts';
import { writeFiles } from '../test/support/temporary-folder.ts';
import { isQuick } from './bench-size.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, printResults, ratioBounds } from './measure.ts';

const events = isQuick ? 1_000_000 : 10_000_000;
const perEntity = 20;
const countries = 40;
const rounds = 5;
const goalMs = 1000;

/** The filters: so many of the countries, which have equally many entities. */
const filters = { '5 % of the entities': 2, 'half of the entities': 20 } as const;

interface Question {
  readonly name: string;
  readonly ask: (filter: TypeFilter) => { readonly [Q in EventGraphQuestion]?: QuestionParams<Q> };
  /** The same numbers in plain SQL. @param subject a table `subject` with the `id` of each entity of the filter */
  readonly byHand: (subject: string) => string;
}

const life = `life AS (SELECT v.entity_id, min(v.time) AS first, max(v.time) AS last, count(*) AS events
  FROM event AS v WHERE v.entity_id IN (SELECT id FROM subject) GROUP BY 1)`;

/** What the tabs of the event graph ask, after a change of the filter. */
const questions: readonly Question[] = [
  {
    name: 'number of entities',
    ask: (filter) => ({ countEntities: { filter } }),
    byHand: (subject) => `WITH ${subject} SELECT count(*) FROM subject`,
  },
  {
    name: 'map',
    ask: (filter) => ({ map: { filter, paths: 0.2 } }),
    byHand: (subject) => `WITH ${subject}
      SELECT s.activity, t.activity, count(*), quantile_cont(epoch_us(t.time) - epoch_us(s.time), [0.5, 0.9]), sum(epoch_us(t.time) - epoch_us(s.time))
      FROM directly_follows AS df JOIN event AS s ON s.id = df.source_event_id JOIN event AS t ON t.id = df.target_event_id
      WHERE df.entity_id IN (SELECT id FROM subject) GROUP BY 1, 2`,
  },
  {
    name: 'variants',
    ask: (filter) => ({ variants: { filter } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, trace AS (SELECT v.entity_id, list(v.activity ORDER BY v.id) AS variant, epoch_us(max(v.time)) - epoch_us(min(v.time)) AS took
      FROM event AS v WHERE v.entity_id IN (SELECT id FROM subject) GROUP BY 1)
      SELECT variant, count(*) AS n, median(took), quantile_cont(took, 0.9) FROM trace GROUP BY 1 ORDER BY n DESC LIMIT 50`,
  },
  {
    name: 'throughput',
    ask: (filter) => ({ histogram: { filter, measure: 'throughput', bins: 40 } }),
    byHand: (subject) => `WITH ${subject}, ${life}, took AS (SELECT epoch_us(last) - epoch_us(first) AS ms FROM life),
      bounds AS (SELECT min(ms) AS low, max(ms) AS high FROM took)
      SELECT floor((ms - low) * 40 / (high - low)) AS bin, count(*), (SELECT quantile_cont(ms, [0.5, 0.9]) FROM took) FROM took, bounds GROUP BY 1`,
  },
  {
    name: 'cases',
    ask: (filter) => ({ cases: { filter, limit: 100 } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, of_activity AS (SELECT v.entity_id, v.activity, count(*) AS n, min(v.time) AS first, max(v.time) AS last FROM event AS v
        WHERE v.entity_id IN (SELECT id FROM subject) GROUP BY 1, 2),
      life AS (SELECT entity_id, min(first) AS first, max(last) AS last, sum(n) AS events, sum(n - 1) AS rework FROM of_activity GROUP BY 1),
      chosen AS (SELECT * FROM life ORDER BY last - first DESC LIMIT 100)
      SELECT c.*, p.* FROM chosen AS c JOIN (SELECT v.entity_id, arg_max(p.country, v.id), arg_max(p.amount, v.id), arg_max(p.team, v.id)
        FROM properties_1 AS p JOIN event AS v ON v.id = p.event_id WHERE v.entity_id IN (SELECT entity_id FROM chosen) GROUP BY 1) AS p USING (entity_id)`,
  },
  {
    name: 'over time',
    ask: (filter) => ({ flow: { filter } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, ${life}, week AS (SELECT unnest(generate_series(date_trunc('week', min(first)), max(last), INTERVAL 7 DAY)) AS start FROM life)
      SELECT start, count(*) FILTER (first < start + INTERVAL 7 DAY AND last >= start), count(*) FILTER (date_trunc('week', first) = start), count(*) FILTER (date_trunc('week', last) = start)
      FROM week, life GROUP BY 1`,
  },
  {
    name: 'dotted chart',
    ask: (filter) => ({ dots: { filter, time: 'absolute', columns: 240, rows: 120 } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, point AS MATERIALIZED (SELECT v.entity_id, v.activity, epoch_us(v.time) AS us FROM event AS v WHERE v.entity_id IN (SELECT id FROM subject)),
      place AS (SELECT entity_id, row_number() OVER (ORDER BY min(us)) * 120 // (SELECT count(*) FROM subject) AS y FROM point GROUP BY 1),
      bounds AS (SELECT min(us) AS low, max(us) AS high FROM point)
      SELECT floor((us - low) * 240 / (high - low)) AS x, y, mode(activity), count(*) FROM point JOIN place USING (entity_id), bounds GROUP BY 1, 2`,
  },
  {
    name: 'events by activity and over time',
    ask: (filter) => ({ events: { filter } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, shown AS MATERIALIZED (SELECT v.activity, date_trunc('week', v.time) AS week FROM event AS v WHERE v.entity_id IN (SELECT id FROM subject))
      SELECT activity, week, count(*) FROM shown GROUP BY GROUPING SETS ((activity), (week))`,
  },
  {
    name: 'values of a property',
    ask: (filter) => ({ propertyValues: { filter, property: 'amount', bins: 24 } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, value AS MATERIALIZED (SELECT arg_max(p.amount, v.id) AS n FROM properties_1 AS p JOIN event AS v ON v.id = p.event_id
        WHERE v.entity_id IN (SELECT id FROM subject) GROUP BY v.entity_id), bounds AS (SELECT min(n) AS low, max(n) AS high, count(DISTINCT n) AS vals FROM value)
      SELECT floor((n - low) * 24 / (high - low)), count(*), any_value(vals) FROM value, bounds GROUP BY 1`,
  },
  {
    name: 'handover',
    ask: (filter) => ({ handover: { filter, property: 'team' } }),
    byHand: (subject) => `WITH ${subject}
      SELECT s.team, t.team, count(*) AS n, quantile_cont(epoch_us(b.time) - epoch_us(a.time), [0.5, 0.9])
      FROM directly_follows AS df JOIN properties_1 AS s ON s.event_id = df.source_event_id JOIN properties_1 AS t ON t.event_id = df.target_event_id
        JOIN event AS a ON a.id = df.source_event_id JOIN event AS b ON b.id = df.target_event_id
      WHERE df.entity_id IN (SELECT id FROM subject) AND s.team <> t.team GROUP BY 1, 2 ORDER BY n DESC`,
  },
  {
    name: 'rules',
    ask: (filter) => ({ rules: { filter } }),
    byHand: (
      subject,
    ) => `WITH ${subject}, early AS (SELECT entity_id, time FROM event WHERE activity = 'Activity 3' AND entity_id IN (SELECT id FROM subject))
      SELECT count(DISTINCT e.entity_id), count(DISTINCT e.entity_id) FILTER (late.time IS NULL) FROM early AS e
      LEFT JOIN event AS late ON late.entity_id = e.entity_id AND late.activity = 'Activity 9' AND late.time BETWEEN e.time AND e.time + INTERVAL 9 DAY`,
  },
];

/** Each question of the page about a filter, from the question to the answer, in turns with the same SQL by hand. */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  try {
    const store = await importedGraph(folder);
    const results: BenchResult[] = [];
    for (const [name, chosen] of Object.entries(filters)) results.push(...(await measure(store, name, chosen)));
    return results;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measure(store: string, name: string, chosen: number): Promise<readonly BenchResult[]> {
  const layOut = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
  const graphs = createGraphCache();
  const reader = await openStore(store, { memoryLimit: graphMemoryLimit });
  const values = Array.from({ length: chosen }, (_, index) => `C${index}`);
  const subject = `subject AS MATERIALIZED (SELECT v.entity_id AS id FROM properties_1 AS p JOIN event AS v ON v.id = p.event_id
    GROUP BY 1 HAVING arg_max(p.country, v.id) IN (${values.map((value) => `'${value}'`).join(', ')}))`;
  try {
    const results: BenchResult[] = [];
    for (const { name: question, ask, byHand } of questions) {
      const [times, floor]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        floor.push(await time(() => reader.query(byHand(subject))));
        // A value that no entity has: each round selects its entities anew.
        const only = { property: 'country', values: [...values, `${question} ${round}`] };
        const [[asked, params] = []] = Object.entries(ask({ entityType: 'order', values: [only] }));
        times.push(
          await time(async () => {
            const { signal } = new AbortController();
            const outcome = await askGraph(
              { graphs, layOut },
              store,
              asked as EventGraphQuestion,
              params as never,
              signal,
            );
            if (!outcome.ok) throw new Error(JSON.stringify(outcome.error));
          }),
        );
      }
      const both = besideFloor(times, floor);
      const isFew = chosen * 20 <= countries;
      const bounds = ratioBounds(both.ratio, { aim: 1.3, limit: 1.6 }, 'the same SQL by hand');
      const isFast = both.value <= goalMs;
      results.push({
        ...{ name: `${question}, ${name}`, unit: 'ms', ...both, ...bounds },
        ...(isFew && { aim: { text: `≤ ${goalMs} ms`, isMet: isFast }, ok: isFast || bounds.ok }),
      });
    }
    return results;
  } finally {
    await reader.close();
    await graphs.close();
  }
}

async function time(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** Orders whose events are interleaved, of 300 variants, the first ones frequent. */
async function importedGraph(folder: string): Promise<string> {
  const orders = events / perEntity;
  await writeFiles(folder, {
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'graph.entity.yaml': `version: 1
name: Orders
dataSource: files
dataObjects: [orders]
elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: at, activityColumn: step, properties: [country, amount, team] }
rules:
  - { name: Nine follows three, each: { entityType: order }, expect: [{ activity: Activity 9, after: Activity 3, within: 9d }] }
`,
  });
  const scratch = await openScratch();
  await scratch.run(`COPY (
    SELECT id, 'C' || hash(id + 1) % ${countries} AS country, (hash(id + 2) % 100000) / 100 AS amount, 'T' || hash(id * 4 + place // 5) % 12 AS team,
      TIMESTAMP '2024-01-01' + to_seconds(CAST(id * ${31_536_000 / orders} AS BIGINT) + place * (600 + CAST(hash(id + 3) % 90000 AS BIGINT))) AS at,
      'Activity ' || (place + hash(variant * ${perEntity} + place) % 5) % 24 AS step
    FROM (SELECT *, CAST(floor(pow((hash(id) % 1000000) / 1e6, 3) * 300) AS BIGINT) AS variant
      FROM (SELECT range % ${orders} AS id, range // ${orders} AS place FROM range(${events})))
  ) TO '${join(folder, 'orders.csv').replaceAll("'", "''")}'`);
  await scratch.close();
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, 'graph.entity.yaml'), projectContext);
  const { signal } = new AbortController();
  const outcome = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  if (outcome.status !== 'imported') throw new Error(outcome.error.message);
  return outcome.store ?? '';
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
