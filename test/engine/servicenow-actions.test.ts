import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { runCli, type CliRun } from '../support/run-cli.ts';
import { runCommand } from '../support/run-command.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

const graph = `version: 1
name: Incidents
dataSource: itsm
dataObjects: [incident]
elements:
  - activityName: Open Incident
    dataObject: incident
    startTimestamp: opened_at
    properties: [short_description]
`;

describe('command line › write actions of ServiceNow', () => {
  let folder = '';
  let simulator: Simulator;
  before(async () => {
    simulator = await startSimulator({ incidents: 5 });
    const settings = `kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: { kind: basic, user: analyst, password: '\${secret:itsm}' }`;
    const sources = `version: 1\ndataSources:\n  itsm: { ${settings} }\n  files: { kind: csv, path: '*.csv' }\n`;
    folder = await folderWith({ 'entity-sources.yaml': sources, 'i.entity.yaml': graph });
  });
  after(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  function run(...args: readonly string[]): Promise<CliRun> {
    const env = { ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password };
    return runCommand(['servicenow', ...args, '--workspace', folder], folder, env);
  }

  const incidents = () => simulator.instance.data.get('incident') ?? [];

  it('a preview shows the request without credentials, and sends nothing', async () => {
    const before = simulator.requests.length;
    const shown = await runCli(
      ['servicenow', 'create', 'itsm', 'incident', 'short_description=VPN', '--workspace', folder],
      {
        cwd: folder,
        env: { ENTITY_GRAPH_SECRET_ITSM: undefined },
      },
    );
    assert.deepEqual([shown.code, simulator.requests.length], [0, before]);
    assert.equal(
      shown.stdout,
      `POST ${simulator.url}/api/now/table/incident\nAccept: application/json\nContent-Type: application/json\nAuthorization: Basic ***\n\n{\n  "short_description": "VPN"\n}\n`,
    );
    assert.match(shown.stderr, /Nothing was sent: add --yes/);
    const curl = await run('delete', 'itsm', 'incident', 'abc', '--curl');
    assert.match(
      curl.stdout,
      /^curl --request DELETE '.*\/incident\/abc' \\\n {2}--header 'Accept: application\/json' /,
    );
    const json = await run('delete', 'itsm', 'incident', 'abc', '--format', 'json');
    const preview = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual([preview['sent'], preview['writes']], [false, true]);
    assert.match(String(preview['curl']), /^curl --request DELETE '.*\/api\/now\/table\/incident\/abc' \\\n/);
  });

  it('a record is created, changed and deleted', async () => {
    const fields = '{"short_description": "from file", "urgency": 2, "description": 12345678901234567890.0}';
    await writeFiles(folder, { 'fields.json': fields });
    const made = await run(
      'create',
      'itsm',
      'incident',
      'short_description=It’s slow',
      '--data',
      'fields.json',
      '--yes',
      '--format',
      'json',
    );
    const { id } = JSON.parse(made.stdout) as { id: string };
    const record = incidents().find((each) => each['sys_id'] === id);
    assert.deepEqual([record?.['short_description'], record?.['urgency']], ['It’s slow', '2']);
    assert.equal(record?.['description'], '12345678901234567890.0');
    const changed = await run('update', 'itsm', 'incident', id, 'state=2', '--yes');
    assert.match(changed.stderr, new RegExp(`The record ${id} of incident is updated`));
    assert.equal(record?.['state'], '2');
    assert.equal((await run('delete', 'itsm', 'incident', id, '--yes')).code, 0);
    assert.equal(incidents().length, 5);
    const gone = await run('delete', 'itsm', 'incident', id, '--yes');
    assert.deepEqual([gone.code, gone.stdout], [1, '']);
    assert.match(gone.stderr, /finds nothing for DELETE/);
  });

  it('nothing is written with ENTITY_GRAPH_SOURCES_READ_ONLY=1', async () => {
    const env = { ENTITY_GRAPH_SECRET_ITSM: simulator.logins.password, ENTITY_GRAPH_SOURCES_READ_ONLY: '1' };
    const readOnly = (...args: readonly string[]): Promise<CliRun> =>
      runCommand(['servicenow', ...args, '--workspace', folder], folder, env);
    const id = incidents()[0]?.['sys_id'] ?? '';
    const before = simulator.requests.length;
    for (const args of [
      ['create', 'itsm', 'incident', 'urgency=2'],
      ['delete', 'itsm', 'incident', id],
      ['call', 'itsm', 'POST', 'x_acme/ops/outages'],
    ]) {
      const { code, stderr } = await readOnly(...args, '--yes');
      assert.deepEqual([code, simulator.requests.length], [1, before], args.join(' '));
      assert.match(stderr, /itsm may not be written to: ENTITY_GRAPH_SOURCES_READ_ONLY is set/);
    }
    assert.equal((await readOnly('attachments', 'itsm', 'incident', id)).code, 0);
  });

  it('fields that the instance ignored are listed', async () => {
    const id = incidents()[0]?.['sys_id'] ?? '';
    const changed = await run('update', 'itsm', 'incident', id, 'urgncy=2', 'active=1', 'comments=hi', '--yes');
    assert.equal(changed.code, 0);
    assert.match(changed.stderr, /warning: The record has no urgncy, comments, or none that this user may read/);
    assert.match(changed.stderr, /is updated\.\n$/);
    const json = await run('update', 'itsm', 'incident', id, 'urgency=3', '--yes', '--format', 'json');
    assert.deepEqual(Object.keys(JSON.parse(json.stdout) as object), ['sent', 'summary', 'id', 'answer']);
    // Like a rule of the instance that sets a field itself.
    const record = {
      sys_id: id,
      urgency: '1',
      assigned_to: { link: 'https://x', value: 'abc' },
      state: '',
      comments: '',
    };
    simulator.failNext({ kind: 'answer', body: JSON.stringify({ result: record }) });
    const fields = ['urgency=3', 'assigned_to=abc', 'state=2', 'comments=hi'];
    const ruled = await run('update', 'itsm', 'incident', id, ...fields, '--yes', '--format', 'json');
    assert.deepEqual((JSON.parse(ruled.stdout) as { warnings: unknown }).warnings, [
      'The record differs from the one sent: urgency is "1", state is empty. A rule changed that, the user may not write it, or it is a journal or a password, which are never shown.',
    ]);
    simulator.failNext({ kind: 'answer', body: '' });
    const unseen = await run('create', 'itsm', 'incident', 'urgency=3', '--yes');
    assert.match(
      unseen.stderr,
      /warning: The instance does not show the record.*The record \w{32} of incident is created\.\n$/s,
    );
  });

  it('display values are accepted', async () => {
    const [record] = incidents();
    const id = record?.['sys_id'] ?? '';
    const fields = ['assignment_group=Group 2', 'opened_at=01/07/2024 06:00:00', 'short_description=seen'];
    const update = ['update', 'itsm', 'incident', id, ...fields, '--input-display-value'];
    const shown = await run(...update);
    const parameters = 'sysparm_input_display_value=true&sysparm_display_value=all';
    assert.equal(shown.stdout.split('\n')[0], `PATCH ${simulator.url}/api/now/table/incident/${id}?${parameters}`);
    assert.match(shown.stderr, /of incident at 127\.0\.0\.1:\d+, with values as they are shown\./);
    assert.match((await run(...update, '--curl')).stdout, /sysparm_input_display_value=true/);
    const sent = await run(...update, '--yes');
    assert.equal(sent.code, 0);
    assert.doesNotMatch(sent.stderr, /warning/);
    const group = simulator.instance.data.get('sys_user_group')?.[2]?.['sys_id'];
    assert.deepEqual(
      [record?.['assignment_group'], record?.['opened_at'], record?.['short_description']],
      [group, '2024-07-01 10:00:00', 'seen'],
    );
    const made = await run('create', 'itsm', 'incident', 'assignment_group=Group 3', '--input-display-value', '--yes');
    assert.doesNotMatch(made.stderr, /warning/);
    assert.equal(
      incidents().at(-1)?.['assignment_group'],
      simulator.instance.data.get('sys_user_group')?.[3]?.['sys_id'],
    );
    await run('delete', 'itsm', 'incident', incidents().at(-1)?.['sys_id'] ?? '', '--yes');
    // Without it, the same value is stored.
    await run('update', 'itsm', 'incident', id, 'short_description=stored', '--yes');
    assert.equal(simulator.requests.at(-1)?.parameters.size, 0);
  });

  it('fields are read from a file with a byte order mark', async () => {
    await writeFiles(folder, { 'marked.json': '\uFEFF{"short_description": "marked"}' });
    const shown = await run('create', 'itsm', 'incident', '--data', 'marked.json');
    assert.match(shown.stdout, /"short_description": "marked"/);
  });

  it('files are attached, listed, saved and deleted', async () => {
    const bytes = Buffer.from(Array.from({ length: 3000 }, (_, index) => index % 256));
    await writeFiles(folder, { 'picture.png': bytes });
    const id = incidents()[0]?.['sys_id'] ?? '';
    for (const form of [[], ['--form']]) {
      const up = await run('attach', 'itsm', 'incident', id, 'picture.png', ...form, '--yes', '--format', 'json');
      assert.equal(up.code, 0, up.stderr);
      const attachment = (JSON.parse(up.stdout) as { id: string }).id;
      const listed = await run('attachments', 'itsm', 'incident', id, '--format', 'json');
      const { answer } = JSON.parse(listed.stdout) as { answer: readonly Record<string, string>[] };
      assert.deepEqual(
        answer.map((meta) => [meta['sys_id'], meta['file_name'], meta['content_type']]),
        [[attachment, 'picture.png', 'image/png']],
      );
      const shown = await run('attachments', 'itsm', 'incident', id);
      assert.match(shown.stdout, /^File +Type +Bytes +Created +Attachment\n.*\npicture\.png +image\/png +3000 /);
      assert.ok(shown.stdout.includes(attachment));
      const target = `saved${form.length}.png`;
      assert.equal((await run('download', 'itsm', attachment, '--output', target)).code, 0);
      assert.deepEqual(await readFile(join(folder, target)), bytes);
      const again = await run('download', 'itsm', attachment, '--output', target);
      assert.match(again.stderr, /is there already/);
      assert.equal((await run('detach', 'itsm', attachment, '--yes')).code, 0);
    }
  });

  it('rows of a file are staged one by one, with a result for each', async () => {
    await writeFiles(folder, { 'rows.csv': 'u_number,u_short_description\n007,First\n008,\n009,"Third, and last"\n' });
    const staged = await run('stage', 'itsm', 'imp_incident', 'rows.csv', '--yes', '--format', 'json');
    assert.equal(staged.code, 1, 'a row was refused');
    const { rows } = JSON.parse(staged.stdout) as { rows: readonly Record<string, unknown>[] };
    assert.deepEqual(
      rows.map(({ row, status }) => [row, status]),
      [
        [1, 'inserted'],
        [2, 'error'],
        [3, 'inserted'],
      ],
    );
    assert.match(String(rows[1]?.['message']), /no description/);
    const made = incidents().filter((each) => /^00[79]$/.test(each['number'] ?? ''));
    assert.deepEqual(
      made.map((each) => each['short_description']),
      ['First', 'Third, and last'],
    );
  });

  it('staging resumes with the rows that were not sent', async () => {
    const lines = Array.from({ length: 5 }, (_, index) => `G${index + 1},Row ${index + 1}`);
    await writeFiles(folder, { 'five.csv': `u_number,u_short_description\n${lines.join('\n')}\n` });
    const five = ['stage', 'itsm', 'imp_incident', 'five.csv'];
    let posts = 0;
    const on = ({ method }: { readonly method: string }): boolean => method === 'POST' && (posts += 1) === 3;
    simulator.failNext({ kind: 'status', status: 400 }, { on });
    const refused = await run(...five, '--yes');
    assert.match(refused.stderr, /No further row was sent\.\nStage the others with --from 3\.\n$/);
    const shown = await run(...five, '--from', '3');
    assert.match(shown.stderr, /^Inserts 3 rows of five\.csv into imp_incident at .*, from row 3 on, one by one/);
    assert.match(shown.stdout, /"u_number": "G3"/);
    simulator.failNext({ kind: 'cut-socket' });
    const cut = await run(...five, '--from', '3', '--yes', '--format', 'json');
    const { rows, next } = JSON.parse(cut.stdout) as { rows: readonly Record<string, unknown>[]; next: number };
    assert.deepEqual([rows.map(({ row, status }) => [row, status]), next], [[[3, 'unknown']], 4]);
    const rest = await run(...five, '--from', '4', '--yes', '--bulk', '--format', 'json');
    const done = JSON.parse(rest.stdout) as { rows: readonly Record<string, unknown>[]; next?: number };
    assert.deepEqual(
      [done.rows.map(({ row, status }) => [row, status]), done.next],
      [
        [
          [4, 'inserted'],
          [5, 'inserted'],
        ],
        undefined,
      ],
    );
    const beyond = await run(...five, '--from', '6');
    assert.match(beyond.stderr, /has no rows, from row 6 on: nothing would be inserted/);
  });

  it('files and query results are staged in bulk', async () => {
    const rows = Array.from({ length: 620 }, (_, index) => `N${index},Row ${index}`);
    await writeFiles(folder, { 'many.csv': `u_number,u_short_description\n${rows.join('\n')}\n` });
    const before = simulator.requests.length;
    const bulk = await run('stage', 'itsm', 'imp_incident', 'many.csv', '--bulk', '--yes', '--format', 'json');
    const outcome = JSON.parse(bulk.stdout) as { summary: string; rows: readonly unknown[] };
    assert.equal(outcome.summary, '620 rows staged in imp_incident: 620 inserted.');
    const posts = simulator.requests.slice(before).filter(({ method }) => method === 'POST');
    assert.equal(posts.length, 2);
    const before2 = simulator.requests.length;
    const incidentsBefore = incidents().map((record) => ({ ...record }));
    const query = await run('stage', 'itsm', 'imp_incident', 'i.entity.yaml', '--element', 'Open Incident', '--yes');
    assert.match(query.stderr, /rows staged in imp_incident: \d+ error/);
    const sent = simulator.requests.slice(before2).filter(({ path }) => path.endsWith('/import/imp_incident'));
    const values = sent.map(({ body }) => JSON.parse(body.toString('utf8')) as Record<string, string>);
    assert.deepEqual(
      values.map((row) => [row['sys_id'], row['opened_at'] ?? '']).sort(),
      incidentsBefore.map((record) => [record['sys_id'], record['opened_at'] ?? '']).sort(),
    );
  });

  it('scripted endpoints are called', async () => {
    const read = await run('call', 'itsm', 'GET', 'x_acme/ops/outages', '--format', 'json');
    assert.equal((JSON.parse(read.stdout) as { answer: { result: unknown[] } }).answer.result.length, 10);
    const body = await run('call', 'itsm', 'POST', 'x_acme/ops/outages/3');
    assert.match(body.stderr, /Nothing was sent/);
    const text = '{"a": 1.0, "id": 12345678901234567890}';
    await writeFiles(folder, { 'body.json': text });
    const post = ['call', 'itsm', 'POST', '/x_acme/ops/outages/3?now=true', '--data', 'body.json'];
    const shown = await run(...post);
    assert.ok(
      shown.stdout.endsWith(`/outages/3?now=true\n${shown.stdout.split('\n').slice(1, 4).join('\n')}\n\n${text}\n`),
    );
    const sent = await run(...post, '--yes');
    assert.match(sent.stdout, /"closed": "3"/);
    assert.equal(simulator.requests.at(-1)?.body.toString('utf8'), text);
    // Text copied from the instance or the explorer starts earlier; a repeated parameter is sent repeatedly.
    for (const path of ['/api/x_acme/ops/paged', `${simulator.url}/api/x_acme/ops/paged?size=1`]) {
      assert.equal((await run('call', 'itsm', 'GET', path, 'page=1', 'page=2')).code, 0);
      const { path: called, parameters } = simulator.requests.at(-1) ?? {};
      assert.deepEqual([called, parameters?.getAll('page')], ['/api/x_acme/ops/paged', ['1', '2']]);
    }
    simulator.failNext({ kind: 'answer', body: '{"result": [{"id": 12345678901234567890, "x": 1.0}]}' });
    const answered = await run('call', 'itsm', 'GET', 'x_acme/ops/outages', '--format', 'json');
    assert.match(
      answered.stdout,
      /"answer": \{\n {4}"result": \[\n {6}\{\n {8}"id": 12345678901234567890,\n {8}"x": 1\.0\n/,
    );
    assert.deepEqual(Object.keys(JSON.parse(answered.stdout) as object), ['sent', 'summary', 'answer']);
  });

  /** One row per mistake: the arguments, the exit code and the message. */
  const mistakes: readonly (readonly [args: readonly string[], code: number, said: RegExp])[] = [
    [['paint', 'itsm'], 2, /"paint" is not one of create, update/],
    [['update', 'itsm', 'incident'], 2, /update SOURCE is followed by TABLE SYS_ID/],
    [['create', 'itsm', 'incident', 'state'], 2, /"state" is not written as NAME=VALUE/],
    [['create', 'itsm', 'incident'], 1, /No field is set/],
    [['create', 'itsm', 'inc/x', 'a=b'], 1, /"inc\/x" is not a table name/],
    [['delete', 'itsm', 'incident', '../x'], 1, /is not a sys_id/],
    [['delete', 'files', 'incident', 'x'], 1, /files is not an instance of the platform: its kind is csv/],
    [['delete', 'itms', 'incident', 'x'], 1, /Did you mean itsm/],
    [['stage', 'itsm', 'imp_incident', 'none.csv', '--yes'], 1, /none\.csv/],
    [['call', 'itsm', 'FETCH', 'x'], 2, /"FETCH" is not one of GET/],
    [['create', 'itsm', 'incident', 'state=1', 'state=2'], 2, /state is set twice/],
    [['attach', 'itsm', 'incident', 'x', 'none.png', '--yes'], 1, /There is no file .*none\.png.*Check the path/s],
    [['attachments', 'itsm', 'incident', 'none'], 1, /finds nothing for GET .*incident\/none/],
    [['attachments', 'itsm', 'nonsense', 'none'], 1, /has no table nonsense/],
    [['attach', 'itsm', 'incident', 'x', 'none.png'], 1, /There is no file .*none\.png/],
    [['attach', 'itsm', 'incident', 'x', '.', '--yes'], 1, /is not a file.*Name a file/s],
    [['download', 'itsm', 'abc', '--output', 'no/such/x.png'], 1, /There is no folder .*such to save/],
    [['download', 'itsm', 'abc', '--output', '.'], 1, /is a folder.*Name a file, such as/s],
    [['stage', 'itsm', 'imp_incident', 'i.entity.yaml', '--yes'], 2, /is an entity graph: say with --element/],
    [['stage', 'itsm', 'imp_incident', 'rows.csv', '--from', '0'], 2, /--from takes a whole number/],
    [
      ['stage', 'itsm', 'imp_incident', 'i.entity.yaml', '--element', 'x', '--from', '2'],
      2,
      /--from is for rows of a file/,
    ],
    [['call', 'itsm', 'GET', 'https://evil.example/api/x'], 1, /is not below http.*\/api: leave the host out/],
    [['call', 'itsm', 'GET', '//evil.example/api/x'], 1, /leave the host out/],
    [['call', 'itsm', 'GET', 'x/../../y'], 1, /leads out of \/api/],
    [['call', 'itsm', 'GET', ' /api/ '], 1, /The path is missing, such as/],
    [['call', 'itsm', 'GET', 'x_acme/ops/raw', '--data', 'entity-sources.yaml'], 1, /GET is sent without a body/],
  ];
  for (const [args, code, said] of mistakes) {
    it(`${args.join(' ')} is refused`, async () => {
      const refused = await run(...args);
      assert.match(refused.stderr, said);
      assert.equal(refused.code, code);
      assert.doesNotMatch(refused.stderr, /\bat .*:\d+:\d+/);
    });
  }
});
