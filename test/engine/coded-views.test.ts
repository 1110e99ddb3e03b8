import assert from 'node:assert/strict';
import { createSelections } from '../../server/src/analysis/selections.ts';
import { answers } from '../../server/src/event-graph/answer-question.ts';
import { readProcessMap } from '../../server/src/event-graph/read-process-map.ts';
import { openCodedGraphStore, openGraphStore } from '../../server/src/operations/stored-graphs/open-graph-store.ts';
import { type StoreReader, openUnpublishedStore } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

describe('queries of the product that read codes of names', () => {
  const files = {
    'entity-sources.yaml': csvSources(),
    'log.csv': `id,customer,at,step\n${steps(400)}\n`,
    'customers.csv': 'id,since,town\na,2023-01-01,Ulm\nb,2023-02-01,Ulm\nc,2023-03-01,Bonn\n',
    'graph.entity.yaml': graphText(
      `  - { activityName: Do, dataObject: log, key: id, entityType: case, startTimestamp: at, activityColumn: step, properties: [step] }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since, properties: [town] }
`,
      `  - { name: of, source: Do, target: Win, mappings: [{ source: customer, target: id }] }\n`,
    ),
  };

  it('give the same results as queries of texts', () =>
    withProject(files, async (project) => {
      const { store: path, error } = await project.import();
      assert.ok(path, error?.message);
      const [coded, texts] = [await openCodedGraphStore(path), await openGraphStore(path)];
      try {
        assert.deepEqual(await types(texts), ['VARCHAR', 'VARCHAR', 'VARCHAR', 'VARCHAR']);
        for (const type of await types(coded)) assert.match(type, /^ENUM/);
        for (const [question, ask] of Object.entries(asked(path))) {
          assert.deepEqual(await ask(coded), await ask(texts), question);
        }
      } finally {
        await coded.close();
        await texts.close();
      }
    }));

  it('read texts if some activities have no code', () =>
    withProject({ ...files, 'log.csv': `id,customer,at,step\n${steps(10_050)}\n` }, async (project) => {
      const { store: path, error } = await project.import();
      assert.ok(path, error?.message);
      const coded = await openCodedGraphStore(path);
      try {
        assert.match((await types(coded)).join(), /^VARCHAR,VARCHAR,VARCHAR,ENUM/);
        const [row] = await coded.query('SELECT count(DISTINCT activity) AS n FROM event');
        assert.equal(Number(row?.['n']), 10_051);
      } finally {
        await coded.close();
      }
    }));

  it('read the tables of fetched graphs, which have no codes', () =>
    withProject(files, async (project) => {
      const { store: path, error } = await project.import();
      assert.ok(path, error?.message);
      const before = await openUnpublishedStore(path);
      for (const name of ['event', 'relation', 'event_entity']) {
        await before.run(`CREATE TABLE stored AS SELECT * FROM ${name} ORDER BY ALL`);
        await before.run(`DROP VIEW ${name}`);
        await before.run(`ALTER TABLE stored RENAME TO ${name}`);
      }
      await before.run('DROP TABLE entity_graph_storage.coded_event');
      await before.run('DROP TABLE entity_graph_storage.coded_relation');
      await before.close();
      const coded = await openCodedGraphStore(path);
      try {
        assert.deepEqual(await types(coded), ['VARCHAR', 'VARCHAR', 'VARCHAR', 'VARCHAR']);
      } finally {
        await coded.close();
      }
    }));
});

/** Names of several lengths and scripts, of which some occur more than once. */
function steps(number: number): string {
  return Array.from({ length: number }, (_, index) => {
    const name = ['Ä', 'a', 'Z', "it's", '北京', ''][index % 6];
    const at = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString().slice(0, 19).replace('T', ' ');
    return `${index % 23},${'abc'.charAt(index % 3)},${at},${name}${number > 10_000 ? index : (index * 7) % 4}`;
  }).join('\n');
}

async function types(store: StoreReader): Promise<readonly string[]> {
  const sql = `SELECT (SELECT any_value(typeof(element)) FROM event) AS element, (SELECT any_value(typeof(activity)) FROM event) AS activity,
    (SELECT any_value(typeof(lifecycle)) FROM event) AS lifecycle, (SELECT any_value(typeof(relationship)) FROM relation) AS relationship`;
  const [row = {}] = await store.query(sql);
  return Object.values(row).map(String);
}

/** Questions over every column of names. */
function asked(path: string): Readonly<Record<string, (store: StoreReader) => Promise<unknown>>> {
  const { signal } = new AbortController();
  const layOut = Object.assign(() => Promise.reject(new Error('Nothing is drawn.')), {});
  const graph = (store: StoreReader) => ({
    path,
    store,
    maps: new Map(),
    selections: createSelections(store),
    filling: {},
    findings: () => Promise.resolve([]),
    confined: () => Promise.resolve(store),
  });
  const cases = { entityType: 'case' };
  const filtered = { ...cases, activities: [{ activity: 'Ä0', occurs: true }] };
  const map = (filter: object, lifecycle: boolean, measure: 'events' | 'objects' | 'pairs') => (store: StoreReader) =>
    readProcessMap(store, { filter, lifecycle, measure }, { signal }, { usesStored: false, exactSteps: 10_000_000 });
  const ask =
    <
      Q extends
        | 'overview'
        | 'tables'
        | 'variants'
        | 'findEntities'
        | 'timeline'
        | 'events'
        | 'suggestRules'
        | 'dots'
        | 'flow'
        | 'comparison',
    >(
      question: Q,
      params: Parameters<(typeof answers)[Q]>[0],
    ) =>
    (store: StoreReader): Promise<unknown> =>
      answers[question](params, graph(store), { signal }, layOut);
  return {
    overview: ask('overview', {}),
    tables: ask('tables', {}),
    variants: ask('variants', { filter: cases }),
    'variants with lifecycles': ask('variants', { filter: filtered, lifecycle: true }),
    entities: ask('findEntities', { search: '' }),
    timeline: ask('timeline', { entity: 3 }),
    events: ask('events', { filter: {} }),
    'events of some': ask('events', { filter: filtered }),
    dots: ask('dots', { filter: cases, time: 'relative', columns: 9, rows: 5 }),
    flow: ask('flow', { filter: filtered }),
    comparison: ask('comparison', { filter: filtered, compare: { kind: 'others' } }),
    'suggested rules': ask('suggestRules', { text: '' }),
    map: map(cases, false, 'events'),
    'map with lifecycles': map(cases, true, 'events'),
    'map of all types': map({}, false, 'objects'),
    'map of some': map({ ...cases, activities: [{ activity: 'nothing', occurs: false }] }, false, 'pairs'),
    'map of a variant': async (store) => {
      const { variants } = await answers.variants({ filter: cases }, graph(store), { signal }, layOut);
      const id = variants[0]?.id ?? '';
      return [id, await map({ ...cases, variant: { id } }, false, 'events')(store)];
    },
  };
}
