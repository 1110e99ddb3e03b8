import assert from 'node:assert/strict';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { fixesOfSources } from '../../../server/src/language/quick-fixes/sources-fixes.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { withRanges } from './marked-text.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\n';
const element = (lines: string): string => `${head}elements:\n  - activityName: A\n${lines}`;
const rest = '    dataObject: orders\n    startTimestamp: placed_at\n';
const json = (lines: string): string => `{\n  "version": 1,\n${lines}}\n`;

/** A text with its one mistake marked, the first fix, and the text after it. */
const cases: readonly (readonly [name: string, marked: string, title: string, after: string])[] = [
  [
    'a list left open',
    element(`    properties: ‹|[|›id, note\n${rest}`),
    'Close the bracket with "]"',
    element(`    properties: [id, note]\n${rest}`),
  ],
  [
    'a list left open before a comment',
    `${head}dataObjects: ‹|[|›orders # all\nelements:\n  - activityName: A\n${rest}`,
    'Close the bracket with "]"',
    `${head}dataObjects: [orders] # all\nelements:\n  - activityName: A\n${rest}`,
  ],
  [
    'an entry left open',
    `${head}elements:\n  - ‹|{|› activityName: A, dataObject: orders, startTimestamp: placed_at\n  - activityName: B\n${rest}`,
    'Close the bracket with "}"',
    `${head}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n  - activityName: B\n${rest}`,
  ],
  [
    'a quote left open',
    `version: 1\ndataSource: ‹|"|›shop # ours\nelements:\n  - activityName: A\n${rest}`,
    'Close the quote',
    `version: 1\ndataSource: "shop" # ours\nelements:\n  - activityName: A\n${rest}`,
  ],
  [
    'a quote left open in brackets',
    `${head}elements: [{ activityName: ‹|'|›A, dataObject: orders, startTimestamp: placed_at }]\n`,
    'Close the quote',
    `${head}elements: [{ activityName: 'A', dataObject: orders, startTimestamp: placed_at }]\n`,
  ],
  [
    'a tab',
    element('‹|\t|›dataObject: orders\n    startTimestamp: placed_at\n'),
    'Replace the tabs by spaces',
    element(rest),
  ],
  [
    'tabs everywhere',
    `${head}elements:\n‹|\t|›- activityName: A\n\t  dataObject: orders\n\t  startTimestamp: placed_at\n`,
    'Replace the tabs by spaces',
    element(rest),
  ],
  [
    'a tab before a key of the file',
    `${element(rest)}‹|\t|›relationships:\n  - source: A\n    target: A\n    mappings: [{ source: id, target: id }]\n`,
    'Replace the tabs by spaces',
    `${element(rest)}relationships:\n  - source: A\n    target: A\n    mappings: [{ source: id, target: id }]\n`,
  ],
  [
    'a bracket too many',
    `${head}dataObjects: [orders]‹|]|›\nelements:\n  - activityName: A\n${rest}`,
    'Remove "]"',
    `${head}dataObjects: [orders]\nelements:\n  - activityName: A\n${rest}`,
  ],
  [
    'a key without colon',
    element('    ‹|dataObject orders|›\n    startTimestamp: placed_at\n'),
    'Add ":" behind "dataObject"',
    element(rest),
  ],
  [
    'a key without space',
    element('    ‹|dataObject:orders|›\n    startTimestamp: placed_at\n'),
    'Put a space behind ":"',
    element(rest),
  ],
  [
    'a sign of YAML at the start of a value',
    `${head}elements:\n  - activityName: ‹|@|›home\n${rest}`,
    'Put the value in quotes',
    `${head}elements:\n  - activityName: "@home"\n${rest}`,
  ],
  [
    'a colon in a value',
    `${head}elements:\n  - activityName: ‹|A|›: B\n${rest}`,
    'Put the value in quotes',
    `${head}elements:\n  - activityName: "A: B"\n${rest}`,
  ],
  [
    'a line that is indented less than its neighbours',
    element('    dataObject: orders\n‹| |›  startTimestamp: placed_at\n'),
    'Align the line with its neighbours',
    element(rest),
  ],
  [
    'a line twice',
    element('    dataObject: orders\n    ‹|dataObject|›: orders\n    startTimestamp: placed_at\n'),
    'Remove this "dataObject"',
    element(rest),
  ],
  [
    'a comma missing in JSON',
    json('  "dataSource": "shop"\n  ‹|"|›dataObjects": ["orders"]\n'),
    'Add ","',
    json('  "dataSource": "shop",\n  "dataObjects": ["orders"]\n'),
  ],
  [
    'a list left open in JSON',
    json('  "dataSource": "shop",\n  "dataObjects": ‹|[|›"orders",\n  "elements": []\n'),
    'Close the bracket with "]"',
    json('  "dataSource": "shop",\n  "dataObjects": ["orders"],\n  "elements": []\n'),
  ],
  [
    'a JSON file left open',
    '‹|{|›\n  "version": 1,\n  "dataSource": "shop"\n',
    'Close the bracket with "}"',
    '{\n  "version": 1,\n  "dataSource": "shop"\n}\n',
  ],
];

/** The line below a deletion, real or reported. */
const graph = {
  head: 'version: 1\ndataSource: shop\n',
  elements: 'elements:\n  - activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n',
  relationships:
    'relationships:\n  - source: A\n    target: A\n    crossTable:\n      dataObject: orders\n      sourceMappings:\n        - source: id\n          cross: id\n      targetMappings:\n        - { cross: id, target: id }\n',
  more: 'import:\n  engine: embedded\n',
};
const { head: top, elements, relationships, more } = graph;
const deletedLines: readonly (readonly [name: string, text: string, line: string, at: string])[] = [
  ['the elements', top + elements + relationships, 'elements:', 'activityName'],
  ['the elements, behind a comment', `${top}# ours\n\n${elements}${relationships}`, 'elements:', 'activityName'],
  ['the elements, as on Windows', (top + elements).replaceAll('\n', '\r\n'), 'elements:', 'activityName'],
  ['the elements, not indented', (top + elements).replace(/^ {2}/gm, ''), 'elements:', 'activityName'],
  [
    'the elements, in braces',
    `${top}elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n`,
    'elements:',
    'activityName',
  ],
  ['the elements, behind objects', `${top}dataObjects:\n- orders\n${elements}`, 'elements:', 'activityName'],
  ['the elements, behind a group', top + more + elements + relationships, 'elements:', 'activityName'],
  ['the elements, at the top', elements + top, 'elements:', 'activityName'],
  ['the relationships, behind a group', top + elements + more + relationships, 'relationships:', 'source'],
  ['a cross table', top + elements + relationships, '    crossTable:', 'dataObject'],
  ['mappings of a cross table', top + elements + relationships, '      sourceMappings:', 'source'],
  ['the import', top + elements + more, 'import:', 'engine'],
];

describe('lost line', () => {
  for (const [name, whole, line, at] of deletedLines) {
    for (const [how, read] of [
      ['whole', parseEntityGraph],
      ['in parts', (text: string) => createGraphParser().parse(text)],
    ] as const) {
      it(`is reported at its position, and restored by a quick fix: above ${name} (read ${how})`, () => {
        const text = whole.replace(new RegExp(`^${line}\\r?\\n`, 'm'), '');
        const place = whole.indexOf(at, whole.indexOf(line) + line.length) - (whole.length - text.length);
        const parsed = read(text);
        const context = { parsed, sources, catalog };
        const problems = validateEntityGraph({ text, ...context });
        assert.deepEqual(
          problems.map(({ code, range: { start, end } }) => [code, start, text.slice(start, end)]),
          [['yaml-syntax', place, at]],
        );
        assert.ok(problems[0]?.message.startsWith(`The line "${line.trim()}" is missing above this `));
        const [fix] = problems.flatMap((problem) => fixesOf(problem, context));
        assert.deepEqual([fix?.title, fix?.preferred], [`Insert "${line.trim()}"`, true]);
        assert.equal(applyEdits(text, fix?.edits ?? []), whole);
      });
    }
  }

  it('is recognised in data sources files', () => {
    const whole = 'version: 1\ndataSources:\n  files:\n    kind: csv\n    path: data/*.csv\n';
    const text = whole.replace('dataSources:\n', '');
    const parsed = parseDataSources(text);
    const [problem, ...others] = validateDataSources({ text, parsed });
    assert.equal(problem?.message, 'The line "dataSources:" is missing above this data source. Insert it.');
    assert.deepEqual(others, []);
    assert.equal(applyEdits(text, fixesOfSources(problem, parsed)[0]?.edits ?? []), whole);
  });

  it('is not reported when the line exists', () => {
    for (const text of [
      `${top}elements:\n  - activityName: A\n    dataObject: orders\n     - activityName: B\n`,
      `${top}${elements}import:\n  engine: embedded\n  - activityName: B\n`,
    ]) {
      const problems = validateEntityGraph({ text, sources, catalog });
      assert.ok(problems.length > 0);
      for (const { message } of problems) assert.doesNotMatch(message, /is missing above/);
    }
  });
});

describe('quick fixes of syntax errors', () => {
  for (const [name, marked, title, after] of cases) {
    for (const [how, read] of [
      ['whole', parseEntityGraph],
      ['in parts', (text: string) => createGraphParser().parse(text)],
    ] as const) {
      it(`fix ${name} (read ${how})`, () => {
        const { text, ranges } = withRanges(marked);
        const parsed = read(text);
        const context = { parsed, sources, catalog };
        const problems = validateEntityGraph({ text, ...context });
        const found = problems.map(({ code, range }) => [code, text.slice(range.start, range.end)]);
        assert.deepEqual(found, [['yaml-syntax', text.slice(ranges[0]?.start, ranges[0]?.end)]]);
        const [fix] = problems.flatMap((problem) => fixesOf(problem, context));
        assert.deepEqual([fix?.title, fix?.preferred], [title, true]);
        assert.equal(applyEdits(text, fix?.edits ?? []), after);
      });
    }
  }

  const right = json(
    '  "dataSource": "shop",\n  "dataObjects": ["orders"],\n  "elements": [\n    { "activityName": "A", "dataObject": "orders", "startTimestamp": "placed_at" }\n  ]\n',
  );
  const missing: readonly (readonly [written: string, broken: string, title: string])[] = [
    ['"version": 1', '"version" 1', 'Add ":" behind "version"'],
    ['"dataSource": "shop"', '"dataSource" "shop"', 'Add ":" behind "dataSource"'],
    ['"dataObjects": [', '"dataObjects" [', 'Add ":" behind "dataObjects"'],
    ['"activityName": "A"', '"activityName" "A"', 'Add ":" behind "activityName"'],
    ['"A", "dataObject"', '"A" "dataObject"', 'Add ","'],
    ['"orders"],\n', '"orders"]\n', 'Add ","'],
    ['"shop",', '"shop,', 'Close the quote'],
    ['"dataSource":', '"dataSource:', 'Close the quote'],
    ['"A", ', '"A, ', 'Close the quote'],
    ['"orders"],', '"orders],', 'Close the quote'],
    ['"placed_at" }', '"placed_at }', 'Close the quote'],
  ];
  for (const [written, broken, title] of missing) {
    it(`insert the missing JSON character in ${broken.trim()}`, () => {
      const text = right.replace(written, broken);
      const parsed = parseEntityGraph(text);
      const context = { parsed, sources, catalog };
      const [fix] = validateEntityGraph({ text, ...context }).flatMap((problem) => fixesOf(problem, context));
      assert.deepEqual([fix?.title, fix?.preferred], [title, true]);
      assert.equal(applyEdits(text, fix?.edits ?? []), right);
    });
  }

  it('do not add quotes around lists or objects', () => {
    for (const text of [
      `${head}elements: - activityName: A\n`,
      element('    processContext: owner: Bob\n'),
      element('    startTimestamp: a: b\n      c: d\n'),
    ]) {
      const parsed = parseEntityGraph(text);
      const context = { parsed, sources, catalog };
      const fixes = validateEntityGraph({ text, ...context }).flatMap((problem) => fixesOf(problem, context));
      assert.deepEqual(
        fixes.filter(({ preferred }) => preferred),
        [],
        text,
      );
    }
  });

  it('do not choose between two values', () => {
    const text = element('    dataObject: orders\n    dataObject: customers\n    startTimestamp: placed_at\n');
    const parsed = parseEntityGraph(text);
    const context = { parsed, sources, catalog };
    const fixes = validateEntityGraph({ text, ...context }).flatMap((problem) => fixesOf(problem, context));
    assert.deepEqual(
      fixes.map((fix) => [fix.title, fix.preferred]),
      [['Remove this "dataObject"', false]],
    );
  });

  it('fix sources files', () => {
    const text = 'version: 1\ndataSources:\n  a: { kind: csv, path: x.csv\n  b: { kind: csv, path: y.csv }\n';
    const parsed = parseDataSources(text);
    const [problem, ...others] = validateDataSources({ text, parsed });
    assert.ok(problem);
    assert.deepEqual(others, []);
    const [fix] = fixesOfSources(problem, parsed);
    assert.equal(applyEdits(text, fix?.edits ?? []), text.replace('x.csv', 'x.csv }'));
  });
});
