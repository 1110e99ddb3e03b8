import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { iconStyles, pageHtml } from '../../../client/src/page-html.ts';
import { projectFolder } from '../../support/vscode-host.ts';

describe('HTML of a page', () => {
  const content = { title: 'Page', language: 'en', policy: '', nonce: 'abc', styles: '', data: {} };

  it('has a script that means the same as its text, and does not end before it', () => {
    const script = 'const a = ["</script>", `</SCRIPT a>`, "<!-- <script>", /<!--/.test("<!--"), 1 < 2];';
    const html = pageHtml({ ...content, script: { text: script } });
    const [, inside = ''] = /<script nonce="abc">([^]*?)<\/script/i.exec(html) ?? [];
    assert.ok(!inside.includes('<!--'));
    const valueOf = (text: string): unknown => Function(`${text} return a;`)();
    assert.deepEqual(valueOf(inside), valueOf(script));
  });

  it('names the address of a large script', () => {
    const html = pageHtml({ ...content, script: { address: 'https://host/a"b.js' } });
    assert.match(html, /<script nonce="abc" src="https:\/\/host\/a&quot;b.js"><\/script>/);
  });

  it('has styles that do not end before their text', () => {
    const html = pageHtml({ ...content, styles: 'a { content: "</style>"; }', script: { text: '' } });
    assert.match(html, /<style nonce="abc">a { content: "<\\\/style>"; }<\/style>/);
  });

  it('loads the font of the icons from their folder', () => {
    const text = readFileSync(join(projectFolder, 'node_modules/@vscode/codicons/dist/codicon.css'), 'utf8');
    const styles = iconStyles(text, 'https://host/$&/dist');
    assert.deepEqual(
      [...styles.matchAll(/url\("?([^?")]*)/g)].map(([, address]) => address),
      ['https://host/$&/dist/codicon.ttf'],
    );
  });
});
