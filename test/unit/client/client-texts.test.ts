import assert from 'node:assert/strict';
import ts from 'typescript';

/** The exports of `scripts/client-texts.mjs`, which has no types. */
interface ClientTexts {
  clientTexts(source: ts.SourceFile): {
    readonly messages: readonly string[];
    readonly problems: readonly { readonly what: string }[];
  };
}

describe('check for untranslated texts of the client', () => {
  let find: ClientTexts['clientTexts'];
  before(async () => {
    const url = new URL('../../../scripts/client-texts.mjs', import.meta.url).href;
    find = ((await import(url)) as ClientTexts).clientTexts;
  });

  const untranslatable = (text: string): string => `${text} is not translatable.`;
  const cases: readonly { readonly code: string; readonly messages?: string[]; readonly problems?: string[] }[] = [
    { code: "l10n.t('Delete {0}?', l10n.t('it'))", messages: ['Delete {0}?', 'it'] },
    { code: 'l10n.t(text)', problems: ['l10n.t needs a text that is written out.'] },
    {
      code: "const hint = { placeHolder: 'NAME of ${secret:NAME}' }",
      problems: [untranslatable("'NAME of ${secret:NAME}'")],
    },
    { code: "const item = { label: '$(add) Another Name…' }", problems: [untranslatable("'$(add) Another Name…'")] },
    {
      code: "const item = { label: 'OAuth 2.0', description: 'client credentials' }",
      problems: [untranslatable("'client credentials'")],
    },
    {
      code: 'queries.show(`Import plan of ${name}`, { steps })',
      problems: [untranslatable('`Import plan of ${name}`')],
    },
    {
      code: "window.showWarningMessage(l10n.t('Sure?'), 'Delete')",
      messages: ['Sure?'],
      problems: [untranslatable("'Delete'")],
    },
    {
      code: "item.tooltip = found ? `all ${count} rows of it` : ''",
      problems: [untranslatable('`all ${count} rows of it`')],
    },
    { code: "say('Choose its source first.')", problems: [untranslatable("'Choose its source first.'")] },
    {
      code: "const ending = status === 'Not Imported' ? { 'Not Imported': 1 } : `${ms} ms`",
    },
    {
      code: "const item = { name: 'Entity Graph', title: 'PostgreSQL', text: `$(sync~spin) Entity Graph: ${l10n.t('Waiting')}` }",
      messages: ['Waiting'],
    },
    { code: "const item = { label: 'REST', description: 'CSV, TSV, Parquet', placeholder: 'https://acme.example' }" },
    {
      code: "log.warn('Import of it failed'); log[level]('It is done'); if (!run) throw new Error(`There is no query ${id}.`)",
    },
    { code: 'function outcomeLines() { return [`Import of ${file}: done`]; }' },
  ];
  for (const { code, messages = [], problems = [] } of cases) {
    it(`classifies ${code}`, () => {
      const found = find(ts.createSourceFile('a.ts', code, ts.ScriptTarget.Latest, true));
      assert.deepEqual([found.messages, found.problems.map(({ what }) => what)], [messages, problems]);
    });
  }
});
