import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type CancellationToken,
  CancellationTokenSource,
  LSPErrorCodes,
  type ResponseError,
  type ShowMessageRequestParams,
} from 'vscode-languageserver-protocol/node';
import type { Outcome, TestQueryResult } from '../../protocol/query-results.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { type LspClient, messageOf, startLspClient } from './lsp-client.ts';

// Nothing listens on port 1, so the test only sees the steps up to the password.
const sources = `version: 1
dataSources:
  shop: { kind: postgresql, host: 127.0.0.1, port: 1, database: d, user: u, password: '\${secret:shop pass}' }
`;
const graph = `version: 1
name: Orders
dataSource: shop
dataObjects: [orders]
elements:
  - activityName: Place Order
    dataObject: orders
    startTimestamp: placed_at
`;
const request = 'entityGraph/testQuery';

interface Asked {
  readonly name: string;
  readonly prompt: boolean;
}

describe('language server: secrets', () => {
  let folder: string;
  let client: LspClient | undefined;

  beforeEach(async () => (folder = await folderWith({ 'entity-sources.yaml': sources, 'o.entity.yaml': graph })));
  afterEach(async () => {
    await client?.close();
    client = undefined;
    await removeFolder(folder);
  });

  async function testQuery(started: LspClient): Promise<string> {
    client = started;
    const uri = await started.open(`${folder}/o.entity.yaml`, graph);
    const params = { uri, target: { kind: 'element', name: 'Place Order' } };
    const outcome: Outcome<TestQueryResult> = await started.connection.sendRequest(request, params);
    return outcome.ok ? 'ok' : outcome.error.code;
  }

  it('are requested from our client, and from the user only when needed', async () => {
    const asked: Asked[] = [];
    let stored: string | null = null;
    const started = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: {
        'entityGraph/secret': ({ name, prompt }: Asked) => {
          asked.push({ name, prompt });
          if (prompt) stored = 'pw';
          return { value: stored };
        },
      },
    });
    assert.equal(await testQuery(started), 'source-unreachable');
    assert.ok(asked.every(({ name }) => name === 'shop pass'));
    assert.equal(asked.filter(({ prompt }) => prompt).length, 1);
  });

  it('the plan of an import asks for no secret with prompt: false, and asks once without it', async () => {
    const asked: Asked[] = [];
    const started = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: {
        'entityGraph/secret': ({ name, prompt }: Asked) => (asked.push({ name, prompt }), { value: null }),
      },
    });
    client = started;
    const uri = await started.open(`${folder}/o.entity.yaml`, graph);
    const plan = async (params: object): Promise<string> => {
      const outcome: Outcome<unknown> = await started.connection.sendRequest('entityGraph/importPlan', {
        ...{ uri },
        ...params,
      });
      return outcome.ok ? 'ok' : outcome.error.code;
    };
    assert.equal(await plan({ prompt: false }), 'secret-missing');
    assert.deepEqual(
      asked.filter(({ prompt }) => prompt),
      [],
    );
    assert.equal(await plan({}), 'secret-missing');
    assert.deepEqual(
      asked.filter(({ prompt }) => prompt),
      [{ name: 'shop pass', prompt: true }],
    );
  });

  it('a cancelled query cancels its request for a secret', async () => {
    const asked: string[] = [];
    let cancelled = (): void => {};
    let shown = (): void => {};
    const isCancelled = new Promise<void>((resolve) => (cancelled = resolve));
    const isShown = new Promise<void>((resolve) => (shown = resolve));
    await writeFile(`${folder}/entity-sources.yaml`, sources.replace('user: u', "user: '${secret:shop user}'"));
    const prompt = ({ name, prompt: isPrompt }: Asked, token: CancellationToken): unknown => {
      if (!isPrompt) return { value: null };
      asked.push(name);
      shown();
      return new Promise((resolve) => token.onCancellationRequested(() => (cancelled(), resolve({ value: null }))));
    };
    client = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: { 'entityGraph/secret': prompt },
    });
    const uri = await client.open(`${folder}/o.entity.yaml`, graph);
    const cancellation = new CancellationTokenSource();
    const params = { uri, target: { kind: 'element', name: 'Place Order' } };
    const query = client.connection.sendRequest<Outcome<TestQueryResult>>(request, params, cancellation.token);
    await isShown;
    cancellation.cancel();
    await isCancelled;
    const ended = await query.then(
      (outcome) => (outcome.ok ? 'ok' : outcome.error.code),
      (error: unknown) => (error as ResponseError).code,
    );
    assert.ok(ended === 'cancelled' || ended === LSPErrorCodes.RequestCancelled, String(ended));
    assert.deepEqual(asked, ['shop user']);
  });

  it('a missing secret is reported when the user enters none', async () => {
    const started = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: { 'entityGraph/secret': () => ({ value: null }) },
    });
    assert.equal(await testQuery(started), 'secret-missing');
  });

  it('after one dismissed secret of a source, its others are not requested', async () => {
    const asked: Asked[] = [];
    const two = sources.replace('user: u', "user: '${secret:shop user}'");
    await writeFile(`${folder}/entity-sources.yaml`, two);
    const started = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: {
        'entityGraph/secret': ({ name, prompt }: Asked) => (asked.push({ name, prompt }), { value: null }),
      },
    });
    assert.equal(await testQuery(started), 'secret-missing');
    assert.deepEqual(
      asked.filter(({ prompt }) => prompt).map(({ name }) => name),
      ['shop user'],
    );
  });

  describe('with clients without a secret storage', () => {
    const env = { ENTITY_GRAPH_SECRET_SHOP_PASS: 'pw' };

    it('come from the environment once the user has allowed it', async () => {
      const questions: string[] = [];
      const started = await startLspClient({
        ...{ folder, env },
        answers: {
          'window/showMessageRequest': ({ message, actions }: ShowMessageRequestParams) => {
            questions.push(message);
            return actions?.find(({ title }) => title === 'Allow') ?? null;
          },
        },
      });
      // The only question comes from the background or from the query, whichever is first.
      assert.equal(await testQuery(started), 'source-unreachable');
      assert.equal(
        questions[0],
        'Data source shop of entity-sources.yaml wants to send the environment variable ENTITY_GRAPH_SECRET_SHOP_PASS to postgresql://127.0.0.1:1 (user u, TLS mode prefer: encrypted only if the server offers it). Allow it until the editor is closed?',
      );
      const asked = questions.length;
      assert.equal(await testQuery(started), 'source-unreachable');
      assert.equal(questions.length, asked, 'it is asked once');
    });

    it('are refused when the client does not answer', async () => {
      assert.equal(await testQuery(await startLspClient({ folder, env })), 'secret-not-allowed');
    });

    it('need no consent for origins configured at startup', async () => {
      const initializationOptions = { allowedOrigins: ['postgresql://127.0.0.1:1'] };
      assert.equal(await testQuery(await startLspClient({ folder, env, initializationOptions })), 'source-unreachable');
    });
  });

  it('are not requested before sending them is allowed', async () => {
    const uses: unknown[] = [];
    const started = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: {
        'entityGraph/secret': () => ({ value: 'pw' }),
        'entityGraph/allowSecret': (params: unknown) => (uses.push(params), null),
      },
    });
    assert.equal(await testQuery(started), 'secret-not-allowed');
    const use = {
      ...{ value: 'secret', name: 'shop pass', kind: 'postgresql', origin: 'postgresql://127.0.0.1:1', user: 'u' },
      ...{ tls: 'prefer', dataSource: 'shop', file: join(folder, 'entity-sources.yaml') },
    };
    assert.deepEqual(
      uses.filter((params) => (params as { prompt: boolean }).prompt),
      [{ ...use, prompt: true }],
    );
  });

  it('never prompt before a user action', async () => {
    const asked: Asked[] = [];
    const started = await startLspClient({
      folder,
      initializationOptions: { trusted: true, extended: true },
      answers: {
        'entityGraph/secret': ({ name, prompt }: Asked) => (asked.push({ name, prompt }), { value: null }),
      },
    });
    client = started;
    const uri = await started.open(`${folder}/o.entity.yaml`, graph);
    const [found] = await client.diagnostics(uri, (diagnostics) => diagnostics.length > 0);
    assert.equal(found?.code, 'catalog-unknown');
    assert.match(messageOf(found), /shop are not known yet\. Run Refresh Catalog/);
    assert.deepEqual(asked, [{ name: 'shop pass', prompt: false }]);
  });
});
