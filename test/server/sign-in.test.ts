import assert from 'node:assert/strict';
import type { AuthorizationRequest } from '../../protocol/requests/client-requests.ts';
import type { ImportOutcome } from '../../protocol/import-progress.ts';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { startProxy } from '../support/proxy-server.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, type LspClientOptions, startLspClient } from './lsp-client.ts';

const graph = `version: 1
name: Incidents
dataSource: itsm
dataObjects: [incident]
elements:
  - activityName: Open Incident
    dataObject: incident
    startTimestamp: opened_at
`;
const target = { kind: 'element', name: 'Open Incident' };

describe('language server: browser login and proxies', () => {
  let folder = '';
  let simulator: Simulator;
  let client: LspClient | undefined;
  before(async () => (simulator = await startSimulator({ incidents: 5 })));
  after(() => simulator.close());
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await removeFolder(folder);
  });

  /** A server in a folder with this data source; resolves to the URI of a graph of it. */
  async function start(source: string, options: Partial<LspClientOptions>): Promise<string> {
    const sources = `version: 1\ndataSources:\n  itsm: { ${source} }\n`;
    folder = await folderWith({ 'entity-sources.yaml': sources, 'i.entity.yaml': graph });
    client = await startLspClient({ folder, initializationOptions: { trusted: true, extended: true }, ...options });
    return client.open(`${folder}/i.entity.yaml`, graph);
  }

  function instance(): string {
    const { clientId, clientSecret } = simulator.logins;
    const auth = `{ kind: oauth2, grant: authorization_code, clientId: ${clientId}, clientSecret: '${clientSecret}' }`;
    return `kind: servicenow, instanceUrl: '${simulator.url}', tables: [incident], auth: ${auth}`;
  }

  /** Logs in on the page of the instance, as a user does in a browser. */
  async function logIn({
    url,
  }: AuthorizationRequest): Promise<{ readonly redirectUri: string; readonly code: string }> {
    const page = new URL(url);
    page.searchParams.set('redirect_uri', 'vscode://x/oauth');
    const { headers } = await fetch(page, { redirect: 'manual' });
    const code = new URL(headers.get('location') ?? '').searchParams.get('code') ?? '';
    return { redirectUri: 'vscode://x/oauth', code };
  }

  it('logs in once when a query needs it, and reuses the login for the import', async () => {
    const kept = new Map<string, string>();
    const pages: AuthorizationRequest[] = [];
    const uri = await start(instance(), {
      answers: {
        'entityGraph/secret': () => ({ value: null }),
        'entityGraph/token': ({ name }: { name: string }) => ({ value: kept.get(name) ?? null }),
        'entityGraph/keepToken': ({ name, value }: { name: string; value: string | null }) => {
          if (value === null) kept.delete(name);
          else kept.set(name, value);
          return null;
        },
        'entityGraph/authorize': (request: AuthorizationRequest) => {
          pages.push(request);
          if (pages.length === 1) return { redirectUri: 'vscode://x/oauth', error: 'access_denied' };
          return logIn(request);
        },
      },
    });
    const test = (): Promise<Outcome<TestQueryResult>> | undefined =>
      client?.connection.sendRequest('entityGraph/testQuery', { uri, target });
    const refused = await test();
    assert.ok(refused && !refused.ok && /login to itsm was refused: access_denied/.test(refused.error.message));
    const shown = await test();
    assert.ok(shown?.ok, JSON.stringify(shown));
    assert.equal(shown.value.rows.length, 5);
    const summary: ImportOutcome | undefined = await client?.connection.sendRequest('entityGraph/import', { uri });
    assert.equal(summary?.status, 'imported', JSON.stringify(summary));
    assert.equal(pages.length, 2);
    assert.match(pages[1]?.url ?? '', /\/oauth_auth\.do\?response_type=code&client_id=client-1&state=/);
    assert.equal(kept.size, 1);
  });

  it('runs a query after the login, though a read of the catalog that began before it fails for lack of one', async () => {
    let kept: string | null = null;
    let tellRead = (): void => undefined;
    const isRead = new Promise<void>((resolve) => (tellRead = resolve));
    let tellKept = (): void => undefined;
    const isKept = new Promise<void>((resolve) => (tellKept = resolve));
    let asked = 0;
    const uri = await start(instance(), {
      answers: {
        'entityGraph/secret': () => ({ value: null }),
        'entityGraph/token': async () => {
          asked += 1;
          if (asked > 1) return { value: kept };
          // The catalog is read in the background when the graph is opened.
          tellRead();
          await isKept;
          return { value: null };
        },
        'entityGraph/keepToken': ({ value }: { value: string | null }) => {
          kept = value;
          // The test query has begun to wait for the read when it fails.
          setTimeout(tellKept, 300);
          return null;
        },
        'entityGraph/authorize': logIn,
      },
    });
    await isRead;
    const shown: Outcome<TestQueryResult> | undefined = await client?.connection.sendRequest('entityGraph/testQuery', {
      uri,
      target,
    });
    assert.ok(shown?.ok, JSON.stringify(shown));
    assert.equal(shown.value.rows.length, 5);
  });

  it('uses the proxy setting of the editor, also in imports', async () => {
    const records = [{ sys_id: 'a', opened_at: '2024-01-01T00:00:00Z' }];
    const proxy = await startProxy({ respond: () => records });
    const endpoint = '{ name: incident, path: /incidents, key: sys_id }';
    const uri = await start(`kind: rest, baseUrl: 'http://acme.example', endpoints: [${endpoint}]`, {
      capabilities: { workspace: { configuration: true } },
      answers: {
        'entityGraph/secret': () => ({ value: null }),
        'workspace/configuration': ({ items }: { items: readonly { readonly section?: string }[] }) =>
          items.map(({ section }) => (section === 'http' ? { proxy: proxy.url, noProxy: [] } : {})),
      },
    });
    const summary: ImportOutcome | undefined = await client?.connection.sendRequest('entityGraph/import', { uri });
    await proxy.close();
    assert.equal(summary?.status, 'imported', JSON.stringify(summary));
    assert.equal(summary.totals.events, 1);
    assert.deepEqual(new Set(proxy.asked), new Set(['GET http://acme.example/incidents']));
  });
});
