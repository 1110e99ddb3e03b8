import assert from 'node:assert/strict';
import { type Uri, ViewColumn, type WebviewPanel, extensions, window } from 'vscode';
import { webviewHtml } from '../../client/src/webview-html.ts';

describe('webview HTML', () => {
  let panel: WebviewPanel;
  const page = { title: 'Entities', script: 'entities.js', worker: false };
  let extensionUri: Uri;

  before(() => {
    const extension = extensions.all.find(({ packageJSON }) => packageJSON.name === 'entity-graph');
    assert.ok(extension);
    extensionUri = extension.extensionUri;
    panel = window.createWebviewPanel('entityGraph.test', 'Test', ViewColumn.One);
  });
  after(() => panel.dispose());

  it('is in English when VS Code is', () => {
    const html = webviewHtml(panel.webview, extensionUri, page);
    assert.match(html, /<html lang="en">/);
    assert.match(html, /<main id="root"><\/main>/);
  });

  it('contains styles and script, except a large one', () => {
    const html = webviewHtml(panel.webview, extensionUri, page);
    assert.doesNotMatch(html, /<link|<script[^>]* src=/);
    assert.match(html, /<script nonce="[^"]+">.{1000}/s);
    const canvas = webviewHtml(panel.webview, extensionUri, { ...page, script: 'canvas.js', isLarge: true });
    assert.match(canvas, /<script nonce="[^"]+" src="[^"]*canvas\.js"><\/script>/);
  });

  it('contains translations without a relaxed content security policy', () => {
    const bundle = { 'Remove {0}?': '"{0}" <b>entfernen</b> & \'weg\'?' };
    const html = webviewHtml(panel.webview, extensionUri, page, { bundle, language: 'de' });
    assert.match(html, /<html lang="de">/);
    const [, escaped = ''] = /<main id="root" data-l10n="([^"<>]*)"><\/main>/.exec(html) ?? [];
    const text = escaped.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    assert.deepEqual(JSON.parse(text.replaceAll('&amp;', '&')), bundle);
    const policy = (of: string): string | undefined =>
      /Content-Security-Policy" content="([^"]*)"/.exec(of)?.[1]?.replaceAll(/nonce-[^']*/g, 'nonce');
    assert.equal(policy(html), policy(webviewHtml(panel.webview, extensionUri, page)));
  });
});
