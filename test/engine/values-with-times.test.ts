import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { checkFile } from '../../server/src/check/check-file.ts';
import { createElkLayout } from '../../server/src/event-graph/elk-layout.ts';
import type { OcelForm } from '../../server/src/event-logs/ocel/read-log.ts';
import { askGraph, createGraphCache } from '../../server/src/operations/stored-graphs/event-graph.ts';
import { exportProject } from '../support/export-project.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { logDifference } from '../support/log-difference.ts';
import { exportAt, importAt, withLogProject } from '../support/log-projects.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const { signal } = new AbortController();

const validFrom = `${graphText(
  '  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, properties: [state] }\n',
)}entities:
  - { name: States, entityType: order, dataObject: states, key: order, validFrom: since, properties: [state, price] }
`;

const files = {
  'entity-sources.yaml': csvSources(),
  'graph.entity.yaml': validFrom,
  'orders.csv': 'id,at,state\no1,2024-01-02 00:00:00,placed\n',
  // No time and 1970-01-01 mean from the start; rows of one time hold together.
  'states.csv': `order,since,state,price
o1,,draft,5
o1,2024-01-03 00:00:00,,7
o1,2024-01-02 00:00:00,,6
o1,2024-01-03 00:00:00,paid,8
o2,1970-01-01 00:00:00,new,1
o2,2024-02-01 00:00:00,old,
o3,2023-05-01 00:00:00,late,
,2024-01-01 00:00:00,none,
`,
};

describe('values of entities with times', () => {
  it('are stored over time, with the last value of each in the properties', () =>
    withProject(files, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(summary.entities, [{ name: 'States', rows: 8, entities: 3, versions: 7, rowsWithoutKey: 1 }]);
      assert.deepEqual(summary.warnings, ['1 of 8 rows of "States" have no key and are left out.']);
      const of = (table: string, order: string) =>
        project.rows(
          `SELECT key, v.* EXCLUDE (entity_id) FROM ${table} AS v JOIN entity ON id = entity_id ORDER BY ${order}`,
        );
      assert.deepEqual(await of('entity_values_1', 'key, value_rank'), [
        ['o1', null, '1', 'draft', '5'],
        ['o1', '2024-01-02T00:00:00.000000Z', '2', null, '6'],
        ['o1', '2024-01-03T00:00:00.000000Z', '3', null, '7'],
        ['o1', '2024-01-03T00:00:00.000000Z', '4', 'paid', '8'],
        ['o2', null, '1', 'new', '1'],
        ['o2', '2024-02-01T00:00:00.000000Z', '2', 'old', null],
        ['o3', '2023-05-01T00:00:00.000000Z', '1', 'late', null],
      ]);
      assert.deepEqual(await of('entity_properties_1', 'key'), [
        ['o1', 'paid', '8'],
        ['o2', 'old', '1'],
        ['o3', 'late', null],
      ]);
      assert.deepEqual(
        (await checkFile(summary.store ?? '', signal)).results.filter(({ ok }) => !ok),
        [],
      );
    }));

  it('have their times in OCEL exports, beside the values of events', () =>
    withProject(files, async (project) => {
      await project.import();
      const log = JSON.parse(await readFile(await exportProject(project, 'ocel-json', 'log.json'), 'utf8')) as {
        objects: { id: string; attributes: { name: string; value: string; time: string }[] }[];
      };
      const values = log.objects.flatMap(({ id, attributes }) =>
        attributes.map(({ name, value, time }) => `${id} ${time.slice(0, 10)} ${name}=${value}`),
      );
      assert.deepEqual(values, [
        'order:o1 1970-01-01 state=draft',
        'order:o1 1970-01-01 price=5',
        'order:o1 2024-01-02 state=placed',
        'order:o1 2024-01-02 price=6',
        'order:o1 2024-01-03 state=paid',
        'order:o1 2024-01-03 price=8',
        'order:o2 1970-01-01 state=new',
        'order:o2 1970-01-01 price=1',
        'order:o2 2024-02-01 state=old',
        'order:o3 2023-05-01 state=late',
      ]);
    }));

  it('keep their time in OCEL exports if the first event of their object is at that time', () => {
    const atFirstEvent = { 'states.csv': 'order,since,state,price\no1,2024-01-02 00:00:00,draft,5\n' };
    return withProject({ ...files, ...atFirstEvent }, async (project) => {
      await project.import();
      const log = JSON.parse(await readFile(await exportProject(project, 'ocel-json', 'log.json'), 'utf8')) as {
        objects: { attributes: { name: string; value: string; time: string }[] }[];
      };
      assert.deepEqual(
        log.objects.flatMap(({ attributes }) =>
          attributes.map((each) => [each.time.slice(0, 10), each.name, each.value]),
        ),
        [
          ['2024-01-02', 'state', 'placed'],
          ['2024-01-02', 'price', '5'],
        ],
      );
    });
  });

  it('are shown in the timeline at their times, also after the last event', () =>
    withProject(files, async (project) => {
      const { store = '' } = await project.import();
      const [[id] = []] = await project.rows(`SELECT id FROM entity WHERE key = 'o1'`);
      const graphs = createGraphCache();
      try {
        const layOut = createElkLayout(createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js'));
        const answer = await askGraph({ graphs, layOut }, store, 'timeline', { entity: Number(id) }, signal);
        assert.ok(answer.ok, JSON.stringify(answer));
        const { changes } = answer.value.values;
        assert.deepEqual(
          changes.map(({ property, before, after, event, time }) => [property, before, after, event, time]),
          [
            ['state', undefined, 'draft', undefined, undefined],
            ['price', undefined, '5', undefined, undefined],
            // At the time of an event it is the event that shows the change.
            ['state', 'draft', 'placed', 1, undefined],
            ['price', '5', '6', 1, undefined],
            ['state', 'placed', 'paid', undefined, '2024-01-03T00:00:00Z'],
            ['price', '6', '8', undefined, '2024-01-03T00:00:00Z'],
          ],
        );
      } finally {
        await graphs.close();
      }
    }));

  it('stop an import if a time is invalid, with the row and a remedy', () =>
    withProject(
      { ...files, 'states.csv': 'order,since,state,price\no1,soon,draft,5\no2,2024-01-01,new,1\n' },
      async (project) => {
        const { status, error } = await project.import();
        assert.equal(status, 'failed');
        assert.equal(error?.code, 'type-mismatch');
        assert.equal(error?.message, 'Row 1 of "States" has "soon" in since, which is not a timestamp.');
      },
    ));

  it('need a column that holds times', () =>
    withProject(
      { ...files, 'graph.entity.yaml': validFrom.replace('validFrom: since', 'validFrom: price') },
      async (project) => {
        const { error } = await project.import();
        assert.equal(error?.code, 'timestamp-type');
        assert.match(error?.message ?? '', /"price" is of type BIGINT, which holds no time/);
      },
    ));
});

/** In the form of the example of the OCEL 2.0 specification: values that change while no event happens. */
const exampleLog = {
  objectTypes: [
    {
      name: 'Invoice',
      attributes: [
        { name: 'is_blocked', type: 'string' },
        { name: 'total', type: 'float' },
      ],
    },
    { name: 'Vendor', attributes: [] },
  ],
  eventTypes: [{ name: 'Insert Invoice', attributes: [{ name: 'inserter', type: 'string' }] }],
  objects: [
    {
      id: 'R1',
      type: 'Invoice',
      attributes: [
        { name: 'is_blocked', value: 'No', time: '1970-01-01T00:00:00Z' },
        { name: 'total', value: '12.5', time: '1970-01-01T00:00:00Z' },
        { name: 'is_blocked', value: 'Yes', time: '2022-02-03T07:30:00Z' },
        { name: 'is_blocked', value: 'No', time: '2022-02-03T23:30:00Z' },
        { name: 'total', value: '14.5', time: '2022-02-03T23:30:00Z' },
      ],
      relationships: [{ objectId: 'V1', qualifier: 'from' }],
    },
    // Without a value from the start, and an attribute that begins later.
    {
      id: 'R2',
      type: 'Invoice',
      attributes: [
        { name: 'is_blocked', value: 'Yes', time: '2022-02-01T10:00:00Z' },
        { name: 'total', value: '3.0', time: '2022-02-05T10:00:00Z' },
      ],
    },
    { id: 'V1', type: 'Vendor' },
  ],
  events: [
    {
      id: 'e1',
      type: 'Insert Invoice',
      time: '2022-02-02T16:00:00Z',
      attributes: [{ name: 'inserter', value: 'Luis' }],
      relationships: [{ objectId: 'R1', qualifier: 'Invoice created' }],
    },
    {
      id: 'e2',
      type: 'Insert Invoice',
      time: '2022-02-06T16:00:00Z',
      attributes: [],
      relationships: [{ objectId: 'R2', qualifier: 'Invoice created' }],
    },
  ],
};

describe('an OCEL log with values that no event carries', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({ 'log.json': JSON.stringify(exampleLog) });
  });
  after(() => removeFolder(folder));

  const forms: readonly OcelForm[] = ['ocel-json', 'ocel-xml', 'ocel-sqlite'];
  for (const form of forms) {
    it(`is exported with all of these values, and the export is identical after another import: ${form}`, async () => {
      const first = join(folder, `first.${form}`);
      await withLogProject('ocel', join(folder, 'log.json'), async ({ graph }) => {
        const { status, error, warnings } = await importAt(graph);
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(warnings, []);
        await exportAt(graph, form, first);
        if (form !== 'ocel-json') return;
        const { objects } = JSON.parse(await readFile(first, 'utf8')) as typeof exampleLog;
        const valuesOf = (id: string, all: typeof objects) =>
          all
            .find((each) => each.id === id)
            ?.attributes?.map(({ name, value, time }) => `${time.slice(0, 19)} ${name}=${Number(value) || value}`)
            .toSorted();
        for (const id of ['R1', 'R2']) {
          assert.deepEqual(valuesOf(`Invoice:${id}`, objects), valuesOf(id, exampleLog.objects as typeof objects), id);
        }
      });
      await withLogProject('ocel', first, async (project) => {
        const { status, error } = await importAt(project.graph);
        assert.equal(status, 'imported', error?.message);
        const second = await exportAt(project.graph, form, join(project.folder, `second.${form}`));
        const { differences } = await logDifference([first, second], form);
        assert.deepEqual(differences, []);
      });
    });
  }
});
