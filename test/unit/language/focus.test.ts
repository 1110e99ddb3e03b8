import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { completeEntityGraph } from '../../../server/src/language/completion/complete.ts';
import type { CompletionProposal } from '../../../server/src/language/completion/completion-proposal.ts';
import { focusAt, jsonFocusAt } from '../../../server/src/language/cursor/focus.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { createIncrementalYaml } from '../../../server/src/model/incremental-yaml.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { countSoak, hasSoakTime, isSoak, soakList } from '../../support/soak.ts';
import { catalog, sources } from './shop-catalog.ts';

const sample = readFileSync('samples/northwind/northwind.entity.yaml', 'utf8');
// A tag makes a text indivisible, so that it is read as a whole; nothing else changes.
const [inParts, asWhole] = ['x-all:   a', 'x-all: ! a'] as const;

/** A parser that keeps what it parsed last, for many offsets of one text. */
function remembering<Parsed>(parse: (text: string) => Parsed): (text: string) => Parsed {
  const parsed = new Map<string, Parsed>();
  return (text) => {
    const known = parsed.get(text) ?? parse(text);
    // Both forms of a text.
    if (parsed.size >= 2 && !parsed.has(text)) parsed.clear();
    parsed.set(text, known);
    return known;
  };
}

const readInParts = remembering((text) => parseEntityGraph(text, createIncrementalYaml().parse(text)));
const readJson = remembering((text) => createGraphParser().parse(text));

/** The proposals at an offset of a text read in parts, and of the same text read as a whole. */
function bothWays(text: string, offset: number): readonly (readonly unknown[])[] {
  return [text, text.replace(inParts, asWhole)].map((each) => {
    return completeEntityGraph({ parsed: readInParts(each), sources, catalog }, offset).map(short);
  });
}

const short = ({ label, insertText, replace, sortText }: CompletionProposal): unknown => [
  label,
  insertText,
  replace,
  sortText,
];

/** Text typed at the start of a line, with the cursor in it. */
const typed = [
  '<|>',
  '<|>\n',
  'da<|>\n',
  'dataObject<|>s:\n',
  'dataObjects: [<|>]\n',
  'dataSource: <|>\n',
  'relationships:<|>\n',
  '-<|>\n',
  '- <|>\n',
  '"<|>\n',
  '# <|>\n',
  ' <|>\n',
  '  <|>\n',
  '  -<|>\n',
  '  - <|>\n',
  '  - act<|>\n',
  '  act<|>\n',
  '  - dataObject: <|>\n',
  '  - source: <|>\n',
  '  - { target: <|> }\n',
  '    <|>\n',
  '    start<|>\n',
  '    key: <|>\n',
  '    where: <|>\n',
  '      <|>\n',
  '\t<|>\n',
  'import: { engine: <|> }\n',
];

// JSON whose first key has no quotes is read as a whole; nothing else changes.
const [jsonInParts, jsonAsWhole] = ['"x-all": 1', '  x-all: 1'] as const;

describe('partial parsing for completion in JSON', () => {
  const data: unknown = parseYaml(sample).document.toJS();
  const json = JSON.stringify(data, null, 2).replace('{', `{ ${jsonInParts},`);

  /** The proposals while typing, in a text read in parts and in one read as a whole. */
  function sameBothWays(text: string, offset: number): boolean {
    const [focused, whole] = [text, text.replace(jsonInParts, jsonAsWhole)].map((each) => {
      const known = { parsed: readJson(each), sources, catalog };
      assert.equal(each === text || jsonFocusAt(each, offset) === undefined, true);
      return completeEntityGraph(known, offset).map(short);
    });
    assert.deepEqual(focused, whole, JSON.stringify(text.slice(Math.max(0, offset - 60), offset + 20)));
    return jsonFocusAt(text, offset) !== undefined;
  }

  it('offers the same items as a full parse at any position', () => {
    let focused = 0;
    for (let offset = 0; offset < json.length; offset += 97) if (sameBothWays(json, offset)) focused += 1;
    assert.ok(focused > 20, `${focused} of them around the cursor`);
  });

  for (const marked of ['<|>', '"<|>"', '"key": "<|>",', '"<|>", ', '"properties": ["<|>"],', 'x<|>']) {
    it(`offers the same items after typing ${marked}`, () => {
      const at = marked.indexOf('<|>');
      const places = [...json.matchAll(/(?<=\n {4,6})(?=")|(?<=: ")/g)].filter((_, index) => index % 7 === 3);
      for (const { index } of places) {
        const changed = json.slice(0, index) + marked.replace('<|>', '') + json.slice(index);
        sameBothWays(changed, index + at);
      }
    });
  }

  it('parses one entry of a long list', () => {
    const entries = Array.from({ length: 500 }, (_, index) => ({ activityName: `Do ${index}`, dataObject: 'orders' }));
    const text = JSON.stringify({ elements: entries }, null, 2);
    const focus = jsonFocusAt(text, text.indexOf('Do 250') + 2);
    assert.ok(focus && focus.text.length < 200);
    assert.equal(text.slice(focus.offset + focus.distance).startsWith(' 250'), true);
  });
});

describe('partial parsing for completion in YAML', () => {
  const text = `${inParts}\n${sample}`;

  it('offers the same items as a full parse at any position', () => {
    assert.equal(focusAt(text.replace(inParts, asWhole), 500), undefined);
    for (let offset = 0; offset < text.length; offset += 23) {
      assert.ok(focusAt(text, offset));
      const [parts, whole] = bothWays(text, offset);
      assert.deepEqual(parts, whole, JSON.stringify(text.slice(Math.max(0, offset - 40), offset)));
    }
  });

  const turns = [...typed.entries()];
  for (const [turn, marked] of soakList(turns, turns)) {
    it(`offers the same items right after typing ${JSON.stringify(marked)} on a line`, () => {
      const at = marked.indexOf('<|>');
      // Each on other lines, which makes all lines together; the soak has all of them on every line.
      const starts = [...text.matchAll(/(?<=\n)|$/g)].filter((_, line) => isSoak || line % 24 === turn % 24);
      let tried = 0;
      for (const { index } of starts) {
        if (!hasSoakTime()) break;
        tried += 1;
        const changed = text.slice(0, index) + marked.replace('<|>', '') + text.slice(index);
        const [parts, whole] = bothWays(changed, index + at);
        assert.deepEqual(parts, whole, JSON.stringify(changed.slice(Math.max(0, index - 40), index + 40)));
      }
      countSoak(tried);
    });
  }

  for (const typedFirst of ['    key: ', '    where: ', '    dataObject: ', '    properties: [']) {
    it(`offers no columns of an entry for ${JSON.stringify(typedFirst)} before the first entry of a list`, () => {
      const head = `${inParts}\nelements:\n${typedFirst}`;
      const entries = ['Place', 'Ship'].map((verb) => `  - activityName: ${verb} Order\n    dataObject: orders\n`);
      const rest = `\n${entries.join('')}relationships: []\n`;
      const [parts, whole] = bothWays(head + rest, head.length);
      assert.deepEqual(parts, whole);
      const labels = parts?.map((proposal) => (proposal as readonly unknown[])[0]) ?? [];
      assert.equal(labels.includes('customer_id'), false);
    });
  }

  it('parses little more of a long list than the entries around the cursor', () => {
    const entry = (index: number): string => `  - activityName: Do ${index}\n    dataObject: orders\n`;
    const long = `name: x\nelements:\n${Array.from({ length: 1000 }, (_, index) => entry(index)).join('')}`;
    const tail = 'relationships:\n  - source: Do 1\n    target: Do 2\n';
    for (const [marked, head] of [
      ['na', ''],
      ['  act', ''],
      ['', ''],
      ['  act', 'x# A head that is broken\n'],
      ['  act', '%YAML 1.2\n---\n'],
      ['na', '@version: 1\n'],
    ] as const) {
      const at = long.indexOf('  - activityName: Do 500');
      const changed = `${head}${long.slice(0, at)}${marked}\n${long.slice(at)}${tail}`;
      const focus = focusAt(changed, head.length + at + marked.length);
      assert.ok(focus && focus.text.length < 400 && focus.entries.elements, `${head}${marked}: ${focus?.text.length}`);
    }
  });
});
