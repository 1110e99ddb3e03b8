import assert from 'node:assert/strict';
import type { Browser } from 'playwright-core';
import type { ApiList, ApiRequest, ExplorerAction } from '../../protocol/api-explorer.ts';
import { keepScreenshot, launchChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { apiExchange, apiView } from './explorer-news.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

interface RequestAction {
  readonly request: ApiRequest;
}

describe('the API explorer', () => {
  let browser: Browser;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([launchChromium(), startWebviewServer()]);
  });
  after(() => Promise.all([browser.close(), server.close()]));
  beforeEach(async () => {
    webview = await server.open(browser, { bundle: 'explorer', width: 1100, height: 700 });
    await webview.send({ type: 'explorer', news: { kind: 'view', view: apiView } });
  });
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  /** The last action of a kind that the page asked for. */
  const asked = (kind: ExplorerAction['kind'], test: (action: ExplorerAction) => boolean = () => true) =>
    waitUntil(`the page asks for ${kind}`, async () => {
      const actions = (await webview.posted()).flatMap((message) =>
        message.type === 'explore' ? [message.action] : [],
      );
      return actions.findLast((action) => action.kind === kind && test(action));
    });
  const combobox = (name: string) => webview.page.getByRole('combobox', { name, exact: true });
  const choose = async (name: string, text: string): Promise<void> => {
    await combobox(name).click();
    await combobox(name).fill(text);
    await webview.page.keyboard.press('Enter');
  };

  it('begins with the first endpoint, and shows the request as it would be sent', async () => {
    await webview.page.getByRole('heading', { name: 'API of itsm' }).waitFor();
    const { request } = (await asked('preview')) as RequestAction;
    assert.deepEqual(request, {
      method: 'GET',
      path: '/api/now/table/incident',
      parameters: [{ name: 'sysparm_limit', value: '10' }],
      body: '',
    });
    await webview.send({ type: 'explorer', news: { kind: 'text', text: { http: 'GET https://x/', curl: 'curl x' } } });
    assert.equal(await webview.page.locator('#request-text').innerText(), 'GET https://x/');
    await webview.page.getByRole('button', { name: 'cURL' }).click();
    await asked('copyCurl');
  });

  it('puts a request together with proposals, and sends it', async () => {
    await webview.page.getByRole('button', { name: 'Add Parameter' }).click();
    await choose('Name of parameter 2', 'display');
    await choose('Value of parameter 2', 'all');
    await webview.page.locator('#path').fill('/api/now/table/problem');
    await webview.page.getByRole('button', { name: 'Remove parameter sysparm_limit' }).click();
    await webview.page.locator('#path').press('Enter');
    const sent = (await asked('send')) as RequestAction;
    assert.deepEqual(sent.request, {
      method: 'GET',
      path: '/api/now/table/problem',
      parameters: [{ name: 'sysparm_display_value', value: 'all' }],
      body: '',
    });
  });

  it('takes a pasted address apart, and a query that is typed behind the path', async () => {
    const path = webview.page.locator('#path');
    await path.fill(
      'https://acme.example/api/now/table/problem?sysparm_limit=3&sysparm_query=active%3Dtrue%5EORDERBYnumber',
    );
    await path.press('Enter');
    const sent = (await asked('send')) as RequestAction;
    assert.deepEqual(sent.request, {
      method: 'GET',
      path: '/api/now/table/problem',
      parameters: [
        { name: 'sysparm_limit', value: '3' },
        { name: 'sysparm_query', value: 'active=true^ORDERBYnumber' },
      ],
      body: '',
    });
    assert.equal(await path.inputValue(), '/api/now/table/problem');
    assert.equal(await combobox('Value of parameter 2').inputValue(), 'active=true^ORDERBYnumber');
    // Of a table that nobody named, the parameters of tables are proposed.
    await webview.page.getByRole('button', { name: 'Add Parameter' }).click();
    await choose('Name of parameter 3', 'fields');
    assert.equal(await combobox('Name of parameter 3').inputValue(), 'sysparm_fields');
    await keepScreenshot(webview.page, 'api-explorer-query');
    await path.fill('https://other.example/x?a=1');
    await path.blur();
    const { request } = (await asked(
      'preview',
      (action) => 'request' in action && action.request.path.includes('other'),
    )) as RequestAction;
    assert.equal(request.path, 'https://other.example/x', 'another host is for the server to refuse');
  });

  it('keeps what two endpoints share, and offers a body where there may be one', async () => {
    await choose('Endpoint', 'Create a record');
    assert.equal(await webview.page.locator('#method').inputValue(), 'POST');
    await webview.page.getByLabel('Body (JSON)').fill('{"state": 2}');
    const { request } = (await asked(
      'preview',
      (action) => 'request' in action && action.request.body !== '' && action.request.body !== '{}',
    )) as RequestAction;
    assert.deepEqual([request.method, request.body, request.parameters], ['POST', '{"state": 2}', []]);
  });

  it('shows the parts of an answer, reached by keys, and makes it a data object', async () => {
    await webview.send({ type: 'explorer', news: { kind: 'sending' } });
    await webview.page.getByRole('button', { name: 'Cancel' }).click();
    await asked('cancel');
    await webview.send({ type: 'explorer', news: { kind: 'exchange', exchange: apiExchange } });
    assert.equal(await webview.page.locator('#status').innerText(), 'Status 200 · 12 ms · 2.3 kB');
    await webview.page.getByRole('tab', { name: 'Body' }).focus();
    await webview.page.keyboard.press('ArrowRight');
    await webview.page.getByRole('cell', { name: 'application/json' }).waitFor();
    await webview.page.keyboard.press('ArrowRight');
    assert.deepEqual(await webview.page.getByRole('cell').allInnerTexts(), [
      'sys_id',
      'VARCHAR',
      'opened_at',
      'TIMESTAMP',
    ]);
    await keepScreenshot(webview.page, 'api-explorer');
    await webview.page.getByRole('button', { name: 'Add to Data Source' }).click();
    const added = (await asked('add')) as RequestAction & { list: ApiList };
    assert.deepEqual([added.list, added.request.path], [apiExchange.list, '/api/now/table/incident']);
  });

  it('says why a request cannot be sent, and what went wrong with one', async () => {
    const error = { code: 'source-config', message: 'The body is no JSON.', remedy: 'Mend it.' };
    await webview.send({ type: 'explorer', news: { kind: 'wrong', error } });
    await webview.page.getByText('The body is no JSON. Mend it.').waitFor();
    assert.equal(await webview.page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    await webview.send({ type: 'explorer', news: { kind: 'failure', error: { ...error, message: 'No connection.' } } });
    await webview.page.getByText('No connection. Mend it.').waitFor();
  });

  it('comes back as it was', async () => {
    await webview.page.locator('#path').fill('/api/mine');
    await webview.send({ type: 'explorer', news: { kind: 'exchange', exchange: apiExchange } });
    await webview.page.locator('#status').waitFor();
    const again = await server.open(browser, { bundle: 'explorer', kept: await webview.kept() });
    await again.send({ type: 'explorer', news: { kind: 'view', view: apiView } });
    await again.page.getByRole('heading', { name: 'API of itsm' }).waitFor();
    assert.equal(await again.page.locator('#path').inputValue(), '/api/mine');
    await again.page.locator('#status').waitFor();
    assert.deepEqual(again.errors, []);
    await again.page.close();
  });
});
