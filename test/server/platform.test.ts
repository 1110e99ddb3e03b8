import assert from 'node:assert/strict';
import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CancellationTokenSource } from 'vscode-languageserver/node';
import type { ApiExchange, ApiRequest, ApiText, ApiView } from '../../protocol/api-explorer.ts';
import type { IntentEdits } from '../../protocol/canvas-intents.ts';
import type { ActionPreview, ActionResult, PlatformAction } from '../../protocol/platform-actions.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

describe('language server: ServiceNow actions and API explorer', () => {
  let folder = '';
  let simulator: Simulator;
  let client: LspClient | undefined;
  before(async () => {
    simulator = await startSimulator({ incidents: 5 });
    const auth = `{ kind: basic, user: analyst, password: '\${secret:itsm}' }`;
    const settings = `kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: ${auth}`;
    folder = await folderWith({ 'entity-sources.yaml': `version: 1\ndataSources:\n  itsm: { ${settings} }\n` });
  });
  afterEach(async () => {
    await client?.close();
    client = undefined;
  });
  after(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  async function start(trusted: boolean): Promise<LspClient> {
    const value = simulator.logins.password;
    const answers = { 'entityGraph/secret': () => ({ value }) };
    client = await startLspClient({ folder, initializationOptions: { trusted, extended: true }, answers });
    return client;
  }

  const paramsOf = (action: PlatformAction) => {
    return { uri: pathToFileURL(`${folder}/entity-sources.yaml`).href, dataSource: 'itsm', action };
  };

  it('previews an action, then runs it', async () => {
    const { connection } = await start(true);
    const action = { kind: 'create record', table: 'incident', values: { short_description: 'VPN' } } as const;
    const before = simulator.requests.length;
    const preview: Outcome<ActionPreview> = await connection.sendRequest('entityGraph/previewAction', paramsOf(action));
    assert.ok(preview.ok && preview.value.writes);
    assert.ok(!JSON.stringify(preview).includes(simulator.logins.password));
    assert.equal(simulator.requests.length, before);
    const done: Outcome<ActionResult> = await connection.sendRequest('entityGraph/runAction', paramsOf(action));
    assert.ok(done.ok, JSON.stringify(done));
    assert.match(done.value.summary, /^The record [0-9a-f]{32} of incident is created\.$/);
    const record = simulator.instance.data.get('incident')?.find((each) => each['sys_id'] === done.value.id);
    assert.equal(record?.['short_description'], 'VPN');
  });

  it('asks for the secret of the source whose rows are staged, and previews the first row', async () => {
    const element = 'activityName: A, dataObject: incident, startTimestamp: opened_at, properties: [number]';
    const graph = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - { ${element} }\n`;
    await writeFiles(folder, { 'rows.entity.yaml': graph });
    const { connection } = await start(true);
    const target = { kind: 'element', name: 'A' } as const;
    const rows = { kind: 'query', graph: join(folder, 'rows.entity.yaml'), target } as const;
    const action = { kind: 'stage rows', table: 'imp_incident', rows, bulk: false } as const;
    const before = simulator.requests.length;
    const preview: Outcome<ActionPreview> = await connection.sendRequest('entityGraph/previewAction', paramsOf(action));
    assert.ok(preview.ok, JSON.stringify(preview));
    const row = JSON.parse(preview.value.http.split('\n\n')[1] ?? '') as Record<string, string>;
    assert.match(row['number'] ?? '', /^INC\d{7}$/);
    assert.ok(simulator.requests.slice(before).every(({ method }) => method === 'GET'));
  });

  it('overwrites a file with an attachment only on request', async () => {
    const { connection } = await start(true);
    const run = async (action: PlatformAction): Promise<Outcome<ActionResult>> =>
      connection.sendRequest('entityGraph/runAction', paramsOf(action));
    const id = simulator.instance.data.get('incident')?.[0]?.['sys_id'] ?? '';
    await writeFiles(folder, { 'new.txt': 'new', 'old.txt': 'old' });
    const up = await run({ kind: 'upload attachment', table: 'incident', id, file: join(folder, 'new.txt') });
    const attachment = (up.ok && up.value.id) || '';
    const target = join(folder, 'old.txt');
    const refused = await run({ kind: 'download attachment', attachment, target });
    assert.ok(!refused.ok && /is there already/.test(refused.error.message));
    const missing = await run({ kind: 'download attachment', attachment: 'none', target, overwrite: true });
    assert.ok(!missing.ok);
    assert.equal(await readFile(target, 'utf8'), 'old');
    assert.ok((await run({ kind: 'download attachment', attachment, target, overwrite: true })).ok);
    assert.equal(await readFile(target, 'utf8'), 'new');
    assert.deepEqual(
      (await readdir(folder)).filter((name) => name.endsWith('.part')),
      [],
    );
  });

  it('reports staging progress, and the results up to a cancellation', async () => {
    await writeFiles(folder, { 'rows.csv': `u_number,u_short_description\n${'N,Row\n'.repeat(50)}` });
    const { connection } = await start(true);
    const cancel = new CancellationTokenSource();
    const reached: string[] = [];
    connection.onNotification('entityGraph/requestProgress', (news: { progressToken: string; message: string }) => {
      assert.equal(news.progressToken, 'one');
      reached.push(news.message);
      if (news.message === '2 rows staged') cancel.cancel();
    });
    const rows = { kind: 'file', file: join(folder, 'rows.csv') } as const;
    const params = paramsOf({ kind: 'stage rows', table: 'imp_incident', rows, bulk: false });
    const done: Outcome<ActionResult> = await connection.sendRequest(
      'entityGraph/runAction',
      { ...params, progressToken: 'one' },
      cancel.token,
    );
    assert.ok(done.ok, JSON.stringify(done));
    assert.deepEqual(reached.slice(0, 2), ['1 row staged', '2 rows staged']);
    const { rows: outcomes = [], summary, stopped } = done.value;
    assert.ok(outcomes.length >= 2 && outcomes.length < 50, summary);
    assert.deepEqual([outcomes[0]?.status, outcomes[1]?.status, stopped], ['inserted', 'inserted', true]);
    assert.match(summary, /Cancelled: no further row was sent\.$/);
  });

  const exploring = (request: Partial<ApiRequest>) => ({
    ...{ uri: pathToFileURL(`${folder}/entity-sources.yaml`).href, dataSource: 'itsm' },
    request: { method: 'GET', path: '', parameters: [], body: '', ...request },
  });

  it('explorer: lists endpoints, shows and sends a request, derives columns, and adds a data object', async () => {
    const { connection } = await start(true);
    const view: Outcome<ApiView> = await connection.sendRequest('entityGraph/apiView', exploring({}));
    assert.ok(view.ok && view.value.address === `${simulator.url}/`);
    assert.ok(view.value.endpoints.some(({ path }) => path === '/api/now/stats/incident'));
    const parameters = [
      { name: 'sysparm_limit', value: '2' },
      { name: '', value: 'unfinished' },
    ];
    const params = exploring({ path: '/api/now/table/problem', parameters });
    const before = simulator.requests.length;
    const text: Outcome<ApiText> = await connection.sendRequest('entityGraph/apiText', params);
    assert.ok(text.ok && simulator.requests.length === before);
    assert.equal(
      text.value.http,
      `GET ${simulator.url}/api/now/table/problem?sysparm_limit=2\nAccept: application/json, */*;q=0.5\nAuthorization: Basic ***`,
    );
    const sent: Outcome<ApiExchange> = await connection.sendRequest('entityGraph/apiSend', params);
    assert.ok(sent.ok, JSON.stringify(sent));
    const { status, list, columns, headers } = sent.value;
    assert.deepEqual([status, list?.records, sent.value.recordCount], [200, 'result', 1]);
    assert.ok(columns.some(({ name }) => name === 'opened_at'));
    assert.equal(headers.find(({ name }) => name === 'set-cookie')?.value, '***');
    const edit: Outcome<IntentEdits> = await connection.sendRequest('entityGraph/apiEntry', {
      ...params,
      list,
    });
    assert.deepEqual(edit.ok && edit.value.edits.map(({ newText }) => newText), [', problem']);
    const filtered = exploring({ path: '/api/now/table/problem?sysparm_query=active%3Dtrue' });
    const noted: Outcome<IntentEdits & { notes: readonly string[] }> = await connection.sendRequest(
      'entityGraph/apiEntry',
      { ...filtered, list },
    );
    assert.deepEqual(noted.ok && [noted.value.edits[0]?.newText, noted.value.notes.length], [', problem', 1]);
  });

  it('explorer: shows files by type, and numbers with every digit', async () => {
    const { connection } = await start(true);
    const id = simulator.instance.data.get('incident')?.[0]?.['sys_id'] ?? '';
    const parameters = [
      { name: 'table_name', value: 'incident' },
      { name: 'table_sys_id', value: id },
      { name: 'file_name', value: 'notes.json' },
    ];
    const body = '{"id":12345678901234567890}';
    const made: Outcome<ApiExchange> = await connection.sendRequest(
      'entityGraph/apiSend',
      exploring({ method: 'POST', path: '/api/now/attachment/file', parameters, body }),
    );
    assert.ok(made.ok && made.value.status === 201, JSON.stringify(made));
    const attachment = simulator.instance.data.get('sys_attachment')?.at(-1);
    const path = `/api/now/attachment/${attachment?.['sys_id']}/file`;
    const file: Outcome<ApiExchange> = await connection.sendRequest('entityGraph/apiSend', exploring({ path }));
    assert.equal(file.ok && file.value.body, '{\n  "id": 12345678901234567890\n}');
    assert.equal(simulator.requests.at(-1)?.headers['accept'], '*/*');
    if (attachment) attachment['content_type'] = 'image/png';
    const picture: Outcome<ApiExchange> = await connection.sendRequest('entityGraph/apiSend', exploring({ path }));
    assert.equal(picture.ok && picture.value.body, '<27 bytes of image/png>');
  });

  it('explorer: shows error responses of the instance, and explains why a request cannot be sent', async () => {
    const { connection } = await start(true);
    const missing: Outcome<ApiExchange> = await connection.sendRequest(
      'entityGraph/apiSend',
      exploring({ path: '/api/now/table/nonsense' }),
    );
    assert.ok(missing.ok && missing.value.status === 400 && /Invalid table/.test(missing.value.body));
    const wrong: readonly (readonly [request: Partial<ApiRequest>, said: RegExp])[] = [
      [{ path: 'https://evil.example/x' }, /leave the host out/],
      [{ path: '//evil.example/x' }, /leave the host out/],
      [{ method: 'POST', path: '/x', body: '{' }, /The body is not JSON/],
    ];
    for (const [request, said] of wrong) {
      const refused: Outcome<unknown> = await connection.sendRequest('entityGraph/apiText', exploring(request));
      assert.ok(!refused.ok && said.test(refused.error.message), JSON.stringify(refused));
    }
    const stats = { ...exploring({ path: '/api/now/stats/incident' }), list: { records: '' } };
    const entry: Outcome<unknown> = await connection.sendRequest('entityGraph/apiEntry', stats);
    assert.ok(!entry.ok && /Only tables and scripted endpoints/.test(entry.error.message));
  });

  it('is disabled in an untrusted workspace', async () => {
    const { connection } = await start(false);
    const action = { kind: 'delete record', table: 'incident', id: 'a' } as const;
    for (const method of ['entityGraph/previewAction', 'entityGraph/runAction']) {
      const refused: Outcome<unknown> = await connection.sendRequest(method, paramsOf(action));
      assert.ok(!refused.ok && refused.error.code === 'workspace-untrusted');
    }
  });
});
