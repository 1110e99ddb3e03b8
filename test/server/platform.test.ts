import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import type { ActionPreview, ActionResult, PlatformAction } from '../../protocol/platform-actions.ts';
import type { Outcome } from '../../protocol/query-results.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, startLspClient } from './lsp-client.ts';

describe('language server: work at the platform', () => {
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

  it('shows what an action sends, then does it', async () => {
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

  it('does nothing in a workspace that is not trusted', async () => {
    const { connection } = await start(false);
    const action = { kind: 'delete record', table: 'incident', id: 'a' } as const;
    for (const method of ['entityGraph/previewAction', 'entityGraph/runAction']) {
      const refused: Outcome<unknown> = await connection.sendRequest(method, paramsOf(action));
      assert.ok(!refused.ok && refused.error.code === 'workspace-untrusted');
    }
  });
});
