import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { EntityTimeline } from '../../protocol/event-graph.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { createElkLayout } from '../../server/src/event-graph/elk-layout.ts';
import { importGraph } from '../../server/src/operations/imports/import-graph.ts';
import { askGraph, createGraphCache } from '../../server/src/operations/stored-graphs/event-graph.ts';
import { exportGraph } from '../../server/src/operations/stored-graphs/export-graph.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { openStore } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { projectFolder } from '../support/vscode-host.ts';

const { signal } = new AbortController();
const layOut = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));

/** Elements that share a type and disagree about `level`, missing values, values that come back, two events at one time, master data. */
const odd = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': graphText(
    `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, changeTimestamp: changed, properties: [state, level, due, time] }
  - { activityName: Audit, dataObject: audits, key: order, entityType: order, startTimestamp: at, properties: [state, level, "o'Hara ""x""", amount] }
entities:
  - { entityType: order, dataObject: places, key: order, properties: [place, state] }
  - { name: more, entityType: order, dataObject: more, key: order, properties: [place] }
  - { entityType: shop, dataObject: places, key: place, properties: [state] }
`.replace('"o\'Hara ""x"""', `"o'Hara \\"x\\""`),
  ),
  'orders.csv': `id,at,changed,state,level,due,time
1,2024-01-01 08:00:00,2024-01-03 08:00:00,open,1,2024-02-01 00:00:00,a
1,2024-01-04 08:00:00,,open,2,,b
2,2024-01-02 08:00:00,,,,,
`,
  'audits.csv': `order,at,state,level,"o'Hara ""x""",amount
1,2024-01-02 08:00:00,checked,high,yes,1.5
1,2024-01-02 08:00:00,,1,yes,1.5
1,2024-01-05 08:00:00,closed,1,no,1.5
3,2024-01-05 08:00:00,new,1,,2
`,
  'places.csv': 'order,place,state\n1,Ulm,planned\n2,Bonn,\n4,Jena,planned\n',
  'more.csv': 'order,place\n1,Ulm\n2,Kiel\n',
};

interface OpenGraph {
  timeline(entity: number): Promise<EntityTimeline>;
  rows(sql: string): Promise<readonly (readonly unknown[])[]>;
  historySql(entity: number, property: string): Promise<Record<'number' | 'events' | 'entities' | 'rows', string>>;
  /** Objects of the OCEL export by id (`type:key`), their values in order of time. */
  readonly objects: ReadonlyMap<string, readonly OcelValue[]>;
}

interface OcelValue {
  readonly name: string;
  readonly value: string;
  readonly time: string;
}

async function withGraph(folder: string, graph: string, use: (graph: OpenGraph) => Promise<void>): Promise<void> {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, graph), projectContext);
  const outcome = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  assert.ok(outcome.status === 'imported' && outcome.store, JSON.stringify(outcome));
  const { store } = outcome;
  const output = join(folder, 'out');
  await exportGraph(file, projectContext, { format: 'ocel-json', output, signal });
  const log = JSON.parse(await readFile(output, 'utf8')) as {
    objects: { id: string; attributes: OcelValue[] }[];
  };
  const graphs = createGraphCache();
  const reader = await openStore(store);
  try {
    await use({
      objects: new Map(log.objects.map(({ id, attributes }) => [id, attributes])),
      rows: async (sql) => (await reader.table(sql)).rows,
      async timeline(entity) {
        const answer = await askGraph({ graphs, layOut }, store, 'timeline', { entity }, signal);
        assert.ok(answer.ok, JSON.stringify(answer));
        return answer.value;
      },
      async historySql(entity, property) {
        const number = { kind: 'history', entity, property } as const;
        const answer = await askGraph({ graphs, layOut }, store, 'numberSql', { number, filter: {} }, signal);
        assert.ok(answer.ok, JSON.stringify(answer));
        return answer.value;
      },
    });
  } finally {
    await reader.close();
    await graphs.close();
  }
}

/** 2024-01-02 08:00:00+00 is 2024-01-02T08:00:00.000000Z. */
function oneForm(text: string): string {
  const time = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.(\d+))?(?:Z|\+00)?$/.exec(text);
  return time ? `${time[1]} ${time[2]}.${(time[3] ?? '').padEnd(6, '0')}` : text;
}

/** The timeline and the export say the same of every entity. Returns the number of values. */
async function compareWithExport(graph: OpenGraph, step = 1): Promise<number> {
  let compared = 0;
  for (const [id, type, key] of await graph.rows(`SELECT id, entity_type, key FROM entity WHERE id % ${step} = 0`)) {
    const { events, values } = await graph.timeline(Number(id));
    const exported = graph.objects.get(`${String(type)}:${String(key)}`) ?? [];
    const first = new Set<string>();
    const expected = exported.map(({ name, value, time }) => [name, oneForm(value), oneForm(time)].join(' | '));
    const found = values.changes.map(({ property, after, event }) => {
      const time = events.find((each) => each.id === event)?.time;
      const isFirst =
        !first.has(property) &&
        expected.includes([property, oneForm(after), oneForm('1970-01-01T00:00:00Z')].join(' | '));
      first.add(property);
      return [property, oneForm(after), oneForm(isFirst || time === undefined ? '1970-01-01T00:00:00Z' : time)].join(
        ' | ',
      );
    });
    assert.deepEqual(found.toSorted(), expected.toSorted(), `${String(type)} ${String(key)}`);
    compared += found.length;
  }
  return compared;
}

describe('values of an entity over time', () => {
  it('change at the events of the entity, stay if a value is missing, and begin with master data', async () => {
    const folder = await folderWith(odd);
    try {
      await withGraph(folder, 'graph.entity.yaml', async (graph) => {
        const [[id] = []] = await graph.rows(`SELECT id FROM entity WHERE entity_type = 'order' AND key = '1'`);
        const { events, values } = await graph.timeline(Number(id));
        const timeOf = (event: number | undefined) => events.find((each) => each.id === event)?.time.slice(0, 10);
        const changesOf = (name: string) =>
          values.changes
            .filter(({ property }) => property === name)
            .map(({ event, before = '', after }) => `${timeOf(event) ?? 'before'}: ${before} → ${after}`);
        assert.deepEqual(changesOf('state'), [
          'before:  → planned',
          '2024-01-01: planned → open',
          '2024-01-02: open → checked',
          '2024-01-03: checked → open',
          '2024-01-05: open → closed',
        ]);
        assert.deepEqual(changesOf('place'), ['before:  → Ulm']);
        assert.deepEqual(changesOf('due'), ['2024-01-01:  → 2024-02-01 00:00:00']);
        assert.deepEqual(
          values.properties.find(({ name }) => name === 'state'),
          { name: 'state', changes: 5 },
        );
        for (const { name, changes } of values.properties) {
          const sql = await graph.historySql(Number(id), name);
          assert.deepEqual(await graph.rows(sql.number), [[String(changes)]], name);
          assert.equal((await graph.rows(sql.rows)).length, changes, name);
          const atEvents = values.changes.filter(({ property, event }) => property === name && event !== undefined);
          assert.equal((await graph.rows(sql.events)).length, atEvents.length, name);
          assert.equal((await graph.rows(sql.entities)).length, 1);
        }
        const missing = await graph.historySql(Number(id), `no such "property'`);
        assert.deepEqual(await graph.rows(missing.number), [['0']]);
      });
    } finally {
      await removeFolder(folder);
    }
  });

  it('equal the values and times of OCEL exports, also with different types and two events at one time', async () => {
    const folder = await folderWith(odd);
    try {
      await withGraph(folder, 'graph.entity.yaml', async (graph) => assert.equal(await compareWithExport(graph), 23));
    } finally {
      await removeFolder(folder);
    }
  });

  it('equal those of OCEL exports for entities of order to cash', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'entity-graph-order-to-cash-'));
    const filter = (path: string): boolean => basename(path) !== '.entity-graph';
    await cp(join(projectFolder, 'samples/order-to-cash'), folder, { recursive: true, filter });
    try {
      await withGraph(folder, 'order-to-cash.entity.yaml', async (graph) => {
        const [[entities] = []] = await graph.rows('SELECT count(*) FROM entity');
        const compared = await compareWithExport(graph, Math.ceil(Number(entities) / 60));
        assert.ok(compared > 60, String(compared));
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
