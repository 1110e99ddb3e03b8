import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import type { ApiList, ApiRequest, ExplorerAction } from '../../protocol/api-explorer.ts';
import { keepScreenshot, sharedChromium } from '../support/vscode-host.ts';
import { waitUntil } from '../support/wait-until.ts';
import { answered, answeredRequest, apiExchange, apiView, documentView } from './explorer-news.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

interface RequestAction {
  readonly request: ApiRequest;
}

describe('API explorer view', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  beforeEach(async () => {
    webview = await server.open(browser, { bundle: 'explorer', width: 1100, height: 700 });
    await webview.send({ type: 'explorer', news: { kind: 'view', view: apiView } });
  });
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  /** The last action of a kind requested by the page. */
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

  it('starts with the first endpoint, and shows its request', async () => {
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

  it('builds a request with completion, and sends it', async () => {
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

  it('parses a pasted URL, and a query typed into the path', async () => {
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
    // For an unnamed table, the parameters of tables are proposed.
    await webview.page.getByRole('button', { name: 'Add Parameter' }).click();
    await choose('Name of parameter 3', 'fields');
    assert.equal(await combobox('Name of parameter 3').inputValue(), 'sysparm_fields');
    await keepScreenshot(webview.page, 'api-explorer-query');
    await path.fill('https://other.example/x?a=1');
    await path.blur();
    const { request } = (await asked(
      'preview',
      // It may also be shown before the query is split off, while the field still has the focus.
      (action) => 'request' in action && action.request.path.includes('other') && !action.request.path.includes('?'),
    )) as RequestAction;
    assert.equal(request.path, 'https://other.example/x', 'another host is for the server to refuse');
  });

  it('keeps values shared by two endpoints, and shows a body where allowed', async () => {
    await choose('Endpoint', 'Create a record');
    assert.equal(await webview.page.locator('#method').inputValue(), 'POST');
    await webview.page.getByLabel('Body (JSON)').fill('{"state": 2}');
    const { request } = (await asked(
      'preview',
      (action) => 'request' in action && action.request.body !== '' && action.request.body !== '{}',
    )) as RequestAction;
    assert.deepEqual([request.method, request.body, request.parameters], ['POST', '{"state": 2}', []]);
  });

  it('shows the parts of a response with keyboard access, and adds it as a data object', async () => {
    await webview.send({ type: 'explorer', news: { kind: 'sending' } });
    await webview.page.getByRole('button', { name: 'Cancel' }).click();
    await asked('cancel');
    await webview.send({ type: 'explorer', news: answered() });
    assert.equal(await webview.page.locator('#status').innerText(), 'Status 200 OK · 12 ms · 2.3 kB');
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
    await webview.page.getByRole('button', { name: 'Open', exact: true }).click();
    await asked('open');
    await webview.page.getByRole('button', { name: 'Add to Data Source' }).click();
    const added = (await asked('add')) as RequestAction & { list: ApiList };
    assert.deepEqual([added.list, added.request.path], [apiExchange.list, '/api/now/table/incident']);
  });

  it('adds the request that was sent, not later edits', async () => {
    await webview.send({ type: 'explorer', news: answered() });
    await webview.page.getByRole('button', { name: 'Add to Data Source' }).waitFor();
    assert.equal(await webview.page.getByText('Answer to GET').count(), 0);
    await webview.page.locator('#method').selectOption('POST');
    await webview.page.locator('#path').fill('/api/now/table/problem');
    await webview.page.getByText('Answer to GET /api/now/table/incident').waitFor();
    await webview.page.getByRole('button', { name: 'Add to Data Source' }).click();
    const added = (await asked('add')) as RequestAction;
    assert.deepEqual(added.request, answeredRequest);
  });

  it('requires a value for each path parameter before sending', async () => {
    const path = webview.page.locator('#path');
    const sendButton = webview.page.getByRole('button', { name: 'Send' });
    await choose('Endpoint', 'One record of incident');
    const selected = await path.evaluate((input: HTMLInputElement) =>
      input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
    );
    assert.equal(selected, 'SYS_ID');
    await webview.page.getByText('Replace SYS_ID by the sys_id of a record.').waitFor();
    assert.equal(await sendButton.isDisabled(), true);
    await webview.page.keyboard.type('abc');
    assert.equal(await path.inputValue(), '/api/now/table/incident/abc');
    assert.equal(await sendButton.isDisabled(), false);
    await choose('Endpoint', 'Records of another table');
    await webview.page.keyboard.type('cmn_location');
    assert.equal(await path.inputValue(), '/api/now/table/cmn_location');
  });

  it('completes documented endpoints: path parameters are filled one after another, required parameters are present', async () => {
    await webview.send({ type: 'explorer', news: { kind: 'view', view: documentView } });
    const path = webview.page.locator('#path');
    const selected = (): Promise<string> =>
      path.evaluate((input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0));
    // Also found by its description.
    await choose('Endpoint', 'replaces one');
    assert.equal(await selected(), '{order}');
    await webview.page.getByText('Replace {order} by a value. Number of the order').waitFor();
    await webview.page.getByText('It wants the header X-Tenant').waitFor();
    const sendButton = webview.page.getByRole('button', { name: 'Send' });
    assert.equal(await sendButton.isDisabled(), true);
    await keepScreenshot(webview.page, 'api-explorer-document');
    await webview.page.keyboard.type('7');
    await webview.page.keyboard.press('Enter');
    assert.equal(await selected(), '{kind}');
    await webview.page.getByText('For example parts, notes.').waitFor();
    await webview.page.keyboard.type('parts');
    assert.equal(await combobox('Name of parameter 1').inputValue(), 'mode');
    assert.equal(await combobox('Value of parameter 1').inputValue(), 'all');
    await choose('Value of parameter 1', 'some');
    assert.equal(await webview.page.getByLabel('Body (JSON)').inputValue(), '{\n  "state": ""\n}');
    assert.equal(await combobox('Endpoint').inputValue(), 'PUT /orders/{order}/{kind}');
    await sendButton.click();
    const { request } = (await asked('send')) as RequestAction;
    assert.deepEqual(request, {
      method: 'PUT',
      path: '/orders/7/parts',
      parameters: [{ name: 'mode', value: 'some' }],
      body: '{\n  "state": ""\n}',
    });
    // A path without placeholders is another endpoint.
    await webview.page.locator('#method').selectOption('GET');
    await path.fill('/orders/mine');
    assert.equal(await combobox('Endpoint').inputValue(), 'GET /orders/mine');
    await path.fill('/orders/8');
    assert.equal(await combobox('Endpoint').inputValue(), 'GET /orders/{order}');
    // Braces in a query are a value.
    await path.fill('/orders/8?filter={"a":1}');
    assert.equal(await sendButton.isDisabled(), false);
  });

  it('completes table columns in lists and queries, and known values', async () => {
    await webview.page.getByRole('button', { name: 'Add Parameter' }).click();
    await choose('Name of parameter 2', 'sysparm_fields');
    await choose('Value of parameter 2', 'num');
    const fields = combobox('Value of parameter 2');
    assert.equal(await fields.inputValue(), 'number');
    await webview.page.keyboard.type(',');
    await keepScreenshot(webview.page, 'api-explorer-columns');
    assert.deepEqual(
      (await webview.page.locator('eg-combobox [role=option]').allInnerTexts()).map((text) => text.split(/\s/)[0]),
      ['sys_id', 'state'],
    );
    await webview.page.keyboard.type('st');
    await webview.page.keyboard.press('Enter');
    assert.equal(await fields.inputValue(), 'number,state');
    await webview.page.getByRole('button', { name: 'Add Parameter' }).click();
    await choose('Name of parameter 3', 'sysparm_query');
    const query = combobox('Value of parameter 3');
    await query.click();
    await query.fill('numberSTARTSWITHINC^state=in');
    await webview.page.keyboard.press('Enter');
    assert.equal(await query.inputValue(), 'numberSTARTSWITHINC^state=2');
    // Unknown text stays as typed, without a message.
    await query.fill('caller_id.name=Ann');
    assert.equal(await webview.page.getByText('Nothing matches').isVisible(), false);
    await webview.page.keyboard.press('Enter');
    assert.equal(await query.inputValue(), 'caller_id.name=Ann');
    // Columns of an unknown table are not invented.
    await webview.page.locator('#path').fill('/api/now/table/problem');
    await fields.click();
    await fields.fill('num');
    assert.equal(await webview.page.locator('eg-combobox [role=option]').count(), 0);
  });

  it('lists missing endpoints with the reason', async () => {
    const one = 'The OpenAPI document refers to a.yaml, which is left out.';
    await webview.send({ type: 'explorer', news: { kind: 'view', view: { ...apiView, warnings: [one] } } });
    await webview.page.getByRole('note').getByText(one).waitFor();
    const warnings = [one, 'Another one.'];
    await webview.send({ type: 'explorer', news: { kind: 'view', view: { ...apiView, warnings } } });
    const summary = webview.page.getByText('2 warnings: some endpoints are not proposed');
    assert.equal(await webview.page.getByText('Another one.').isVisible(), false);
    await summary.focus();
    await webview.page.keyboard.press('Enter');
    await webview.page.getByText('Another one.').waitFor();
  });

  it('indicates truncated display and truncated responses', async () => {
    await webview.send({ type: 'explorer', news: answered({ ...apiExchange, isCut: true }) });
    await webview.page.getByText('The rest is cut off here: Open shows all of it.').waitFor();
    await webview.send({ type: 'explorer', news: answered({ ...apiExchange, isCut: true, isPart: true }) });
    await webview.page.getByText('The answer is larger than the part that is read').waitFor();
  });

  it('explains why a request cannot be sent, and why one failed', async () => {
    const error = { code: 'source-config', message: 'The body is not JSON.', remedy: 'Mend it.' } as const;
    await webview.send({ type: 'explorer', news: { kind: 'wrong', error } });
    await webview.page.getByText('The body is not JSON. Mend it.').waitFor();
    assert.equal(await webview.page.getByRole('button', { name: 'Send' }).isDisabled(), true);
    await webview.send({ type: 'explorer', news: { kind: 'failure', error: { ...error, message: 'No connection.' } } });
    await webview.page.getByText('No connection. Mend it.').waitFor();
  });

  it('restores its state after being hidden', async () => {
    await webview.page.locator('#path').fill('/api/mine');
    await webview.send({ type: 'explorer', news: answered() });
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
