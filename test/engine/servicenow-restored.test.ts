import assert from 'node:assert/strict';
import { deleteRecord } from '../simulator/instance.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { expectedIncidents, importIncrementally, withIncrementalImport } from '../support/incremental-imports.ts';

function asksForSum({ parameters }: SimulatedRequest): boolean {
  return parameters.has('sysparm_sum_fields');
}

function incidentsOf({ instance }: Simulator): SimulatedRecord[] {
  return instance.data.get('incident') ?? [];
}

/** Deletes a record before the next import, and restores it unchanged where another one disappears. */
function exchange(simulator: Simulator, back: SimulatedRecord | undefined): SimulatedRecord {
  const [gone] = incidentsOf(simulator).slice(3, 4);
  assert.ok(gone);
  deleteRecord(simulator.instance, 'incident', gone['sys_id'] ?? '');
  if (back) incidentsOf(simulator).push(back);
  return gone;
}

/** Imports, deletes a record, and imports again: the deleted one is to come back. */
async function withDeleted(
  use: (simulator: Simulator, folder: string, deleted: SimulatedRecord) => Promise<void>,
): Promise<void> {
  await withIncrementalImport(60, async (simulator, folder) => {
    for (const [index, record] of incidentsOf(simulator).entries()) record['sys_mod_count'] = String(index * index);
    await importIncrementally(simulator, folder);
    const deleted = exchange(simulator, undefined);
    assert.deepEqual((await importIncrementally(simulator, folder)).rows, expectedIncidents(simulator));
    await use(simulator, folder, deleted);
  });
}

describe('ServiceNow incremental import › restored records', () => {
  it('are found when they are unchanged and others were deleted', async () => {
    await withDeleted(async (simulator, folder, deleted) => {
      let back = deleted;
      // The next one continues from the full read.
      for (let time = 0; time < 3; time += 1) {
        back = exchange(simulator, back);
        const { rows, warnings } = await importIncrementally(simulator, folder);
        assert.deepEqual([rows, warnings], [expectedIncidents(simulator), []]);
        const { requests } = await importIncrementally(simulator, folder);
        assert.equal(requests.length, 2, 'nothing has changed since');
      }
    });
  });

  it('are found together with changed records', async () => {
    await withDeleted(async (simulator, folder, deleted) => {
      exchange(simulator, deleted);
      const [one] = incidentsOf(simulator);
      Object.assign(one ?? {}, { state: '7', sys_mod_count: '99', sys_updated_on: '2024-06-01 10:00:00' });
      assert.deepEqual((await importIncrementally(simulator, folder)).rows, expectedIncidents(simulator));
    });
  });

  it('are found when the graph reads the modification count itself', async () => {
    await withIncrementalImport(30, async (simulator, folder) => {
      for (const [index, record] of incidentsOf(simulator).entries()) record['sys_mod_count'] = String(index * index);
      const element = {
        dataObject: 'incident',
        body: '    startTimestamp: opened_at\n    properties: [sys_mod_count]\n',
        shown: ['sys_id', 'sys_mod_count'],
      };
      const wanted = () =>
        incidentsOf(simulator)
          .map((each) => `${each['sys_id']}|${each['sys_mod_count']}`)
          .sort();
      await importIncrementally(simulator, folder, { element });
      const deleted = exchange(simulator, undefined);
      await importIncrementally(simulator, folder, { element });
      exchange(simulator, deleted);
      assert.deepEqual((await importIncrementally(simulator, folder, { element })).rows, wanted());
    });
  });
});

describe('ServiceNow incremental import › sum of modification counts', () => {
  it('is optional when the instance returns none or refuses it', async () => {
    const noSum = JSON.stringify({ result: { stats: { count: '60' } } });
    const strange = JSON.stringify({ result: { stats: { count: '60', sum: { sys_mod_count: '1,2 thousand' } } } });
    for (const fault of [
      { kind: 'answer', body: noSum },
      { kind: 'answer', body: strange },
      { kind: 'status', status: 403 },
      { kind: 'status', status: 400 },
      { kind: 'status', status: 500 },
    ] as const) {
      await withIncrementalImport(60, async (simulator, folder) => {
        await importIncrementally(simulator, folder);
        simulator.failNext(fault, { times: Infinity, on: asksForSum });
        const next = await importIncrementally(simulator, folder);
        assert.deepEqual([next.rows, next.warnings], [expectedIncidents(simulator), []], JSON.stringify(fault));
        assert.deepEqual([next.lists, next.requests.length <= 3], [1, true], JSON.stringify(fault));
      });
    }
  });

  it('is not requested again before the next full read when it takes too long', async () => {
    await withIncrementalImport(60, async (simulator, folder) => {
      await importIncrementally(simulator, folder);
      simulator.failNext({ kind: 'cancelled' }, { times: Infinity, on: asksForSum });
      const first = await importIncrementally(simulator, folder);
      assert.deepEqual([first.rows, first.warnings], [expectedIncidents(simulator), []]);
      assert.ok(first.requests.some(asksForSum));
      const second = await importIncrementally(simulator, folder);
      assert.deepEqual([second.requests.length, second.requests.some(asksForSum)], [2, false]);
      // The count reveals deletions.
      exchange(simulator, undefined);
      assert.deepEqual((await importIncrementally(simulator, folder)).rows, expectedIncidents(simulator));
    });
  });

  it('costs one additional read only when the instance sums differently', async () => {
    await withIncrementalImport(60, async (simulator, folder) => {
      const full = await importIncrementally(simulator, folder);
      const other = JSON.stringify({ result: { stats: { count: '60', sum: { sys_mod_count: '7' } } } });
      simulator.failNext({ kind: 'answer', body: other }, { times: Infinity, on: asksForSum });
      const lists: number[] = [];
      for (let time = 0; time < 3; time += 1) {
        const { rows, lists: sent } = await importIncrementally(simulator, folder);
        assert.deepEqual(rows, expectedIncidents(simulator));
        lists.push(sent);
      }
      assert.ok((lists[0] ?? 0) >= full.lists && lists.slice(1).every((sent) => sent === 1), lists.join());
    });
  });

  it('known differences are kept after an import without a sum', async () => {
    await withIncrementalImport(60, async (simulator, folder) => {
      await importIncrementally(simulator, folder);
      const body = (stats: object): string => JSON.stringify({ result: { stats: { count: '60', ...stats } } });
      let isTold = true;
      const on = (request: SimulatedRequest, wanted: boolean): boolean => asksForSum(request) && isTold === wanted;
      const other = { kind: 'answer', body: body({ sum: { sys_mod_count: '7' } }) } as const;
      simulator.failNext(other, { times: Infinity, on: (request) => on(request, true) });
      simulator.failNext({ kind: 'answer', body: body({}) }, { times: Infinity, on: (request) => on(request, false) });
      await importIncrementally(simulator, folder);
      isTold = false;
      assert.equal((await importIncrementally(simulator, folder)).lists, 1);
      isTold = true;
      const next = await importIncrementally(simulator, folder);
      assert.deepEqual([next.rows, next.lists], [expectedIncidents(simulator), 1]);
    });
  });

  it('is skipped for records without a modification count', async () => {
    await withIncrementalImport(60, async (simulator, folder) => {
      simulator.instance.settings.hiddenFields = new Set(['incident.sys_mod_count']);
      const full = await importIncrementally(simulator, folder);
      assert.deepEqual([full.rows, full.warnings], [expectedIncidents(simulator), []]);
      const next = await importIncrementally(simulator, folder);
      assert.deepEqual([next.rows, next.warnings, next.requests.length], [expectedIncidents(simulator), [], 2]);
    });
  });

  it('does not force full reads of a table that changes constantly', async () => {
    await withIncrementalImport(60, async (simulator, folder) => {
      const full = await importIncrementally(simulator, folder);
      let second = 0;
      // Between the changes and the figures, in every round.
      simulator.onRequest = ({ path }) => {
        if (!path.includes('/stats/incident')) return;
        second += 1;
        const [one] = incidentsOf(simulator);
        Object.assign(one ?? {}, {
          sys_mod_count: String(100 + second),
          sys_updated_on: `2024-06-01 10:00:${String(second).padStart(2, '0')}`,
        });
      };
      const next = await importIncrementally(simulator, folder);
      assert.ok(next.lists < full.lists, `${full.lists} then ${next.lists} requests`);
      simulator.onRequest = undefined;
      assert.deepEqual((await importIncrementally(simulator, folder)).rows, expectedIncidents(simulator));
    });
  });
});
