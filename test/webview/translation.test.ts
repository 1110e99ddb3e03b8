import assert from 'node:assert/strict';
import type { BrowserContext } from 'playwright-core';
import { sharedChromium } from '../support/vscode-host.ts';
import { entityRows } from './entity-rows.ts';
import { type WebviewPage, type WebviewServer, startWebviewServer } from './webview-page.ts';

describe('webview in another language', () => {
  let browser: BrowserContext;
  let server: WebviewServer;
  let webview: WebviewPage;

  before(async () => {
    [browser, server] = await Promise.all([sharedChromium(), startWebviewServer()]);
  });
  after(() => server.close());
  afterEach(async () => {
    assert.deepEqual(webview.errors, []);
    await webview.page.close();
  });

  const open = async (messages: Readonly<Record<string, string>>): Promise<void> => {
    webview = await server.open(browser, { bundle: 'entities', messages });
    await webview.send({ type: 'entities', rows: entityRows, trusted: true });
  };

  it('shows translated texts, and English for the rest', async () => {
    await open({ 'New Entity Graph': 'Neue „Entität“ & mehr', 'Sort by {0}': 'Nach "{0}" <sortieren>' });
    await webview.page.getByRole('button', { name: 'Neue „Entität“ & mehr', exact: true }).waitFor();
    assert.equal(await webview.page.getByRole('button', { name: 'New Entity Graph' }).count(), 0);
    const titles = await webview.page
      .getByRole('columnheader')
      .getByRole('button')
      .evaluateAll((buttons) => buttons.slice(0, 2).map((button) => button.getAttribute('title')));
    assert.deepEqual(titles, ['Nach "Name" <sortieren>', 'Nach "Data Source" <sortieren>']);
    assert.equal(await webview.page.getByRole('heading').innerText(), 'Entities');
    await webview.page.getByRole('button', { name: 'Import All', exact: true }).waitFor();
  });

  it('keeps markup in translations', async () => {
    const english = 'No entity graph has all of {0} in its name, data source, path, status or progress.';
    await open({ [english]: '{0} hat keine Entität.' });
    await webview.page.locator('#filter').fill('<i>zz</i>');
    const text = webview.page.locator('#no-match p');
    await text.waitFor();
    assert.equal(await text.innerText(), '<i>zz</i> hat keine Entität.');
    assert.equal(await text.locator('strong').innerText(), '<i>zz</i>');
  });
});
