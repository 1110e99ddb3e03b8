import assert from 'node:assert/strict';
import { utcText, type SimulatedRecord } from '../simulator/demo-data.ts';
import { deleteRecord, insertRecord } from '../simulator/instance.ts';
import type { Simulator } from '../simulator/simulator.ts';
import {
  expectedIncidents,
  importIncrementally,
  incidentElement,
  withIncrementalImport,
  type IncrementalImport,
} from '../support/incremental-imports.ts';

const incidents = ({ instance }: Simulator): SimulatedRecord[] => instance.data.get('incident') ?? [];

function idsOf(records: readonly SimulatedRecord[]): readonly string[] {
  return records.map((record) => record['sys_id'] ?? '');
}

/** Deletes like users and scripts: audited deletions are recorded. */
function removeAll({ instance }: Simulator, records: readonly SimulatedRecord[]): void {
  for (const id of idsOf(records)) deleteRecord(instance, 'task', id);
}

function asked({ requests }: IncrementalImport, table: string): number {
  return requests.filter(({ path }) => path.endsWith(`/table/${table}`)).length;
}

/** Whether an import reused the rows of the previous one. */
function isPartial({ lists }: IncrementalImport, full: IncrementalImport): boolean {
  return lists < full.lists / 2;
}

const taskElement = {
  dataObject: 'task',
  body: '    startTimestamp: opened_at\n    properties: [number]\n',
  shown: ['sys_id', 'number'],
};

function expectedTasks({ instance }: Simulator): readonly string[] {
  const rows = ['task', 'incident', 'problem', 'change_request'].flatMap((name) => instance.data.get(name) ?? []);
  return rows.map((record) => `${record['sys_id']}|${record['number']}`).sort();
}

describe('ServiceNow incremental import › deleted records', () => {
  it('are found in the deletion trail without a full read', async () => {
    await withIncrementalImport(300, async (simulator, folder) => {
      const full = await importIncrementally(simulator, folder);
      removeAll(simulator, incidents(simulator).slice(10, 13));
      const next = await importIncrementally(simulator, folder);
      assert.deepEqual([next.rows, next.warnings], [expectedIncidents(simulator), []]);
      assert.ok(isPartial(next, full), `${full.lists} then ${next.lists} requests`);
      assert.equal(asked(next, 'sys_audit_delete'), 1);
      const unchanged = await importIncrementally(simulator, folder);
      assert.deepEqual([unchanged.rows, unchanged.requests.length], [expectedIncidents(simulator), 2]);
    });
  });

  it('are found together with changed and new records, and with a filter', async () => {
    for (const where of ['', '    where: state IN (1, 2)\n']) {
      await withIncrementalImport(300, async (simulator, folder) => {
        const isMeant = ({ state }: SimulatedRecord): boolean => where === '' || state === '1' || state === '2';
        const full = await importIncrementally(simulator, folder, { where });
        const [changed, ...others] = incidents(simulator);
        Object.assign(changed ?? {}, { state: '2', sys_updated_on: '2024-06-01 10:00:00' });
        insertRecord(simulator.instance, 'incident', { number: 'INC9', state: '1', sys_class_name: 'incident' });
        removeAll(simulator, others.slice(0, 20));
        const next = await importIncrementally(simulator, folder, { where });
        assert.deepEqual([next.rows, next.warnings], [expectedIncidents(simulator, isMeant), []]);
        if (where === '') assert.ok(isPartial(next, full), `${full.lists} then ${next.lists} requests`);
      });
    }
  });

  it('are found when they fill several pages', async () => {
    await withIncrementalImport(600, async (simulator, folder) => {
      const full = await importIncrementally(simulator, folder);
      removeAll(simulator, incidents(simulator).slice(100, 190));
      const next = await importIncrementally(simulator, folder);
      assert.deepEqual(next.rows, expectedIncidents(simulator));
      assert.ok(isPartial(next, full), `${full.lists} then ${next.lists} requests`);
      assert.ok(asked(next, 'sys_audit_delete') > 4);
    });
  });

  it('of a parent table are found under the names of its child tables', async () => {
    await withIncrementalImport(300, async (simulator, folder) => {
      const settings = { tables: ['task'] };
      const full = await importIncrementally(simulator, folder, { element: taskElement, settings });
      assert.deepEqual(full.rows, expectedTasks(simulator));
      removeAll(simulator, incidents(simulator).slice(5, 8));
      removeAll(simulator, simulator.instance.data.get('problem')?.slice(0, 2) ?? []);
      // Deletions in other tables do not matter to this read.
      deleteRecord(simulator.instance, 'task_ci', simulator.instance.data.get('task_ci')?.[0]?.['sys_id'] ?? '');
      const next = await importIncrementally(simulator, folder, { element: taskElement, settings });
      assert.deepEqual([next.rows, next.warnings], [expectedTasks(simulator), []]);
      assert.ok(isPartial(next, full), `${full.lists} then ${next.lists} requests`);
    });
  });

  it('of child classes are found when the table hierarchy is not readable', async () => {
    await withIncrementalImport(300, async (simulator, folder) => {
      const settings = { tables: ['task'] };
      const full = await importIncrementally(simulator, folder, { element: taskElement, settings });
      removeAll(simulator, incidents(simulator).slice(5, 8));
      const closed = { kind: 'status', status: 403 } as const;
      simulator.failNext(closed, { times: 10, on: ({ path }) => path.endsWith('/table/sys_db_object') });
      const next = await importIncrementally(simulator, folder, { element: taskElement, settings });
      assert.deepEqual([next.rows, next.warnings], [expectedTasks(simulator), []]);
      assert.ok(isPartial(next, full), `${full.lists} then ${next.lists} requests`);
    });
  });

  it('stay when they were restored, with a changed or an unchanged time of the last change', async () => {
    for (const more of [{}, { sys_updated_on: '2024-06-01 10:00:00' }]) {
      await withIncrementalImport(300, async (simulator, folder) => {
        const full = await importIncrementally(simulator, folder);
        const gone = incidents(simulator).slice(40, 44);
        removeAll(simulator, gone);
        const [restored] = gone;
        assert.ok(restored);
        incidents(simulator).push(Object.assign(restored, more));
        const next = await importIncrementally(simulator, folder);
        assert.deepEqual(next.rows, expectedIncidents(simulator));
        assert.ok(isPartial(next, full), `${full.lists} then ${next.lists} requests`);
        // Restored after an import has found it missing: the count notices.
        incidents(simulator).push(gone[1] ?? {});
        assert.deepEqual((await importIncrementally(simulator, folder)).rows, expectedIncidents(simulator));
      });
    }
  });

  it('are found by the record count when their deletion is not recorded', async () => {
    await withIncrementalImport(300, async (simulator, folder) => {
      const full = await importIncrementally(simulator, folder);
      const records = incidents(simulator);
      const restored = records[80];
      assert.ok(restored);
      removeAll(simulator, records.slice(80, 82));
      records.push(restored);
      // As many as the trail names wrongly: their number alone would prove nothing.
      simulator.instance.settings.auditsDeletes = () => false;
      removeAll(simulator, records.slice(0, 1));
      const next = await importIncrementally(simulator, folder);
      assert.deepEqual(next.rows, expectedIncidents(simulator));
      assert.ok(next.lists > full.lists * 0.8);
    });
  });

  const closures: readonly (readonly [what: string, close: (simulator: Simulator) => void])[] = [
    ['forbids it', (simulator) => fail(simulator, { kind: 'status', status: 403 })],
    ['cancels the query', (simulator) => fail(simulator, { kind: 'cancelled' })],
    ['hides its records', ({ instance: { settings } }) => (settings.mayRead = (table) => table !== 'sys_audit_delete')],
  ];
  for (const [what, close] of closures) {
    it(`are found by the record count, with a message, where the instance ${what}`, async () => {
      await withIncrementalImport(100, async (simulator, folder) => {
        const full = await importIncrementally(simulator, folder);
        close(simulator);
        assert.deepEqual((await importIncrementally(simulator, folder)).warnings, []);
        removeAll(simulator, incidents(simulator).slice(10, 13));
        const next = await importIncrementally(simulator, folder);
        assert.deepEqual(next.rows, expectedIncidents(simulator));
        assert.ok(next.lists > full.lists * 0.8);
        assert.deepEqual(next.warnings, [
          'Records of incident are gone since the import before, and sys_audit_delete, which names them, cannot be read: all of incident was read.',
        ]);
      });
    });
  }

  it('are found by the record count when the instance ignores the condition on keys', async () => {
    await withIncrementalImport(100, async (simulator, folder) => {
      await importIncrementally(simulator, folder);
      removeAll(simulator, incidents(simulator).slice(10, 13));
      const rest = JSON.stringify({ result: incidents(simulator).map(({ sys_id }) => ({ sys_id })) });
      simulator.failNext({ kind: 'answer', body: rest }, { on: ({ parameters }) => isPresence(parameters) });
      assert.deepEqual((await importIncrementally(simulator, folder)).rows, expectedIncidents(simulator));
    });
  });

  it('are found when the instance reads time literals in its own zone', async () => {
    for (const hours of [-8, 9]) {
      // More than are re-read because of time zones.
      await withIncrementalImport(3000, async (simulator, folder) => {
        const settings = { pageSize: 200 };
        simulator.instance.settings.literalHours = hours;
        const full = await importIncrementally(simulator, folder, { settings });
        removeAll(simulator, incidents(simulator).slice(10, 13));
        const next = await importIncrementally(simulator, folder, { settings });
        assert.deepEqual(next.rows, expectedIncidents(simulator));
        assert.ok(next.lists < full.lists, `${full.lists} then ${next.lists} requests`);
      });
    }
  });

  it('are limited to deletions since the previous import', async () => {
    await withIncrementalImport(100, async (simulator, folder) => {
      removeAll(simulator, incidents(simulator).slice(0, 3));
      const old = utcText(Date.UTC(2020, 0, 1));
      for (const record of simulator.instance.data.get('sys_audit_delete') ?? []) record['sys_created_on'] = old;
      await importIncrementally(simulator, folder, { element: incidentElement });
      removeAll(simulator, incidents(simulator).slice(0, 3));
      const next = await importIncrementally(simulator, folder);
      assert.deepEqual(next.rows, expectedIncidents(simulator));
      const [search] = next.requests.filter(({ path }) => path.endsWith('/table/sys_audit_delete'));
      assert.match(search?.parameters.get('sysparm_query') ?? '', /^tablenameINincident\^sys_created_on>=2024-/);
    });
  });
});

function isPresence(parameters: URLSearchParams): boolean {
  return (parameters.get('sysparm_query') ?? '').startsWith('sys_idIN');
}

function fail(simulator: Simulator, fault: Parameters<Simulator['failNext']>[0]): void {
  simulator.failNext(fault, { times: 20, on: ({ path }) => path.endsWith('/table/sys_audit_delete') });
}
