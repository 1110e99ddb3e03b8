import assert from 'node:assert/strict';
import fc from 'fast-check';
import { escapeForComment, escapeTableCell } from '../../../protocol/escape-markdown.ts';
import { escapeControls } from '../../../protocol/printable-text.ts';
import {
  type Markdown,
  code,
  codeBlock,
  lines,
  line,
  paragraphs,
  prose,
  strong,
} from '../../../server/src/language/markdown.ts';
import { blanksAsOne, renderMarkdown } from '../../support/rendered-markdown.ts';

/** Values that look like Markdown, on purpose or by chance. */
const nasty = [
  ...['a\n\n![t](https://evil.example/p.png)', '[x](command:workbench.action.reloadWindow)', '<https://evil.example>'],
  ...['https://evil.example/p', 'www.evil.example', 'a@evil.example', 'mailto:a@evil.example', 'ftp://evil.example'],
  ...['<img src=x onerror=alert(1)>', '<!-- x', '<b>b</b>', '&lt;b&gt;', '&amp;', '&#33;[a](b)', '<script>\n\n# x'],
  ...[
    '```\n[x](y)\n```',
    '~~~\nx',
    '`',
    '``',
    '` `',
    '`a``b`',
    '\\`',
    '\\',
    'a\\',
    '\\[x](y)',
    '*a*',
    '__a__',
    '~~a~~',
  ],
  ...['# h', 'h\n===', 'h\n---', '---', '***', '- a', '+ a', '1. a', '1) a', '> q', '    indented', '\tx', '[ ] a'],
  ...[
    'a | b\n--- | ---\n1 | 2',
    'a\n:-',
    '|a|\n|-|',
    '[a]: https://evil.example\n\n[a]',
    '[a]',
    '![',
    '](',
    '$(trash)',
  ],
  ...[
    'a  \nb',
    'a\r\nb',
    'a\rb',
    'a\u2028b',
    '\n',
    '\n\n',
    'a\n',
    '\na',
    '',
    ' ',
    '  a  ',
    '\u00a0a\u3000',
    '\0',
    '$x$',
  ],
  ...[
    'sys_updated_on',
    'ÄÖ',
    '表',
    '🙂',
    '"quoted"',
    "it's",
    'http\\://x',
    'HTTPS://EVIL.EXAMPLE',
    'x:https://e.example',
  ],
];

const texts = fc.oneof(
  fc.constantFrom(...nasty),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc
    .array(fc.oneof(fc.constantFrom(...nasty, ...'`*_[]()<>#|~&!-+=:.\\\n \t1a@$/'), fc.string({ maxLength: 3 })), {
      maxLength: 8,
    })
    .map((parts) => parts.join('')),
);

const forms: readonly (readonly [string, (data: string) => Markdown, readonly string[], (data: string) => string])[] = [
  ['a text', (data) => line`${data}`, [], (data) => data],
  ['a text between others', (data) => line`It is ${data} here.`, [], (data) => `It is ${data} here.`],
  ['a name', (data) => line`${strong(data)} — x`, ['strong'], (data) => `${data} — x`],
  ['lines', (data) => lines([line`${data}`, line`${data}`]), [], (data) => `${data}\n${data}`],
  ['paragraphs', (data) => paragraphs(line`${data}`, undefined, line`b ${data}`), [], (data) => `${data}\nb ${data}`],
];

describe('Markdown as plain text', () => {
  it('has the data itself and no marks', () => {
    const parts = [
      line`Column ${strong('order_id *')} of ${code('a`b')}.`,
      codeBlock('sql', 'SELECT 1'),
      lines([prose('`x` or y'), line`${'[z](y)'}`]),
    ];
    assert.equal(paragraphs(...parts).plain, 'Column order_id * of a`b.\n\nSELECT 1\n\nx or y\n[z](y)');
    for (const text of nasty)
      assert.equal(
        line`${text}`.plain.replaceAll('\n', ''),
        text.replaceAll(/[\n\r\v\f\u0085\u2028\u2029]/g, '').replaceAll('\0', '\uFFFD'),
      );
  });
});

describe('Markdown escaping of data', () => {
  for (const [name, written, kinds, expected] of forms) {
    it(`${name} shows the data and nothing else`, () => {
      fc.assert(
        fc.property(texts, (data) => {
          const { source } = written(data);
          const { text, kinds: found } = renderMarkdown(source);
          assert.deepEqual(
            [...found].filter((kind) => !['paragraph', 'text', 'escape', 'br', 'space', ...kinds].includes(kind)),
            [],
            source,
          );
          assert.equal(text, blanksAsOne(expected(data)), source);
        }),
        { examples: nasty.map((data) => [data]), numRuns: 1000 },
      );
    });
  }

  it('no text of a comment mentions anybody, and addresses stay as they are', () => {
    for (const text of ['@octocat', 'by @octocat', '(@org/team)', '@1', '\\@octocat', '#@a', '@@a']) {
      const shown = renderMarkdown(escapeForComment(text)).text;
      assert.doesNotMatch(shown, /(^|[^A-Za-z0-9_])@\w/, text);
      assert.equal(shown.replaceAll('\u2060', ''), text);
    }
    for (const text of ['a@b.example', 'costs @ 5', '@'])
      assert.equal(renderMarkdown(escapeForComment(text)).text, text);
  });

  it('inline code shows line breaks as symbols', () => {
    fc.assert(
      fc.property(texts, (data) => {
        const { source } = line`It is ${code(data)} here.`;
        const { text, kinds, code: found } = renderMarkdown(source);
        assert.deepEqual([...kinds].sort(), ['codespan', 'paragraph', 'text'], source);
        const shown = data
          .replaceAll('\0', '\uFFFD')
          .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
          .join('↵');
        assert.equal(found[0]?.trim(), shown.trim(), source);
        assert.equal(text, blanksAsOne(`It is ${shown === '' ? ' ' : shown} here.`), source);
      }),
      { examples: nasty.map((data) => [data]), numRuns: 1000 },
    );
  });

  it('a code block shows the data', () => {
    fc.assert(
      fc.property(texts, (data) => {
        const { source } = paragraphs(line`a`, codeBlock('sql', data), line`b`);
        const { kinds, code: found } = renderMarkdown(source);
        assert.deepEqual([...kinds].sort(), ['code', 'paragraph', 'space', 'text'], source);
        assert.equal(
          found[0]?.trimEnd(),
          data
            .replaceAll('\0', '\uFFFD')
            .replaceAll(/\r\n|\r/g, '\n')
            .trimEnd(),
          source,
        );
      }),
      { examples: nasty.map((data) => [data]), numRuns: 1000 },
    );
  });

  it('prose shows words in backticks as code, and the rest as text', () => {
    const { text, code: found } = renderMarkdown(prose('Use `${env:NAME}` or *any* `x`.').source);
    assert.deepEqual([text, found], ['Use ${env:NAME} or *any* x.', ['${env:NAME}', 'x']]);
    fc.assert(
      fc.property(texts, (data) => {
        const { kinds } = renderMarkdown(prose(data).source);
        assert.deepEqual(
          [...kinds].filter((kind) => !['paragraph', 'text', 'escape', 'br', 'space', 'codespan'].includes(kind)),
          [],
        );
      }),
      { examples: nasty.map((data) => [data]), numRuns: 1000 },
    );
  });

  it('a table cell stays one cell on one line', () => {
    fc.assert(
      fc.property(texts, (any) => {
        const data = escapeControls(any.replaceAll('\u241f', ''));
        const source = `| ${escapeTableCell('h')} | b |\n| --- | --- |\n| ${escapeTableCell(any.replaceAll('\u241f', ''))} | c |\n`;
        const { text, kinds } = renderMarkdown(source);
        assert.deepEqual(
          [...kinds].filter((kind) => !['table', 'text', 'escape'].includes(kind)),
          [],
          source,
        );
        assert.ok(text.startsWith('h\u241fb'), source);
        const cells = text.slice('h\u241fb'.length).split('\u241f').map(blanksAsOne);
        assert.deepEqual(cells, [blanksAsOne(data), 'c'], source);
      }),
      { examples: nasty.map((data) => [data]), numRuns: 1000 },
    );
  });
});
