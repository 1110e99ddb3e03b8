import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { PullOptions } from '../../server/src/connectors/connector.ts';
import { randomNumbers, utcText, type SimulatedRecord } from '../simulator/demo-data.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import { deleteRecord, type Instance } from '../simulator/instance.ts';
import type { Simulator } from '../simulator/simulator.ts';
import {
  expectedIncidents,
  importIncrementally,
  incidentElement,
  withIncrementalImport,
  type ImportedElement,
  type IncrementalImport,
} from '../support/incremental-imports.ts';
import { instanceSettings } from '../support/servicenow-source.ts';
import { runCommand } from '../support/run-command.ts';
import { countSoak, soakSeeds } from '../support/soak.ts';
import { writeFiles } from '../support/temporary-folder.ts';

/** One import of the incidents, with state in `folder`. */
function importOnce(
  simulator: Simulator,
  folder: string,
  where = '',
  settings: object = {},
  pulling: PullOptions = {},
  element: ImportedElement = incidentElement,
): Promise<IncrementalImport> {
  return importIncrementally(simulator, folder, { where, settings, pulling, element });
}

/** By the last digit of the key. */
function isOdd(record: SimulatedRecord): boolean {
  return Number.parseInt(record['sys_id']?.at(-1) ?? '0', 16) % 2 === 1;
}

/** Changes a record of each half. */
function touchNewest({ instance }: Simulator): void {
  const records = instance.data.get('incident') ?? [];
  for (const record of [records.find(isOdd), records.find((each) => !isOdd(each))])
    Object.assign(record ?? {}, { state: '7', sys_updated_on: '2024-06-01 10:00:00' });
}

function exactly(text: string): RegExp {
  return new RegExp(`^${text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`);
}

const filtered = '    where: state IN (1, 2)\n';
const isFiltered = ({ state }: SimulatedRecord): boolean => state === '1' || state === '2';

describe('ServiceNow incremental import', () => {
  it('reads changed records, and takes the others from the row cache', async () => {
    await withIncrementalImport(1000, async (simulator, folder) => {
      const first = await importOnce(simulator, folder);
      assert.deepEqual(first.rows, expectedIncidents(simulator));
      const [one] = simulator.instance.data.get('incident') ?? [];
      assert.ok(one);
      Object.assign(one, { state: '9', sys_updated_on: '2024-06-01 10:00:00' });
      const second = await importOnce(simulator, folder);
      assert.deepEqual(second.rows, expectedIncidents(simulator));
      assert.ok(first.lists > 50 && second.lists <= 6, `${first.lists} then ${second.lists} requests`);
      const third = await importOnce(simulator, folder);
      assert.deepEqual([third.rows, third.warnings], [expectedIncidents(simulator), []]);
    });
  });

  it('reads everything when it detects deleted records', async () => {
    await withIncrementalImport(200, async (simulator, folder) => {
      const first = await importOnce(simulator, folder);
      simulator.instance.data.get('incident')?.splice(17, 3);
      const second = await importOnce(simulator, folder);
      assert.deepEqual(second.rows, expectedIncidents(simulator));
      assert.ok(second.lists > first.lists * 0.8);
      assert.equal((await importOnce(simulator, folder)).lists < 10, true);
    });
  });

  it('misses no record when the records of one second fill several pages', async () => {
    await withIncrementalImport(200, async (simulator, folder) => {
      await importOnce(simulator, folder);
      const records = simulator.instance.data.get('incident') ?? [];
      for (const record of records.slice(0, 90))
        Object.assign(record, { state: '8', sys_updated_on: '2024-06-01 10:00:00' });
      assert.deepEqual((await importOnce(simulator, folder)).rows, expectedIncidents(simulator));
      // In the same second again, after the watermark has reached it.
      for (const record of records.slice(60, 120))
        Object.assign(record, { state: '5', sys_updated_on: '2024-06-01 10:00:00' });
      assert.deepEqual((await importOnce(simulator, folder)).rows, expectedIncidents(simulator));
    });
  });

  it('reads everything after the configured interval, with other columns, and when the row cache is damaged', async () => {
    await withIncrementalImport(200, async (simulator, folder) => {
      const full = (await importOnce(simulator, folder)).lists;
      const isFull = ({ rows, lists }: IncrementalImport): boolean => {
        assert.deepEqual(rows, expectedIncidents(simulator));
        return lists >= full;
      };
      assert.equal(isFull(await importOnce(simulator, folder)), false);
      assert.equal(isFull(await importOnce(simulator, folder, '', { fullEvery: '1ms' })), true);
      assert.equal(isFull(await importOnce(simulator, folder, '    changeTimestamp: sys_updated_on\n')), true);
      const kept = join(folder, 'records', 'itsm');
      const files = (await readdir(kept)).filter((name) => name.endsWith('.parquet'));
      assert.equal(files.length, 2);
      for (const name of files) await writeFile(join(kept, name), 'damaged');
      assert.equal(isFull(await importOnce(simulator, folder)), true);
      assert.equal(isFull(await importOnce(simulator, folder)), false);
    });
  });

  it('reads everything once on request, and continues incrementally', async () => {
    await withIncrementalImport(200, async (simulator, folder) => {
      const first = await importOnce(simulator, folder);
      const [one] = simulator.instance.data.get('incident') ?? [];
      // Like scripts that leave no trace: only a full read finds it.
      Object.assign(one ?? {}, { state: '9' });
      assert.deepEqual((await importOnce(simulator, folder)).rows, first.rows);
      const full = await importOnce(simulator, folder, '', {}, { isFull: true });
      assert.deepEqual([full.rows, full.lists >= first.lists], [expectedIncidents(simulator), true]);
      const next = await importOnce(simulator, folder);
      assert.deepEqual([next.rows, next.lists < full.lists], [expectedIncidents(simulator), true]);
    });
  });

  it('reads everything once with --full on the command line', async () => {
    await withIncrementalImport(100, async (simulator, folder) => {
      const settings = instanceSettings(simulator, { tables: ['incident'], incremental: true, pageSize: 20 });
      await writeFiles(folder, {
        'entity-sources.json': JSON.stringify({ version: 1, dataSources: { itsm: settings } }),
        'graph.entity.yaml':
          'version: 1\nname: T\ndataSource: itsm\nelements:\n  - { activityName: A, dataObject: incident, startTimestamp: opened_at }\n',
      });
      const lists: number[] = [];
      for (const args of [[], [], ['--full'], []]) {
        const before = simulator.requests.length;
        const { code, stderr } = await runCommand(['import', 'graph.entity.yaml', ...args], folder);
        assert.equal(code, 0, stderr);
        const sent = simulator.requests.slice(before).filter(({ path }) => path.endsWith('/table/incident'));
        lists.push(sent.length);
      }
      const [first = 0, second = 0, full = 0, last = 0] = lists;
      assert.ok(second < first && full > second && last === second, `${lists.join(', ')} requests`);
    });
  });

  /** The users who may not read `state`, and the reported number of the 60 incidents. */
  const unreadable = [
    [
      'of any record',
      ({ settings }) => (settings.hiddenFields = new Set(['incident.state'])),
      () => true,
      'The user may not read these fields of incident, so they are empty: state.',
    ],
    [
      'of some records',
      ({ settings }) => (settings.mayReadField = (_, field, record) => field !== 'state' || !isOdd(record)),
      isOdd,
      /^The user may not read state of \d+ records of incident: it is empty there\.$/,
    ],
  ] as const satisfies readonly (readonly [
    what: string,
    hide: (instance: Instance) => unknown,
    isEmpty: (record: SimulatedRecord) => boolean,
    said: string | RegExp,
  ])[];
  for (const [what, hide, isEmpty, said] of unreadable) {
    it(`reads everything with a warning while the user cannot read a field ${what}`, async () => {
      await withIncrementalImport(60, async (simulator, folder) => {
        const { settings } = simulator.instance;
        const { hiddenFields, mayReadField } = settings;
        const grant = (): void => void Object.assign(settings, { hiddenFields, mayReadField });
        const lacking = (): readonly string[] =>
          (simulator.instance.data.get('incident') ?? [])
            .map((each) => `${each['sys_id']}|${each['number']}|${isEmpty(each) ? '' : each['state']}`)
            .sort();
        const full = await importOnce(simulator, folder);
        assert.deepEqual([full.rows, full.warnings], [expectedIncidents(simulator), []]);
        // Removed, and requested twice; restored, and everything read once.
        hide(simulator.instance);
        touchNewest(simulator);
        for (let time = 0; time < 2; time += 1) {
          const { rows, warnings } = await importOnce(simulator, folder);
          assert.deepEqual([rows, warnings.length], [lacking(), 1]);
          assert.match(warnings[0] ?? '', typeof said === 'string' ? exactly(said) : said);
        }
        grant();
        const granted = await importOnce(simulator, folder);
        assert.deepEqual([granted.rows, granted.warnings], [expectedIncidents(simulator), []]);
        const last = await importOnce(simulator, folder);
        assert.deepEqual([last.rows, last.lists < full.lists], [expectedIncidents(simulator), true]);
      });
    });
  }

  it('never uses rows cached for another user', async () => {
    await withIncrementalImport(200, async (simulator, folder) => {
      const { instance, logins } = simulator;
      const { clientId, clientSecret, password } = logins;
      const oauth = { kind: 'oauth2', clientId, clientSecret };
      const byPassword = () => ({ ...oauth, grant: 'password', user: logins.user, password });
      const logIns: readonly (() => object)[] = [
        () => ({}),
        () => ({ auth: { ...oauth, grant: 'client_credentials' } }),
        () => ({ auth: byPassword() }),
      ];
      for (const settings of logIns) {
        logins.user = 'analyst';
        instance.settings.mayRead = () => true;
        const full = await importOnce(simulator, folder, '', settings());
        assert.deepEqual(full.rows, expectedIncidents(simulator));
        const next = await importOnce(simulator, folder, '', settings());
        assert.ok(full.lists > next.lists, `${full.lists} then ${next.lists} requests`);
      }
      for (const settings of [logIns[0], logIns[2]]) {
        logins.user = 'somebody else';
        instance.settings.mayRead = (table, record) => table !== 'incident' || !isOdd(record);
        const other = await importOnce(simulator, folder, '', { ...settings?.(), onShortfall: 'warn' });
        assert.deepEqual(
          other.rows,
          expectedIncidents(simulator, (record) => !isOdd(record)),
        );
        assert.equal(other.warnings.length, 1);
      }
    });
  });

  it('requests the audit trail with the required filter in every query', async () => {
    await withIncrementalImport(60, async (simulator, folder) => {
      const { data } = simulator.instance;
      const trail: ImportedElement = {
        dataObject: 'sys_audit',
        body: '    key: documentkey\n    startTimestamp: sys_created_on\n    properties: [sys_id, newvalue]\n',
        shown: ['sys_id', 'documentkey', 'newvalue'],
      };
      const where = "    where: tablename = 'incident' AND fieldname = 'state'\n";
      const importTrail = (lines = where) => importOnce(simulator, folder, lines, {}, {}, trail);
      const wanted = () =>
        (data.get('sys_audit') ?? [])
          .filter((each) => each['tablename'] === 'incident' && each['fieldname'] === 'state')
          .map((each) => [each['sys_id'], each['documentkey'], each['newvalue']].join('|'))
          .sort();
      const full = await importTrail();
      assert.deepEqual(full.rows, wanted());
      const [first] = data.get('sys_audit') ?? [];
      for (const more of [{}, { tablename: 'problem' }, { fieldname: 'priority' }]) {
        const stamped = { sys_id: simulator.instance.newId(), sys_created_on: '2024-06-01 10:00:00' };
        data.get('sys_audit')?.push({ ...first, ...stamped, ...more });
      }
      const next = await importTrail();
      assert.deepEqual([next.rows, next.lists < full.lists], [wanted(), true]);
      await assert.rejects(importTrail("    where: fieldname = 'state'\n"), { code: 'source-config' });
      const asked = simulator.requests
        .filter(({ path, parameters }) => path.endsWith('/sys_audit') && parameters.has('sysparm_query'))
        .map(({ parameters }) => parameters.get('sysparm_query') ?? '');
      assert.ok(asked.length > 6);
      assert.deepEqual(
        asked.filter((query) => !query.startsWith('tablename=incident^fieldname=state')),
        [],
      );
    });
  });

  /** Columns whose values change with another record, by the settings that provide them. */
  const ofOthers = [
    [{ dotWalked: { incident: ['caller_id.name'] } }, 'caller_id.name'],
    [{ displayValue: 'true' }, 'caller_id'],
    [{ displayValue: 'all' }, 'dv_caller_id'],
  ] as const;
  for (const [settings, name] of ofOthers) {
    it(`reads everything when ${name} is used with ${JSON.stringify(settings)}, as its changes do not update records`, async () => {
      await withIncrementalImport(60, async (simulator, folder) => {
        const { data } = simulator.instance;
        const element: ImportedElement = {
          dataObject: 'incident',
          body: `    startTimestamp: opened_at\n    properties: ["${name}"]\n`,
          shown: ['sys_id', name],
        };
        const importNames = () => importOnce(simulator, folder, '', settings, {}, element);
        const wanted = () => {
          const names = new Map((data.get('sys_user') ?? []).map((user) => [user['sys_id'], user['name']]));
          return (data.get('incident') ?? []).map((each) => `${each['sys_id']}|${names.get(each['caller_id'])}`).sort();
        };
        assert.deepEqual((await importNames()).rows, wanted());
        for (const user of data.get('sys_user') ?? []) user['name'] = `${user['name']} the Second`;
        assert.deepEqual((await importNames()).rows, wanted());
        // Nothing unused is cached.
        assert.deepEqual(await readdir(folder), []);
        const state = {
          ...element,
          body: '    startTimestamp: opened_at\n    properties: [number]\n',
          shown: ['number'],
        };
        await importOnce(simulator, folder, '', settings, {}, state);
        assert.deepEqual(await readdir(folder), ['records']);
      });
    });
  }

  it('caches nothing unless the source enables it', async () => {
    await withIncrementalImport(20, async (simulator, folder) => {
      await importOnce(simulator, folder, '', { incremental: false });
      assert.deepEqual(await readdir(folder), []);
    });
  });

  it('equals a full import for seeds of changes between and during imports', async () => {
    for (const seed of soakSeeds(1)) {
      await withIncrementalImport(120, (simulator, folder) => compare(simulator, folder, seed), seed);
      countSoak();
    }
  });
});

function isHelper({ path, parameters }: SimulatedRequest): boolean {
  // When the sum is cancelled, the count alone must do.
  if (parameters.has('sysparm_sum_fields')) return false;
  return path.includes('/stats/') || (parameters.get('sysparm_query') ?? '').includes('sys_updated_on');
}

async function compare(simulator: Simulator, folder: string, seed: number): Promise<void> {
  const { instance } = simulator;
  const random = randomNumbers(seed * 104_729);
  const rows = instance.data.get('incident') ?? [];
  const deleted: SimulatedRecord[] = [];
  // Records that changed equally often may hide one another, as the manual says: here hardly any did.
  for (const record of rows) record['sys_mod_count'] = String(Math.floor(random() * 1_000_000_000));
  let time = Date.UTC(2024, 5, 1);
  const change = (): void => {
    // Often several changes per second.
    time += Math.floor(random() * 3) * 500;
    const stamp = { sys_updated_on: utcText(time), state: String(1 + Math.floor(random() * 4)) };
    const at = Math.floor(random() * rows.length);
    const what = random();
    if (what < 0.08) rows.splice(at, 1);
    else if (what < 0.2) {
      const [record] = rows.slice(at, at + 1);
      if (!record) return;
      deleteRecord(instance, 'incident', record['sys_id'] ?? '');
      deleted.push(record);
    } else if (what < 0.23) rows.push(...deleted.splice(0, 1));
    else if (what < 0.5) rows.push({ ...(rows[at] ?? {}), ...stamp, sys_mod_count: '0', sys_id: instance.newId() });
    else {
      const changed = rows[at];
      Object.assign(changed ?? {}, stamp, { sys_mod_count: String(Number(changed?.['sys_mod_count']) + 1) });
    }
  };
  instance.settings.literalHours = seed % 3 === 0 ? -5 : seed % 3 === 1 ? 0 : 9;
  const [where, selects] = seed % 2 === 0 ? [filtered, isFiltered] : ['', () => true];
  // Changes of more than a page, or less.
  const settings = { pageSize: seed % 4 < 2 ? 20 : 200 };
  for (let round = 0; round < 3; round += 1) {
    // Queries beside the pages: some are optional.
    if (random() < 0.4)
      simulator.failNext({ kind: 'cancelled' }, { times: 1 + Math.floor(random() * 4), on: isHelper });
    const changes = Math.floor(random() * 12);
    for (let done = 0; done < changes; done += 1) change();
    if (random() < 0.3) {
      // A change during an import may be missed by it, not by the next one.
      simulator.onRequest = () => (random() < 0.1 ? change() : undefined);
      await importOnce(simulator, folder, where, settings);
      simulator.onRequest = undefined;
    }
    const { rows: found } = await importOnce(simulator, folder, where, settings);
    assert.deepEqual(found, expectedIncidents(simulator, selects), `seed ${seed}, round ${round}`);
  }
}
