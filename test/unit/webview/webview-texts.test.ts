import assert from 'node:assert/strict';
import ts from 'typescript';

/** The exports of `scripts/webview-texts.mjs`, which has no types. */
interface WebviewTexts {
  webviewTexts(source: ts.SourceFile): {
    readonly messages: readonly string[];
    readonly problems: readonly { readonly what: string }[];
  };
}

describe('check for untranslated texts of the webviews', () => {
  let find: WebviewTexts['webviewTexts'];
  before(async () => {
    const url = new URL('../../../scripts/webview-texts.mjs', import.meta.url).href;
    find = ((await import(url)) as WebviewTexts).webviewTexts;
  });

  const cases: readonly { readonly code: string; readonly messages?: string[]; readonly problems?: string[] }[] = [
    {
      code: "t('Go to {0}', name) + tParts('Run {0}', html`<b>${t('Test')}</b>`)",
      messages: ['Go to {0}', 'Run {0}', 'Test'],
    },
    { code: 't(name)', problems: ['t needs a text that is written out.'] },
    { code: 'html`<p>Nothing yet</p>`', problems: ['Nothing yet is not translatable.'] },
    { code: 'html`<p title="Close" class="wide open">${text}</p>`', problems: ['Close is not translatable.'] },
    {
      code: "html`<p>${n === 0 ? 'none' : t('some')}</p>`",
      messages: ['some'],
      problems: ["'none' is not translatable."],
    },
    { code: 'html`<p aria-label=${`Sort by ${name}`}></p>`', problems: ['`Sort by ${name}` is not translatable.'] },
    { code: "button('Cancel', stop)", problems: ["'Cancel' is not translatable."] },
    { code: "const item = { label: 'copy', icon: 'copy' }", problems: ["'copy' is not translatable."] },
    { code: "say('Choose its Data Object.')", problems: ["'Choose its Data Object.' is not translatable."] },
    { code: "html`<p class=${busy ? 'busy now' : ''} data-key=${key} role=\"button\">${a} · ${b} % NULL</p>`" },
    {
      code: "const sign = status === 'Not Imported' ? { 'Not Imported': 1 } : sqlField(t('SQL'), 'a = b')",
      messages: ['SQL'],
    },
    { code: 'html`<input placeholder="/path" aria-sort="none" />`' },
  ];
  for (const { code, messages = [], problems = [] } of cases) {
    it(`classifies ${code}`, () => {
      const found = find(ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true));
      assert.deepEqual(found.messages, messages);
      assert.deepEqual(
        found.problems.map(({ what }) => what),
        problems,
      );
    });
  }
});
