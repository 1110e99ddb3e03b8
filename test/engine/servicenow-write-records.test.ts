import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hostname } from 'node:os';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { cliPath, type CliRun } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

interface Written {
  readonly summary: string;
  readonly rows?: readonly {
    readonly row: number;
    readonly status: string;
    readonly record: string;
    readonly message?: string;
  }[];
  readonly stopped?: boolean;
  readonly warnings?: readonly string[];
}

const isWrite = ({ method }: SimulatedRequest): boolean => method === 'PATCH' || method === 'DELETE';

describe('command line › write actions for many ServiceNow records', () => {
  let folder = '';
  let simulator: Simulator;
  beforeEach(async () => {
    simulator = await startSimulator({ incidents: 30 });
    const auth = `{ kind: basic, user: analyst, password: '\${secret:itsm}' }`;
    const settings = `kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: ${auth}`;
    folder = await folderWith({ 'entity-sources.yaml': `version: 1\ndataSources:\n  itsm: { ${settings} }\n` });
  });
  afterEach(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  function run(...args: readonly string[]): Promise<CliRun> {
    const env = { ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password };
    return runCommand(['servicenow', ...args, '--workspace', folder], folder, env);
  }

  async function written(...args: readonly string[]): Promise<Written & { readonly code: number }> {
    const { code, stdout, stderr } = await run(...args, '--yes', '--format', 'json');
    assert.notEqual(stdout, '', stderr);
    return { code: code ?? -1, ...(JSON.parse(stdout) as Written) };
  }

  const incidents = () => simulator.instance.data.get('incident') ?? [];
  const ids = (from = 0, to = Infinity): readonly string[] =>
    incidents()
      .slice(from, to)
      .map(({ sys_id = '' }) => sys_id);
  const writes = () => simulator.requests.filter(isWrite);
  const journals = async () => (await readdir(folder)).filter((name) => name.includes('.journal'));
  const statesOf = (list: readonly string[]) =>
    list.map((id) => incidents().find(({ sys_id }) => sys_id === id)?.['state']);
  const update = ['update-many', 'itsm', 'incident', 'ids.txt', 'state=42'];
  const put = (list: readonly string[], name = 'ids.txt') => writeFiles(folder, { [name]: `${list.join('\n')}\n` });

  it('a preview shows the first request and the number of requests, and sends nothing', async () => {
    await put([...ids(0, 12), ...ids(0, 2)]);
    const { code, stdout, stderr } = await run(...update);
    assert.equal(code, 0);
    assert.match(
      stderr,
      /^Changes state of 12 records of incident at 127\.0\.0\.1:\d+, those of ids\.txt, one by one\. The request is shown with the first/,
    );
    assert.match(stderr, /ids\.txt names 2 records more than once/);
    assert.match(stderr, /Nothing was sent: add --yes/);
    assert.match(stdout, new RegExp(`^PATCH .*/incident/${ids()[0]}\\n`));
    const shown = await run('delete-many', 'itsm', 'incident', 'ids.txt');
    assert.match(shown.stderr, /^Deletes 12 records of incident at /);
    assert.deepEqual([writes().length, await journals()], [0, []]);
  });

  const lists: readonly (readonly [name: string, text: (list: readonly string[]) => string])[] = [
    ['ids.txt', (list) => list.join('\r\n')],
    ['ids.csv', (list) => `\uFEFF${list.join('\n')}\n\n`],
    ['table.csv', (list) => `number,sys_id\n${list.map((id, index) => `INC${index},${id}`).join('\n')}\n`],
    ['column.csv', (list) => `sys_id\n${list.join('\n')}\n`],
    ['ids.json', (list) => JSON.stringify(list.map((sys_id) => ({ sys_id, number: 1 })))],
  ];
  for (const [name, text] of lists) {
    it(`records of ${name} are changed and deleted, and the journal is removed`, async () => {
      const list = ids(0, 7);
      await writeFiles(folder, { [name]: text(list) });
      const changed = await written('update-many', 'itsm', 'incident', name, 'state=42');
      assert.deepEqual(
        [changed.code, changed.summary, changed.rows],
        [0, '7 of 7 records of incident are updated.', undefined],
      );
      assert.deepEqual([new Set(statesOf(list)), statesOf(ids(7, 8))[0] === '42'], [new Set(['42']), false]);
      const deleted = await written('delete-many', 'itsm', 'incident', name);
      assert.deepEqual([deleted.code, deleted.summary], [0, '7 of 7 records of incident are deleted.']);
      assert.deepEqual([incidents().length, await journals()], [23, []]);
    });
  }

  it('missing records are listed, and the others processed', async () => {
    const none = ['0'.repeat(32), 'f'.repeat(32)];
    await put([none[0] ?? '', ...ids(0, 3), none[1] ?? '', ...ids(3, 5)]);
    const result = await written(...update);
    assert.deepEqual([result.code, result.summary], [1, '5 of 7 records of incident are updated: 2 not there.']);
    assert.deepEqual(
      result.rows?.map(({ row, status, record }) => [row, status, record]),
      [
        [1, 'missing', none[0]],
        [5, 'missing', none[1]],
      ],
    );
    assert.deepEqual(await journals(), []);
    const told = await run('delete-many', 'itsm', 'incident', 'ids.txt', '--yes');
    assert.match(told.stdout, /^Row +Status +Table +Record +Message\n.*\n *1 +missing +incident +0{32}/);
  });

  it('a resumed run skips finished records, and does not repeat a write with an unknown outcome', async () => {
    const list = ids(0, 12);
    await put(list);
    simulator.failNext(
      { kind: 'cut-socket' },
      { on: ({ path, method }) => method === 'PATCH' && path.endsWith(list[4] ?? '') },
    );
    const first = await written(...update);
    assert.equal(first.code, 1);
    assert.match(
      first.summary,
      /^4 of 12 records of incident are updated: 1 with an unknown outcome, 7 not sent\. No further record was sent: .* Progress is in ids\.txt\.\w{8}\.journal: the same action goes on from there\.$/,
    );
    assert.deepEqual([first.stopped, first.rows?.map(({ row, status }) => [row, status])], [true, [[5, 'unknown']]]);
    const [journal = ''] = await journals();
    const preview = await run(...update);
    assert.match(preview.stderr, /^Changes state of 7 records of .*\(5 of 12 are left out\)/);
    assert.match(preview.stderr, /The outcome of 1 record of an earlier run is not known: they are not sent again\./);
    const before = writes().length;
    const second = await written(...update);
    assert.match(
      second.summary,
      /^11 of 12 records of incident are updated: 4 of them by an earlier run, 1 with an unknown outcome\. Progress is in/,
    );
    assert.deepEqual(
      writes()
        .slice(before)
        .map(({ path }) => path.split('/').at(-1)),
      list.slice(5),
    );
    assert.equal(second.code, 1);
    assert.match((await run(...update)).stderr, /^Nothing is left to send/);
    assert.deepEqual(await journals(), [journal]);
    const again = await run(...update, '--repeat-unknown');
    assert.match(again.stderr, /they are sent again, though they may have been written/);
    const last = await written(...update, '--repeat-unknown');
    assert.deepEqual(
      [last.code, last.summary],
      [0, '12 of 12 records of incident are updated: 11 of them by an earlier run.'],
    );
    assert.deepEqual([writes().length, await journals()], [before + 8, []]);
  });

  it('a write in progress when a run was killed has an unknown outcome', async () => {
    const list = ids(0, 6);
    await put(list);
    simulator.failNext(
      { kind: 'never-answers' },
      { on: ({ method, path }) => method === 'DELETE' && path.endsWith(list[2] ?? '') },
    );
    const env = { ...process.env, ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password };
    const args = ['servicenow', 'delete-many', 'itsm', 'incident', 'ids.txt', '--yes', '--workspace', folder];
    const child = spawn(process.execPath, [cliPath, ...args], {
      cwd: folder,
      env,
      stdio: 'ignore',
    });
    const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
    await new Promise<void>((resolve) => {
      simulator.onRequest = ({ path }) => (path.endsWith(list[2] ?? '') ? resolve() : undefined);
    });
    child.kill('SIGKILL');
    await exited;
    const [journal = ''] = (await journals()).filter((name) => name.endsWith('.journal'));
    // As left by a full disk or a power failure.
    await appendFile(join(folder, journal), `{"id":"${list[3]}","sta`);
    const next = await written('delete-many', 'itsm', 'incident', 'ids.txt');
    assert.deepEqual(
      next.rows?.map(({ row, status }) => [row, status]),
      [[3, 'unknown']],
    );
    assert.match(
      next.summary,
      /^5 of 6 records of incident are deleted: 2 of them by an earlier run, 1 with an unknown outcome/,
    );
    assert.equal(writes().length, 6);
    assert.ok((await readFile(join(folder, journal), 'utf8')).split('\n').length > 10);
  });

  it('progress is stored per values, table and list', async () => {
    await put(ids(0, 3));
    simulator.failNext({ kind: 'cut-socket' }, { on: isWrite });
    await written(...update);
    const other = await written('update-many', 'itsm', 'incident', 'ids.txt', 'state=43');
    assert.equal(other.summary, '3 of 3 records of incident are updated.');
    assert.equal((await journals()).length, 1);
  });

  it('single rejected records are retried on resume, and the run stops when all are rejected', async () => {
    const list = ids(0, 20);
    await put(list);
    const isRefused = ({ path, method }: SimulatedRequest): boolean =>
      method === 'PATCH' && path.endsWith(list[1] ?? '');
    simulator.failNext({ kind: 'status', status: 403 }, { on: isRefused });
    const first = await written(...update);
    assert.match(first.summary, /^19 of 20 records of incident are updated: 1 refused\. Progress is in/);
    assert.deepEqual([first.code, first.rows?.map(({ row, status }) => [row, status])], [1, [[2, 'error']]]);
    const second = await written(...update);
    assert.deepEqual(
      [second.code, second.summary],
      [0, '20 of 20 records of incident are updated: 19 of them by an earlier run.'],
    );
    simulator.failNext({ kind: 'status', status: 403 }, { times: 100, on: isWrite });
    const third = await written('update-many', 'itsm', 'incident', 'ids.txt', 'state=44');
    assert.match(third.summary, /^0 of 20 records of incident are updated: 10 refused, 10 not sent\./);
  });

  it('a missing table or a rejected login stops the run at once', async () => {
    await put(ids(0, 5));
    const none = await written('delete-many', 'itsm', 'nonsense', 'ids.txt');
    assert.match(
      none.summary,
      /^0 of 5 records of nonsense are deleted: 1 refused, 4 not sent\. No further record was sent: The instance has no table nonsense\./,
    );
    simulator.failNext({ kind: 'unauthenticated' }, { times: 5, on: isWrite });
    const refused = await written('delete-many', 'itsm', 'incident', 'ids.txt');
    assert.match(
      refused.summary,
      /^0 of 5 .*: 1 refused, 4 not sent\. No further record was sent: The instance refuses the login/,
    );
  });

  it('ignored fields are listed, with the number of records', async () => {
    await put(ids(0, 4));
    const result = await written('update-many', 'itsm', 'incident', 'ids.txt', 'urgncy=2', 'state=42');
    assert.deepEqual([result.code, result.warnings?.length], [0, 1]);
    assert.match(result.warnings?.[0] ?? '', /^The record has no urgncy.*\(4 records\)$/);
    const shown = await written(
      'update-many',
      'itsm',
      'incident',
      'ids.txt',
      'assignment_group=Group 1',
      '--input-display-value',
    );
    assert.equal(shown.warnings, undefined);
    const group = simulator.instance.data.get('sys_user_group')?.[1]?.['sys_id'];
    assert.deepEqual(
      incidents()
        .slice(0, 4)
        .map((each) => each['assignment_group']),
      [group, group, group, group],
    );
  });

  it('one run at a time processes a list', async () => {
    await put(ids(0, 3));
    simulator.failNext({ kind: 'cut-socket' }, { on: isWrite });
    await written(...update);
    const [journal = ''] = await journals();
    const owner = { pid: process.pid, host: hostname(), since: new Date().toISOString() };
    await writeFile(join(folder, `${journal}.lock`), JSON.stringify(owner));
    const busy = await run(...update, '--yes');
    assert.equal(busy.code, 1);
    assert.match(busy.stderr, /The records of .*ids\.txt are being written already, by process \d+ on /);
  });

  const mistakes: readonly (readonly [what: string, text: string | undefined, said: RegExp])[] = [
    ['ids.txt', undefined, /There is no file .*ids\.txt/],
    ['ids.txt', '', /ids\.txt names no record/],
    [
      'ids.txt',
      `${'a'.repeat(32)}\n../sys_user/x\n`,
      /ids\.txt has "\.\.\/sys_user\/x" in place of a sys_id in line 2/,
    ],
    ['ids.txt', `${'a'.repeat(32)}\n..\n`, /has "\.\." in place of a sys_id in line 2/],
    ['ids.csv', 'number\nINC1\n', /ids\.csv has a record without a sys_id/],
    ['ids.csv', `sys_id,number\n${'a'.repeat(32)},1\n,2\n`, /ids\.csv has a record without a sys_id/],
  ];
  for (const [name, text, said] of mistakes) {
    it(`nothing is sent for ${name} with ${JSON.stringify(text)}`, async () => {
      if (text !== undefined) await writeFiles(folder, { [name]: text });
      for (const yes of [[], ['--yes']]) {
        const { code, stderr } = await run('delete-many', 'itsm', 'incident', name, ...yes);
        assert.deepEqual([code, writes().length], [1, 0], stderr);
        assert.match(stderr, said);
        assert.doesNotMatch(stderr, /\bat .*:\d+:\d+/);
      }
    });
  }
});
