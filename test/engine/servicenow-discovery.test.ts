import assert from 'node:assert/strict';
import { findColumn, findDataObject, type Catalog } from '../../server/src/catalog/catalog.ts';
import { withInstance, type SourceOptions } from '../support/servicenow-source.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { Simulator } from '../simulator/simulator.ts';

async function catalogOf(options: SourceOptions, prepare: (simulator: Simulator) => void = () => undefined) {
  return withInstance({ incidents: 30, ...options }, async (connector, simulator) => {
    prepare(simulator);
    return { catalog: await connector.describe({}), simulator };
  });
}

function column(catalog: Catalog, object: string, name: string) {
  const found = findDataObject(catalog, object);
  return found && findColumn(found, name);
}

/** One row per column: its type, its uses and the platform's type. */
const typed: readonly (readonly [object: string, column: string, type: string, sense: string, sourceType: string])[] = [
  ['incident', 'sys_id', 'VARCHAR', 'text', 'GUID'],
  ['incident', 'opened_at', 'TIMESTAMP WITH TIME ZONE', 'timestamp', 'glide_date_time'],
  ['incident', 'due_date', 'TIMESTAMP WITH TIME ZONE', 'timestamp', 'due_date'],
  ['incident', 'state', 'BIGINT', 'integer', 'integer'],
  ['incident', 'active', 'BOOLEAN', 'boolean', 'boolean'],
  ['incident', 'calendar_duration', 'BIGINT', 'integer', 'glide_duration'],
  ['incident', 'watch_list', 'VARCHAR', 'text', 'glide_list'],
  ['incident', 'resolved_at', 'TIMESTAMP WITH TIME ZONE', 'timestamp', 'glide_date_time'],
  ['cmdb_ci', 'install_date', 'DATE', 'date', 'glide_date'],
  ['cmdb_ci', 'cost', 'DECIMAL(20,4)', 'number', 'decimal'],
];

describe('ServiceNow discovery', () => {
  it('lists own and inherited columns with types, labels and references', async () => {
    const { catalog, simulator } = await catalogOf({});
    assert.deepEqual([catalog.complete, catalog.warnings, catalog.dialect], [true, [], 'duckdb']);
    for (const [object, name, type, sense, sourceType] of typed) {
      const found = column(catalog, object, name);
      assert.deepEqual([found?.type, found?.sense, found?.sourceType], [type, sense, sourceType], `${object}.${name}`);
    }
    const incident = findDataObject(catalog, 'incident');
    assert.deepEqual(
      [incident?.comment, incident?.primaryKey, incident?.statistics.rowEstimate],
      ['Incident', ['sys_id'], 30],
    );
    assert.deepEqual(column(catalog, 'incident', 'problem_id')?.references, {
      dataObject: 'problem',
      column: 'sys_id',
    });
    assert.equal(column(catalog, 'incident', 'problem_id')?.comment, 'Problem id → problem');
    // A reference to a table that is no data object suggests no join.
    assert.equal(column(catalog, 'incident', 'assignment_group')?.references, undefined);
    // Journals are not in the row, and passwords are never read.
    assert.equal(column(catalog, 'incident', 'work_notes'), undefined);
    assert.equal(column(catalog, 'sys_user', 'user_password'), undefined);
    const asked = simulator.requests.filter(({ path }) => path.endsWith('/sys_dictionary'));
    assert.ok(asked.length <= 4, `${asked.length} requests for the dictionary`);
  });

  it('lists choice values, those of the table before those of its ancestor', async () => {
    const { catalog } = await catalogOf({ settings: { tables: ['incident', 'problem', 'sys_audit'] } });
    const values = (object: string, name: string) =>
      column(catalog, object, name)?.values?.map(({ value, label }) => `${value} ${label ?? ''}`.trim());
    const states = ['1 New', '2 In Progress', '3 On Hold', '6 Resolved', '7 Closed'];
    assert.deepEqual(values('incident', 'state'), states);
    assert.deepEqual(values('problem', 'state'), ['1 Open', '3 Closed']);
    assert.equal(values('incident', 'number'), undefined);
    assert.deepEqual(values('sys_audit', 'tablename'), ['incident', 'problem', 'sys_audit']);
    const hidden = await catalogOf(
      {},
      ({ instance }) => (instance.settings.mayRead = (table) => table !== 'sys_choice'),
    );
    assert.equal(column(hidden.catalog, 'incident', 'state')?.values, undefined);
  });

  it('lists columns behind references with the types of their own table', async () => {
    const paths = ['caller_id.name', 'caller_id.manager', 'problem_id.opened_at', 'assignment_group.manager.email'];
    const wrong = ['caller_id.nam', 'number.x'];
    const dotWalked = { incident: [...paths, ...wrong] };
    const { catalog } = await catalogOf({ settings: { tables: ['incident', 'sys_user'], dotWalked } });
    const found = paths.map((path) => {
      const { type, comment, references } = column(catalog, 'incident', path) ?? {};
      return [type, comment, references?.dataObject];
    });
    assert.deepEqual(found, [
      ['VARCHAR', 'Caller id › Name', undefined],
      ['VARCHAR', 'Caller id › Manager → sys_user', 'sys_user'],
      ['TIMESTAMP WITH TIME ZONE', 'Problem id › Opened at', undefined],
      ['VARCHAR', 'Assignment group › Manager › Email', undefined],
    ]);
    assert.deepEqual(catalog.warnings, [
      'The column caller_id.nam of incident is not there: sys_user has no column nam. Did you mean name?',
      'The column number.x of incident is not there: number of incident is not a reference.',
    ]);
  });

  it('falls back to the columns of sample records when the dictionary is not readable', async () => {
    const { catalog } = await catalogOf({ settings: { tables: ['incident'] } }, ({ instance }) => {
      instance.settings.mayRead = (table) => table !== 'sys_dictionary' && table !== 'sys_db_object';
    });
    assert.equal(column(catalog, 'incident', 'opened_at')?.sense, 'timestamp');
    assert.equal(column(catalog, 'incident', 'state')?.type, 'VARCHAR');
    assert.deepEqual(findDataObject(catalog, 'incident')?.primaryKey, ['sys_id']);
    assert.match(
      catalog.warnings[0] ?? '',
      /^The user may not read the dictionary of incident: its columns are those of/,
    );
  });

  const partly = { tables: ['incident', 'sys_user'] };
  for (const counting of [{ statsCounts: 'all' }, { statsCounts: 'readable' }, { statsForbidden: true }]) {
    it(`finds columns that the dictionary hides from the user, ${JSON.stringify(counting)}`, async () => {
      const hidden = ['category', 'opened_at', 'short_description'];
      const { catalog } = await catalogOf({ settings: partly }, ({ instance }) => {
        const mayRead = (table: string, { element = '' }: SimulatedRecord): boolean =>
          table !== 'sys_dictionary' || !hidden.includes(element);
        Object.assign(instance.settings, { ...counting, mayRead });
      });
      assert.deepEqual(catalog.warnings, [
        'The user may not read what the dictionary says of these columns of incident, and most are taken for texts: category, opened_at, short_description.',
      ]);
      assert.equal(catalog.complete, false);
      assert.deepEqual(
        [...hidden, 'state'].map((name) => column(catalog, 'incident', name)?.type),
        ['VARCHAR', 'TIMESTAMP WITH TIME ZONE', 'VARCHAR', 'BIGINT'],
      );
    });
  }

  it('reports how much of the dictionary is hidden when no record shows it', async () => {
    const { catalog } = await catalogOf({ settings: partly }, ({ instance }) => {
      instance.settings.mayRead = (table, { element = '' }) => table !== 'sys_dictionary' || !/^ca/.test(element);
      instance.settings.hiddenFields = new Set(
        ['category', 'calendar_duration', 'caller_id', 'caused_by'].map((name) => `incident.${name}`),
      );
    });
    assert.deepEqual(catalog.warnings, [
      'The user may not read 4 of the entries that the dictionary has of incident and the tables that it extends: columns may be unknown.',
    ]);
    assert.equal(catalog.complete, false);
  });

  it('describes a table without readable records with unknown columns', async () => {
    const { catalog } = await catalogOf({ settings: { tables: ['incident'] } }, ({ instance }) => {
      instance.settings.mayRead = () => false;
    });
    assert.deepEqual([catalog.complete, findDataObject(catalog, 'incident')?.columns], [false, []]);
    assert.equal(findDataObject(catalog, 'incident')?.statistics.rowEstimate, 30);
  });

  it('omits row estimates when counting is refused', async () => {
    const { catalog } = await catalogOf({ settings: { tables: ['incident'] } }, ({ instance }) => {
      instance.settings.statsForbidden = true;
      instance.settings.mayRead = (table, record) => table !== 'incident' || record['state'] !== '1';
    });
    assert.equal(findDataObject(catalog, 'incident')?.statistics.rowEstimate, undefined);
  });

  it('names a missing table, and lists the others', async () => {
    const { catalog } = await catalogOf({ settings: { tables: ['incident', 'nothing'] } });
    assert.deepEqual([catalog.complete, catalog.warnings], [false, ['The instance has no table nothing.']]);
    await assert.rejects(catalogOf({ settings: { tables: ['nothing'] } }), { code: 'object-missing' });
  });

  it('lists the standard tables when none are configured', async () => {
    const { catalog } = await catalogOf({ settings: { tables: undefined } });
    assert.ok(findDataObject(catalog, 'incident') && findDataObject(catalog, 'task'));
    assert.deepEqual([catalog.complete, catalog.warnings], [false, []]);
  });

  it('has separate columns for display values of references and choices', async () => {
    const { catalog } = await catalogOf({ settings: { displayValue: 'all' } });
    assert.equal(column(catalog, 'incident', 'dv_assigned_to')?.type, 'VARCHAR');
    assert.equal(column(catalog, 'incident', 'assigned_to')?.sourceType, 'reference');
    const shown = await catalogOf({ settings: { displayValue: true } });
    assert.equal(column(shown.catalog, 'incident', 'problem_id')?.references, undefined);
    assert.equal(column(shown.catalog, 'incident', 'opened_at')?.sense, 'timestamp');
  });

  it('derives the columns of scripted endpoints from their responses', async () => {
    const outages = {
      name: 'outages',
      namespace: 'x_acme',
      api: 'ops',
      path: '/outages',
      records: 'result',
      key: 'id',
    };
    const { catalog } = await catalogOf({ settings: { scripted: [outages] } });
    const found = findDataObject(catalog, 'outages');
    assert.deepEqual(
      found?.columns.map(({ name, type }) => `${name} ${type}`),
      ['id BIGINT', 'ci VARCHAR', 'began TIMESTAMP WITH TIME ZONE', 'minutes BIGINT', 'planned BOOLEAN'],
    );
    assert.deepEqual([found?.kind, found?.primaryKey], ['endpoint', ['id']]);
  });

  it('stops on cancellation', async () => {
    await withInstance({ incidents: 5 }, async (connector) => {
      const controller = new AbortController();
      const reason = new Error('stopped');
      const described = connector.describe({ signal: controller.signal });
      controller.abort(reason);
      await assert.rejects(described, reason);
    });
  });
});

/** One row per state of an instance: the findings of its diagnosis beside what is fine, and whether imports fail. */
const found: readonly (readonly [
  what: string,
  prepare: (simulator: Simulator) => void,
  warnings: readonly RegExp[],
  state?: 'warning' | 'failed',
])[] = [
  ['an instance as it should be', () => undefined, []],
  [
    'a dictionary that is not readable',
    ({ instance }) => (instance.settings.mayRead = (table) => table !== 'sys_dictionary'),
    [/may not read what the dictionary says of incident/],
  ],
  [
    'records that are hidden',
    ({ instance }) =>
      (instance.settings.mayRead = (table, { number }) => table !== 'incident' || number !== 'INC0000003'),
    [/Of the first 100 records of incident the user may read 99/],
    'failed',
  ],
  [
    'records that are hidden before pages are filled and counted',
    ({ instance }) => {
      const mayRead = (table: string, { number = '' }) => table !== 'incident' || !/^INC000000[1-5]$/.test(number);
      Object.assign(instance.settings, { pageCounts: 'readable', limitAfterAcl: true, mayRead });
    },
    [/The instance counts 110 records of incident, but lists only 105 for the user/],
    'failed',
  ],
  [
    'no right to compare',
    ({ instance }) => (instance.settings.queryRange = false),
    [/ignores comparisons of sys_id/],
    'failed',
  ],
  [
    'time literals in another zone',
    ({ instance }) => (instance.settings.literalHours = -5),
    [/does not read literal times/],
  ],
];

describe('ServiceNow diagnosis', () => {
  for (const [what, prepare, warnings, expectedState = 'warning'] of found) {
    it(`reports ${what}`, async () => {
      await withInstance(
        { incidents: 110, settings: { tables: ['sys_audit', 'incident'] } },
        async (connector, simulator) => {
          prepare(simulator);
          const checks = (await connector.diagnose?.({})) ?? [];
          assert.equal(checks[0]?.name, 'Credentials');
          const others = checks.filter(({ state }) => state !== 'ok');
          assert.equal(others.length, warnings.length, JSON.stringify(others));
          others.forEach(({ message, remedy, state }, index) => {
            assert.match(message, warnings[index] ?? /^$/);
            assert.equal(state, expectedState);
            assert.ok(remedy);
          });
        },
      );
    });
  }

  it('only warns about hidden records when incomplete imports are accepted', async () => {
    const settings = { tables: ['incident'], onShortfall: 'warn' };
    await withInstance({ incidents: 20, settings }, async (connector, { instance }) => {
      instance.settings.mayRead = (table, { number }) => table !== 'incident' || number !== 'INC0000003';
      const checks = (await connector.diagnose?.({})) ?? [];
      const [hidden, ...others] = checks.filter(({ state }) => state !== 'ok');
      assert.deepEqual(others, []);
      assert.equal(hidden?.state, 'warning');
      assert.match(hidden.message, /the user may read 19: imports are short, as onShortfall allows\.$/);
    });
  });

  it('names the reason of a failed login', async () => {
    const auth = { kind: 'basic', user: 'analyst', password: 'wrong-secret' };
    await withInstance({ incidents: 1, settings: { auth } }, async (connector) => {
      await assert.rejects(connector.diagnose?.({}) ?? Promise.resolve(), { code: 'authentication-failed' });
    });
  });
});
