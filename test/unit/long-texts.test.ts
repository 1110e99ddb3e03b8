import assert from 'node:assert/strict';
import { arrayLiteralValues } from '../../server/src/connectors/postgresql/catalog-columns.ts';
import { readPlan } from '../../server/src/connectors/postgresql/planned-read.ts';
import { flowScalarCharacters } from '../../server/src/model/convert/flow-scalar.ts';
import { parseYaml } from '../../server/src/model/yaml-text.ts';
import { indentedJson, jsonMembers } from '../../server/src/model/indented-json.ts';
import { mapErrorPosition, wordLength } from '../../server/src/query/map-error-position.ts';
import { sqlTokens } from '../../server/src/query/sql-tokens.ts';
import { sqlTokens as colouredSql } from '../../webview/src/ui/sql-tokens.ts';

/** Our readers go from sign to sign: an expression of ours that recurses for each would end here. */
const length = 2 ** 23;
const many = (text: string): string => text.repeat(length / text.length);
const letters = many('x');

/** One row per reader and long text: a wrong result fails. */
const readers: readonly (readonly [what: string, inside: readonly string[], check: (inside: string) => void])[] = [
  [
    'SQL literals',
    [letters, many("''")],
    (inside) => {
      assert.deepEqual(kindsOf(`'${inside}' + 1`), [`literal ${length + 2}`, 'symbol 1', 'literal 1']);
      assert.deepEqual(kindsOf(`'${inside}`), [`literal ${length + 1} (open)`]);
    },
  ],
  [
    'SQL literals with escapes',
    [letters, many(String.raw`\'`), many(String.raw`\\`), many("''")],
    (inside) => {
      const more = `\n -- and\n 'more'`;
      assert.deepEqual(kindsOf(`E'${inside}'${more}, 1`), [
        `literal ${length + 3 + more.length}`,
        'symbol 1',
        'literal 1',
      ]);
      assert.deepEqual(kindsOf(`E'${inside}`), [`literal ${length + 2} (open)`]);
    },
  ],
  [
    'blanks between the parts of a SQL literal',
    [many(' '), many('\n'), many('--\n '), `--${letters}`],
    (inside) => assert.deepEqual(kindsOf(`E'a'${inside}\n'b'`), [`literal ${inside.length + 8}`]),
  ],
  [
    'blanks between the parts of a SQL literal with letters beyond Latin-1',
    [many(' ').repeat(2), many('\n').repeat(2), `--${letters.repeat(2)}`],
    (inside) => assert.deepEqual(kindsOf(`E'ł'${inside}\n'b'`), [`literal ${inside.length + 8}`]),
  ],
  [
    'SQL names',
    [letters, many('""')],
    (inside) => assert.deepEqual(kindsOf(`"${inside}".a`), [`quoted ${length + 2}`, 'symbol 1', 'word 1']),
  ],
  [
    'SQL comments',
    [letters, many('*'), many('\n')],
    (inside) => {
      assert.deepEqual(kindsOf(`/*${inside}*/`), [`comment ${length + 4}`]);
      assert.deepEqual(coloursOf(`/*${inside}*/`), [`comment ${length + 4}`]);
    },
  ],
  ['coloured SQL literals', [letters, many("''")], (inside) => colours('string', `'${inside}'`)],
  ['coloured SQL names', [letters, many('""')], (inside) => colours('name', `"${inside}"`)],
  [
    'places in SQL',
    [letters, many("''")],
    (inside) => {
      assert.deepEqual(placeIn(`'${inside}' > 1`, 0), { start: 0, end: length + 2 });
      assert.deepEqual(placeIn(`${letters}+${letters}`, 2 * length + 1), { start: length + 1, end: 2 * length + 1 });
      assert.equal(wordLength(`${many('+')}1`, 0), length);
    },
  ],
  [
    'JSON',
    [letters, many(String.raw`\"`), many(String.raw`\\`)],
    (inside) => {
      assert.equal(indentedJson(`{"a":"${inside}","b":1.0}`) === `{\n  "a": "${inside}",\n  "b": 1.0\n}`, true);
      assert.equal(jsonMembers(`{"b": 1.0, "a": "${inside}"}`)?.get('a') === `"${inside}"`, true);
    },
  ],
  [
    'arrays of PostgreSQL',
    [letters, many(String.raw`\"`), many(String.raw`\\`)],
    (inside) => {
      const [first, long, last] = arrayLiteralValues(`{a,"${inside}",b}`);
      assert.deepEqual([first, long?.length, last], ['a', inside === letters ? length : length / 2, 'b']);
      assert.deepEqual([...arrayLiteralValues(`{a,"${inside}`)], ['a']);
    },
  ],
  [
    'plans of PostgreSQL',
    [letters, many('"'), many("''")],
    (inside) => {
      const filter = `(lower("A ""b"(note)) = '${inside} f(x)'::text)`;
      const plan = { 'Node Type': 'Seq Scan', 'Relation Name': 'orders', Schema: 'public', Filter: filter };
      assert.deepEqual(readPlan(JSON.stringify([{ Plan: plan }]))?.functions, ['lower', 'A "b']);
    },
  ],
];

describe('very long texts', () => {
  for (const [what, texts, check] of readers) {
    for (const text of texts) it(`of ${JSON.stringify(text.slice(0, 3))} are parsed: ${what}`, () => check(text));
  }

  it('with many brackets are indented', () => {
    const depth = 100_000;
    const lines = indentedJson('['.repeat(depth) + ']'.repeat(depth))?.split('\n') ?? [];
    assert.deepEqual([lines.length, lines[1], lines[65]], [2 * depth - 1, '  [', `${'  '.repeat(64)}[`]);
  });

  // Our readers take these in time proportional to their length.
  for (const blank of ['\r\n', ' \n', '# more\n']) {
    it(`of ${JSON.stringify(blank)} before a YAML document are parsed`, () => {
      const text = `%YAML 1.2\n${blank.repeat(1000)}%YAML 1.2\n---\na: 1`;
      const { problems } = parseYaml(text);
      const again = text.lastIndexOf('%');
      assert.deepEqual(
        problems.map(({ code, range }) => [code, range]),
        [['yaml-syntax', { start: again, end: again + '%YAML '.length }]],
      );
      assert.deepEqual(parseYaml(text.slice(again)).problems, []);
      assert.deepEqual(parseYaml(`${blank.repeat(1000)}a: 1`).problems, []);
    });
  }

  for (const [written, read] of [
    [' ', ' '.repeat(2 ** 18)],
    ['\n', '\n'.repeat(2 ** 18 - 1)],
    ["''", "'".repeat(2 ** 18)],
  ] as const) {
    it(`of ${JSON.stringify(written)} in a quoted YAML value are parsed`, () => {
      const characters = flowScalarCharacters(`'a${written.repeat(2 ** 18)}b'`, 0);
      assert.equal(characters.map(({ character }) => character).join('') === `a${read}b`, true);
      assert.equal(characters.at(-1)?.offset, 2 + written.length * 2 ** 18);
    });
  }
});

function kindsOf(sql: string): readonly string[] {
  return sqlTokens(sql).map(({ kind, start, end, closed }) => `${kind} ${end - start}${closed ? '' : ' (open)'}`);
}

function coloursOf(sql: string): readonly string[] {
  return colouredSql(sql).map(({ kind, text }) => `${kind} ${text.length}`);
}

function colours(kind: string, sql: string): void {
  assert.deepEqual(coloursOf(`${sql} + 1`), [`${kind} ${length + 2}`, 'other 3', 'number 1']);
  assert.deepEqual(coloursOf(sql.slice(0, -1)), [`${kind} ${length + 1}`]);
}

function placeIn(value: string, position: number) {
  const sourceOffsets: number[] = [];
  for (const place of [0, length + 1, length + 2, value.length]) sourceOffsets[place] = place;
  const source = { value, range: { start: -1, end: -1 }, sourceOffsets };
  return mapErrorPosition({ sql: value, fragments: [{ offset: 0, source }], references: [] }, position);
}
