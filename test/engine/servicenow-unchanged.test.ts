import assert from 'node:assert/strict';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import { insertRecord, type Instance } from '../simulator/instance.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { graphText, withProject } from '../support/import-text.ts';
import { instanceSettings, withInstance } from '../support/servicenow-source.ts';

/** One row per table of the graph, with its filter. */
const imported: readonly (readonly [table: string, start: string, more?: string])[] = [
  ['incident', 'opened_at', ', where: "state IN (1, 2)", properties: all'],
  ['problem', 'opened_at', ', changeTimestamp: sys_updated_on'],
  ['change_request', 'opened_at', ", where: type = 'normal'"],
  ['task', 'opened_at', ", where: sys_class_name <> 'incident'"],
  ['task_ci', 'sys_created_on'],
  ['cmdb_ci', 'sys_created_on', ", where: name LIKE 'server%'"],
  ['sys_user', 'sys_created_on'],
  ['sys_user_group', 'sys_created_on'],
  ['sys_audit', 'sys_created_on', ", key: documentkey, where: tablename = 'incident' AND fieldname = 'state'"],
];

/** Requests that find out whether the dictionary has changed: its tables, columns, choices and labels. */
const ofDictionary = 4;

/** Requests that find out whether database views have changed, if some names are not tables. */
const ofViews = 3;

function projectFiles(simulator: Simulator, settings: object = {}): Record<string, string> {
  const elements = imported.map(
    ([table, start, more = '']) =>
      `  - { activityName: Record ${table}, dataObject: ${table}, startTimestamp: ${start}${more} }\n`,
  );
  const source = instanceSettings(simulator, {
    tables: imported.map(([table]) => table),
    ...{ incremental: true, pageSize: 1000 },
    ...settings,
  });
  return {
    'entity-sources.json': JSON.stringify({ version: 1, dataSources: { shop: source } }),
    'graph.entity.yaml': graphText(elements.join('')),
  };
}

const rowsOfAll = `SELECT 'entity', entity_type, key, NULL FROM entity UNION ALL
  SELECT activity, lifecycle, CAST(time AS VARCHAR), CAST(entity_id AS VARCHAR) FROM event ORDER BY ALL`;

describe('ServiceNow incremental import without changes', () => {
  it('sends two requests per table, and one for each of four dictionary tables', async () => {
    const simulator = await startSimulator({ incidents: 120 });
    try {
      await withProject(projectFiles(simulator), async (project) => {
        const first = await project.import();
        assert.equal(first.status, 'imported', first.error?.message);
        const rows = await project.rows(rowsOfAll);
        for (let time = 0; time < 3; time += 1) {
          const before = simulator.requests.length;
          const next = await project.import();
          assert.deepEqual([next.status, next.warnings], ['imported', first.warnings]);
          const sent = simulator.requests.slice(before);
          const told = sent
            .map(({ path, parameters }) => `${path}?${parameters.get('sysparm_query') ?? ''}`)
            .join('\n');
          assert.equal(sent.length, ofDictionary + 2 * imported.length, told);
          for (const [table] of imported)
            assert.equal(sent.filter(({ path }) => path.endsWith(`/${table}`)).length, 2, `${table}\n${told}`);
          assert.deepEqual(await project.rows(rowsOfAll), rows);
        }
      });
    } finally {
      await simulator.close();
    }
  });

  it('sends as many requests when time literals are not UTC', async () => {
    for (const literalHours of [-8, 9]) {
      const simulator = await startSimulator({ incidents: 60 });
      simulator.instance.settings.literalHours = literalHours;
      try {
        await withProject(projectFiles(simulator), async (project) => {
          await project.import();
          // The first incremental import finds the zone for tables that are read without filter.
          await project.import();
          const before = simulator.requests.length;
          assert.equal((await project.import()).status, 'imported');
          assert.equal(simulator.requests.length - before, ofDictionary + 2 * imported.length, `${literalHours} hours`);
        });
      } finally {
        await simulator.close();
      }
    }
  });

  it('reads the whole dictionary and all tables on request', async () => {
    const simulator = await startSimulator({ incidents: 60 });
    try {
      await withProject(projectFiles(simulator), async (project) => {
        await project.import();
        const before = simulator.requests.length;
        assert.equal((await project.import({ request: { kind: 'build', isFull: true } })).status, 'imported');
        const sent = simulator.requests.slice(before);
        assert.ok(sent.some(({ path }) => path.endsWith('/table/sys_dictionary')));
        assert.ok(sent.length > 50, `${sent.length} requests`);
      });
    } finally {
      await simulator.close();
    }
  });
});

const later = '2024-06-01 10:00:00';

function rowOf({ data }: Instance, table: string, isMeant: (row: SimulatedRecord) => boolean): SimulatedRecord {
  const found = data.get(table)?.find(isMeant);
  assert.ok(found);
  return found;
}

function remove({ data }: Instance, table: string, isMeant: (row: SimulatedRecord) => boolean): void {
  const rows = data.get(table) ?? [];
  rows.splice(rows.findIndex(isMeant), 1);
}

const isCategory = ({ name, element }: SimulatedRecord): boolean => name === 'incident' && element === 'category';
const isNew = ({ name, element, value, language }: SimulatedRecord): boolean =>
  name === 'incident' && element === 'state' && value === '1' && language === 'en';

/** One row per change of the dictionary. */
const changes: readonly (readonly [what: string, change: (instance: Instance) => void])[] = [
  [
    'a column with another label',
    (instance) =>
      Object.assign(rowOf(instance, 'sys_dictionary', isCategory), { column_label: 'Kind', sys_updated_on: later }),
  ],
  [
    'a column of another type, changed by an update that keeps its original time',
    (instance) =>
      Object.assign(rowOf(instance, 'sys_dictionary', isCategory), { internal_type: 'integer', sys_mod_count: '1' }),
  ],
  [
    'a new column',
    (instance) =>
      insertRecord(instance, 'sys_dictionary', {
        ...rowOf(instance, 'sys_dictionary', isCategory),
        ...{ element: 'u_own', column_label: 'Own', sys_updated_on: '2020-01-01 00:00:00' },
      }),
  ],
  ['a column that is gone', (instance) => remove(instance, 'sys_dictionary', isCategory)],
  [
    'a column that an ancestor has lost',
    (instance) => remove(instance, 'sys_dictionary', ({ name, element }) => name === 'task' && element === 'due_date'),
  ],
  [
    'a column that replaces another one at the same time',
    (instance) => {
      const column = rowOf(instance, 'sys_dictionary', isCategory);
      remove(instance, 'sys_dictionary', isCategory);
      insertRecord(instance, 'sys_dictionary', { ...column, element: 'u_other', sys_updated_on: later });
    },
  ],
  [
    'a table with another label',
    (instance) =>
      Object.assign(
        rowOf(instance, 'sys_db_object', ({ name }) => name === 'incident'),
        { label: 'Case', sys_mod_count: '1', sys_updated_on: later },
      ),
  ],
  [
    'a table that no longer extends another one',
    (instance) =>
      Object.assign(
        rowOf(instance, 'sys_db_object', ({ name }) => name === 'problem'),
        { super_class: '', sys_mod_count: '1', sys_updated_on: later },
      ),
  ],
  [
    'a choice with another label',
    (instance) => Object.assign(rowOf(instance, 'sys_choice', isNew), { label: 'Fresh', sys_updated_on: later }),
  ],
  ['a choice that is gone', (instance) => remove(instance, 'sys_choice', isNew)],
  [
    'a choice that is no longer offered',
    (instance) => Object.assign(rowOf(instance, 'sys_choice', isNew), { inactive: 'true', sys_mod_count: '1' }),
  ],
  [
    'a column behind a reference',
    (instance) =>
      Object.assign(
        rowOf(instance, 'sys_dictionary', ({ name, element }) => name === 'sys_user' && element === 'name'),
        { column_label: 'Full name', sys_updated_on: later },
      ),
  ],
];

/** One row per change of a database view. */
const viewChanges: readonly (readonly [what: string, change: (instance: Instance) => void])[] = [
  [
    'a view with another label',
    (instance) =>
      Object.assign(
        rowOf(instance, 'sys_db_view', ({ name }) => name === 'incident_metric'),
        { label: 'Metrics', sys_updated_on: later },
      ),
  ],
  [
    'another prefix in a view',
    (instance) =>
      Object.assign(
        rowOf(instance, 'sys_db_view_table', ({ variable_prefix: prefix }) => prefix === 'md'),
        { variable_prefix: 'def', sys_mod_count: '1' },
      ),
  ],
  [
    'a table that a view no longer joins',
    (instance) => remove(instance, 'sys_db_view_table', ({ variable_prefix: prefix }) => prefix === 'md'),
  ],
  [
    'a column that a view no longer shows',
    (instance) => remove(instance, 'sys_db_view_table_field', ({ field }) => field === 'priority'),
  ],
  [
    'a column of a table that a view joins',
    (instance) =>
      remove(instance, 'sys_dictionary', ({ name, element }) => name === 'metric_instance' && element === 'duration'),
  ],
];

/** A catalog without its time of reading. */
function contentOf({ objects, warnings, complete }: Catalog): unknown {
  // The number of records is not read again.
  return { warnings, complete, objects: objects.map(({ statistics: _, ...object }) => object) };
}

const incremental = {
  tables: ['incident', 'problem'],
  incremental: true,
  dotWalked: { incident: ['caller_id.name'] },
};

describe('ServiceNow cached catalog', () => {
  it('is valid until something changes', async () => {
    await withInstance({ incidents: 10, settings: incremental }, async (connector, simulator) => {
      const known = await connector.describe({});
      const before = simulator.requests.length;
      const reused = await connector.describe({ known, mayReuse: true });
      assert.deepEqual({ ...reused, readAt: '' }, { ...known, readAt: '' });
      assert.ok(reused.readAt >= known.readAt);
      assert.equal(simulator.requests.length - before, ofDictionary);
    });
  });

  for (const [what, change] of changes) {
    it(`is read again when there is ${what}`, async () => {
      await withInstance({ incidents: 10, settings: incremental }, async (connector, { instance }) => {
        const known = await connector.describe({});
        change(instance);
        const next = await connector.describe({ known, mayReuse: true });
        assert.notDeepEqual(contentOf(next), contentOf(known));
        assert.deepEqual(contentOf(next), contentOf(await connector.describe({})));
      });
    });
  }

  const views = { ...incremental, tables: ['incident', 'incident_metric', 'u_incident_states'] };
  for (const [what, change] of viewChanges) {
    it(`is read again when there is ${what}`, async () => {
      await withInstance({ incidents: 10, settings: views }, async (connector, simulator) => {
        const known = await connector.describe({});
        const before = simulator.requests.length;
        await connector.describe({ known, mayReuse: true });
        assert.equal(simulator.requests.length - before, ofDictionary + ofViews);
        change(simulator.instance);
        const next = await connector.describe({ known, mayReuse: true });
        assert.notDeepEqual(contentOf(next), contentOf(known));
        assert.deepEqual(contentOf(next), contentOf(await connector.describe({})));
      });
    });
  }

  it('is read again when a separately stored label changed', async () => {
    await withInstance({ incidents: 10, settings: incremental }, async (connector, simulator) => {
      const known = await connector.describe({});
      Object.assign(rowOf(simulator.instance, 'sys_documentation', isCategory), {
        label: 'Kind',
        sys_updated_on: later,
      });
      const before = simulator.requests.length;
      await connector.describe({ known, mayReuse: true });
      assert.ok(simulator.requests.length - before > ofDictionary);
    });
  });

  it('is read again when a standard table was added', async () => {
    const settings = { ...incremental, tables: undefined };
    await withInstance({ incidents: 10, settings }, async (connector, { instance }) => {
      const rows = instance.data.get('sys_db_object') ?? [];
      const at = rows.findIndex(({ name }) => name === 'sys_user_group');
      const [group] = rows.splice(at, 1);
      const known = await connector.describe({});
      rows.push(group as SimulatedRecord);
      const next = await connector.describe({ known, mayReuse: true });
      const names = ({ objects }: Catalog) => objects.map(({ name }) => name);
      assert.deepEqual(
        [names(known).includes('sys_user_group'), names(next).includes('sys_user_group')],
        [false, true],
      );
    });
  });

  it('is read again when a table changed during the read', async () => {
    await withInstance({ incidents: 10, settings: incremental }, async (connector, simulator) => {
      const { instance } = simulator;
      simulator.onRequest = ({ path }) => {
        if (!path.endsWith('/stats/sys_db_object')) return;
        const stamp = { label: 'Case', sys_mod_count: '1', sys_updated_on: later };
        Object.assign(
          rowOf(instance, 'sys_db_object', ({ name }) => name === 'incident'),
          stamp,
        );
      };
      const known = await connector.describe({});
      const next = await connector.describe({ known, mayReuse: true });
      assert.equal(next.objects[0]?.comment, 'Case');
    });
  });

  /** One row per reason to read again though the dictionary is unchanged. */
  const reasons: readonly (readonly [
    what: string,
    settings: Readonly<Record<string, unknown>>,
    describe: object,
    prepare?: (instance: Instance) => void,
  ])[] = [
    ['somebody asks for it', incremental, { mayReuse: false }],
    ['imports read all', { ...incremental, incremental: false }, { mayReuse: true }],
    [
      'the instance tells nothing of it',
      incremental,
      { mayReuse: true },
      ({ settings }) => {
        settings.statsForbidden = true;
        settings.mayRead = (table, { element }) => table !== 'sys_dictionary' || element !== 'category';
      },
    ],
  ];
  for (const [what, settings, describe, prepare] of reasons) {
    it(`is read again when ${what}`, async () => {
      await withInstance({ incidents: 10, settings }, async (connector, simulator) => {
        prepare?.(simulator.instance);
        const known = await connector.describe({});
        const before = simulator.requests.length;
        await connector.describe({ known, ...describe });
        const read = simulator.requests.slice(before).filter(({ path }) => path.endsWith('/table/sys_dictionary'));
        assert.ok(read.length > 0);
      });
    });
  }

  it('is read again for another user', async () => {
    await withInstance({ incidents: 10, settings: incremental }, async (connector, simulator) => {
      const known = await connector.describe({});
      simulator.logins.user = 'somebody else';
      const auth = { kind: 'basic', user: 'somebody else', password: simulator.logins.password };
      await withInstance({ incidents: 10, settings: { ...incremental, auth } }, async (other, elsewhere) => {
        elsewhere.logins.user = 'somebody else';
        await other.describe({ known, mayReuse: true });
        assert.ok(elsewhere.requests.length > ofDictionary);
      });
    });
  });

  it('always derives endpoints from their current responses', async () => {
    const scripted = [{ name: 'outages', namespace: 'x_acme', api: 'ops', path: '/outages', key: 'id' }];
    await withInstance({ incidents: 10, settings: { ...incremental, scripted } }, async (connector, simulator) => {
      const known = await connector.describe({});
      simulator.failNext(
        { kind: 'answer', body: '{"result": [{"id": 1, "fresh": true}]}' },
        {
          on: ({ path }) => path.endsWith('/outages'),
        },
      );
      const { objects } = await connector.describe({ known, mayReuse: true });
      const names = objects.find(({ name }) => name === 'outages')?.columns.map(({ name }) => name);
      assert.deepEqual(names, ['id', 'fresh']);
    });
  });

  it('a recovered endpoint leaves no trace of its failure', async () => {
    const scripted = [{ name: 'outages', namespace: 'x_acme', api: 'ops', path: '/outages', key: 'id' }];
    await withInstance({ incidents: 10, settings: { ...incremental, scripted } }, async (connector, simulator) => {
      const whole = await connector.describe({});
      simulator.failNext({ kind: 'status', status: 403 }, { times: 1, on: ({ path }) => path.endsWith('/outages') });
      const without = await connector.describe({});
      assert.deepEqual(
        [without.complete, without.undescribed?.map(({ name }) => name), without.warnings.length],
        [false, ['outages'], 1],
      );
      const next = await connector.describe({ known: without, mayReuse: true });
      assert.deepEqual({ ...next, readAt: '' }, { ...whole, readAt: '' });
    });
  });

  it('a recovered endpoint keeps warnings about tables', async () => {
    const scripted = [{ name: 'outages', namespace: 'x_acme', api: 'ops', path: '/outages', key: 'id' }];
    const settings = { ...incremental, tables: ['incident', 'problem', 'u_nowhere'], scripted };
    await withInstance({ incidents: 10, settings }, async (connector, simulator) => {
      const whole = await connector.describe({});
      assert.deepEqual(
        whole.undescribed?.map(({ name }) => name),
        ['u_nowhere'],
      );
      simulator.failNext({ kind: 'status', status: 403 }, { times: 1, on: ({ path }) => path.endsWith('/outages') });
      const without = await connector.describe({});
      const next = await connector.describe({ known: without, mayReuse: true });
      assert.deepEqual({ ...next, readAt: '' }, { ...whole, readAt: '' });
    });
  });

  it('is not outdated any more when the dictionary is readable again and unchanged', async () => {
    await withInstance({ incidents: 10, settings: incremental }, async (connector, simulator) => {
      const whole = await connector.describe({});
      const isColumns = ({ path }: { readonly path: string }) => path.endsWith('/table/sys_dictionary');
      simulator.failNext({ kind: 'cancelled' }, { times: Infinity, on: isColumns });
      const outdated = await connector.describe({ known: whole });
      assert.notEqual(outdated.outdatedBecause, undefined);
      const next = await connector.describe({ known: outdated, mayReuse: true });
      assert.deepEqual({ ...next, readAt: '' }, { ...whole, readAt: '' });
    });
  });

  it('is read again when the instance cancelled the query for database views', async () => {
    const settings = { ...incremental, tables: ['incident', 'incident_metric'] };
    await withInstance({ incidents: 10, settings }, async (connector, simulator) => {
      const whole = await connector.describe({});
      let isBusy = true;
      simulator.failNext(
        { kind: 'cancelled' },
        { times: Infinity, on: ({ path }) => isBusy && path.endsWith('/table/sys_db_view') },
      );
      const without = await connector.describe({});
      assert.notEqual(without.outdatedBecause, undefined);
      isBusy = false;
      const next = await connector.describe({ known: without, mayReuse: true });
      assert.deepEqual(contentOf(next), contentOf(whole));
    });
  });
});
