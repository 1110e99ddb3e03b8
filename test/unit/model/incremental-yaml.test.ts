import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { createIncrementalYaml } from '../../../server/src/model/incremental-yaml.ts';
import { createGraphParser } from '../../../server/src/model/graph-parser.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import { yamlSections } from '../../../server/src/model/yaml-chunks.ts';
import { parseYaml } from '../../../server/src/model/yaml-text.ts';
import { soakProperty } from '../../support/soak.ts';

const linked = `x-time: &time startTimestamp
x-defaults: &defaults { key: id, properties: [note] }
elements:
  - &first
    activityName: &name Place Order
    dataObject: orders
    startTimestamp: placed_at
  - activityName: Ship Order
    dataObject: orders
    startTimestamp: placed_at
  - <<: *defaults
    activityName: Win Customer
    dataObject: customers
  - *first
  - { activityName: Pay Order, dataObject: &second payments, startTimestamp: *time }
relationships:
  - source: *name
    target: Ship Order
  - { source: Ship Order, target: *name, crossTable: { dataObject: *second } }
`;

const samples = ['incidents/incidents', 'incidents/trail', 'northwind/northwind'].map((name) =>
  readFileSync(`samples/${name}.entity.yaml`, 'utf8'),
);

/** Texts that may occur above the first key. */
const heads = ['---\n', '# note\n\n--- # begins\n# note\n', '%YAML 1.2\n---\n', '\uFEFF', '\uFEFF%OTHER x\n--- \n'];

const withHeads = heads.flatMap((head) => [`${head}${linked}`, `${head}${linked.slice(linked.indexOf('elements:'))}`]);

const texts = [...samples, ...samples, linked, linked, ...withHeads];

/** Text that people type, including text that breaks the syntax around it. */
const pieces = [
  'a',
  ' ',
  '\n',
  '  ',
  '- ',
  ':',
  ': ',
  '[',
  ']',
  '{',
  '}',
  '"',
  "'",
  '#',
  '|',
  '\n  - activityName: New\n    dataObject: t\n',
  '\nrelationships:\n',
  '\t',
  '&a',
  '*a',
  '&name ',
  '*name',
  '<<: *defaults',
  '---\n',
  'x-y: 1\n',
  '\n x\n',
  '\n  x\n',
  '\n- x\n',
  '\n - x: 1\n',
  '\n   - x: 1\n',
  '\nkey: id\n',
  '\nkey:\n      - note\n',
  '\nwhere: |\n      id > 1\n',
  '\nelements',
  '\n%x\n',
  '\n"x\n',
  '\nelements: [\n',
  '\n[a\n',
  '\n[a]\n',
  '\n[a]: 1\n',
  '\n{ a: 1\n',
  '\n{ a }\n',
  '\n{ a }: 1\n',
  '\n"x"\n',
  "\n'x': 1\n",
  '\n*a\n',
  '\n*name : 1\n',
  '\n&a\n',
  '\n? a\n',
  '\n: a\n',
  '\nx\n',
  '%YAML 1.2\n',
  '%YAML 1.1\n',
  '\uFEFF',
  '\u00A0',
  '\n\u00A0x: 1\n',
  '\u2028',
  '\r\n',
];

const edit = fc.record({
  /** Often above the first key, or shortly below it. */
  at: fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 0.05, noNaN: true })),
  remove: fc.nat({ max: 30 }),
  insert: fc.constantFrom(...pieces),
});

describe('createIncrementalYaml', () => {
  it('agrees with a full parse for random edits', () => soakProperty(50, randomEdits)).timeout(0);

  function randomEdits(settings: fc.Parameters<unknown>): number {
    let tried = 0;
    fc.assert(
      fc.property(fc.constantFrom(...texts), fc.array(edit, { minLength: 1, maxLength: 12 }), (sample, edits) => {
        const incremental = createIncrementalYaml();
        let text = sample;
        for (const { at, remove, insert } of edits) {
          const offset = Math.round(at * text.length);
          text = text.slice(0, offset) + insert + text.slice(offset + remove);
          const yaml = incremental.parse(text);
          const whole = parseYaml(text);
          const anew = createIncrementalYaml().parse(text);
          tried += 1;
          assert.deepEqual([yaml.problems, yaml.broken], [anew.problems, anew.broken], JSON.stringify(text));
          // In a broken text the intact entries must still be read; parsing the whole loses them.
          assert.equal(yaml.problems.length > 0, whole.problems.length > 0, JSON.stringify(text));
          if (whole.problems.length > 0) continue;
          for (const alias of yaml.links.aliases)
            assert.equal(yaml.links.target(alias), alias.resolve(yaml.document), JSON.stringify(text));
          const graph = parseEntityGraph(text, yaml).graph;
          assert.deepEqual(plain(graph, text), plain(parseEntityGraph(text, whole).graph, text), JSON.stringify(text));
          assert.deepEqual(dataOf(yaml), dataOf(whole));
        }
      }),
      settings,
    );
    return tried;
  }

  for (const [name, sign] of Object.entries({
    'a byte order mark': '\uFEFF',
    'a no-break space': '\u00A0',
    'a line separator': '\u2028',
  })) {
    it(`does not treat ${name} as blank`, () => {
      for (const text of [
        `version:${sign} 1\nname: x\n`,
        `x y\nversion:${sign} 1\nname: x\n`,
        `elements:${sign}\n  - activityName: A\n`,
        `elements:\n  -${sign}activityName: A\n  - activityName: B\n`,
        `name: x${sign}#y\nelements: []\n`,
        `name: &${sign}a x\ndescription: *${sign}a\n`,
      ]) {
        const [yaml, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
        assert.equal(yaml.problems.length > 0, whole.problems.length > 0, JSON.stringify(text));
        if (whole.problems.length === 0) assert.deepEqual(dataOf(yaml), dataOf(whole), JSON.stringify(text));
      }
    });
  }

  it('parses an indented key after a byte order mark like a full parse', () => {
    for (const blank of [' ', '  ', '\t', '\n ', '# note\n ', '']) {
      const text = `\uFEFF${blank}version: 1\n\nelements:\n  - activityName: A\n`;
      const [yaml, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
      assert.equal(yaml.problems.length > 0, whole.problems.length > 0, JSON.stringify(text));
      if (whole.problems.length > 0) continue;
      assert.deepEqual(dataOf(yaml), dataOf(whole), JSON.stringify(text));
      assert.deepEqual(
        plain(parseEntityGraph(text, yaml).graph, text),
        plain(parseEntityGraph(text, whole).graph, text),
      );
    }
  });

  it('parses an alias without an anchor used as a key like a full parse', () => {
    const text = '*a: : 1\nname: x\n';
    assert.deepEqual(dataOf(createIncrementalYaml().parse(text)), dataOf(parseYaml(text)));
  });

  it('parses alias targets again when they change, and nothing else otherwise', () => {
    const parser = createGraphParser();
    const namesIn = (text: string): unknown =>
      parser.parse(text).graph.relationships.map(({ source, target }) => [source?.value, target?.value]);
    const [, , before] = parser.parse(linked).graph.elements;
    const moved = linked.replace('Ship Order', 'Really Ship Order');
    const [, , after] = parser.parse(moved).graph.elements;
    assert.equal(after, before);
    assert.ok(moved.slice(after?.range.start).startsWith('<<: *defaults'));
    assert.deepEqual(namesIn(moved.replace('&name Place', '&name Make')), [
      ['Make Order', 'Ship Order'],
      ['Ship Order', 'Make Order'],
    ]);
    assert.deepEqual(namesIn(moved.replace('&name ', '')), [
      [undefined, 'Ship Order'],
      ['Ship Order', undefined],
    ]);
  });

  it('parses fields below a list, with any characters', () => {
    for (const key of ['-a', '--a', 'a:b', 'a::', 'a#b', 'a-', 'a b', 'a :', '"a: b"', "'a'", '?a', ':a', 'ä', '1']) {
      const text = `x:\n  - b: 1\n${key}: 2\n`;
      const [parts, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
      assert.deepEqual(whole.problems, [], text);
      assert.deepEqual(parts.problems, [], text);
      assert.deepEqual(dataOf(parts), dataOf(whole));
    }
  });

  it('parses only a changed field: entries stay the same objects, with shifted positions', () => {
    for (const sample of samples) {
      for (const [key, typed] of [
        ['dataSource: ', 'x'],
        ['version: ', '[ "'],
        ['dataObjects: ', '\n  '],
        ['name: ', '|\n  # x\n  '],
      ] as const) {
        const parser = createGraphParser();
        const first = parser.parse(sample);
        const before = first.graph.elements.map((element) => ({ element, ...element.range }));
        const at = sample.indexOf(`\n${key}`) + 1 + key.length;
        const text = `${sample.slice(0, at)}${typed}${sample.slice(at)}`;
        const { graph, yaml } = parser.parse(text, { from: at, until: at, distance: typed.length });
        const { elements } = graph;
        const kept = yaml.sections?.filter((section, index) => section === first.yaml.sections?.[index]);
        assert.equal(kept?.length, (first.yaml.sections?.length ?? 0) - 1, key);
        assert.equal(elements.length, before.length, key);
        for (const [index, { element, start, end }] of before.entries()) {
          assert.equal(elements[index], element, key);
          assert.deepEqual({ ...element.range }, { start: start + typed.length, end: end + typed.length });
        }
      }
    }
  });

  it('reports the same mistake for lines indented no deeper than the surrounding dashes', () => {
    const entries = [
      'a: "x\n§y"',
      '[a,\n§b]',
      '[a,\n§b\n§]',
      'a: |\n§x',
      'a: >-\n§- x',
      'a: x\n§y',
      'a:\n§- y',
      '"x"\n§: y',
    ];
    for (const entry of entries) {
      for (const indent of ['', ' ', '  ', '   ', '    ']) {
        const text = `x:\n  - ${entry.replaceAll('§', indent)}\n  - b: 2\n`;
        const [parts, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
        assert.equal(parts.problems.length > 0, whole.problems.length > 0, JSON.stringify(text));
        if (whole.problems.length === 0) assert.deepEqual(dataOf(parts), dataOf(whole));
      }
    }
  });

  it('assigns a field that lost its indentation to its entry when that is certain', () => {
    const others = '  - a: 2\n  - a: 3\n';
    const cases: Readonly<Record<string, number>> = {
      'key: id\n    b: 1\n': 1,
      'key: id\n': 1,
      'key: [id]\n    b: 1\n': 1,
      'key: "id" # which\n\n    b: 1\n': 1,
      'key:\n      - note\n    b: 1\n': 1,
      'key:\n      - note\n': 1,
      'key:\n      b: 1\n': 1,
      'where: |\n      id > 1\n    b: 1\n': 1,
      // These are valid, or may become valid further below.
      'key:\n  - note\n': 2,
      'key: "id\n    b: 1"\n': 2,
      'key: [id,\n    b: 1]\n': 2,
      'key: |\n  id\n': 2,
      'key: &id\n': 2,
      'key:\n  "id\n   b: 1"\n': 2,
      'x-key: id\n    b: 1\n': 2,
      // A list whose first line is indented too far.
      'relationships:\n     - name: a\n    source: b\n': 2,
    };
    for (const [lines, sections] of Object.entries(cases)) {
      const text = `elements:\n  - a: 1\n${lines}${others}`;
      assert.equal(yamlSections(text)?.length, sections, JSON.stringify(text));
      const [parts, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
      assert.equal(parts.problems.length > 0, whole.problems.length > 0, JSON.stringify(text));
      if (sections === 1) assert.deepEqual(parts.broken?.length, 1, JSON.stringify(text));
    }
  });

  it('keeps a mistake within its entry', () => {
    const incremental = createIncrementalYaml();
    for (const damage of ['[', '"', "'", '{', ': :', '- - x: [']) {
      for (const sample of samples) {
        const at = sample.indexOf('startTimestamp: ') + 'startTimestamp: '.length;
        const text = `${sample.slice(0, at)}${damage}${sample.slice(at)}`;
        const { graph } = parseEntityGraph(text, incremental.parse(text));
        const whole = parseEntityGraph(sample).graph;
        assert.equal(graph.relationships.length, whole.relationships.length, damage);
        assert.ok(graph.elements.length >= whole.elements.length - 1, damage);
      }
    }
  });

  it('reports a field that is set twice in different places', () => {
    const text = 'name: a\nelements:\n  - activityName: A\nname: b\n';
    const [problem] = createIncrementalYaml().parse(text).problems;
    assert.equal(text.slice(problem?.range.start, problem?.range.end), 'name');
    assert.equal(problem?.range.start, text.lastIndexOf('name'));
  });
});

describe('yamlSections', () => {
  const parts = (text: string): unknown =>
    yamlSections(text)?.map(
      ({ start, end, items }) => items?.map((item) => text.slice(item.start, item.end)) ?? text.slice(start, end),
    );

  it('splits lists into entries, and nothing else', () => {
    assert.deepEqual(
      parts('a: 1\nb:\n  - x: 1\n    y:\n      - z\n  # note\n  - c\nd:\n- 1\n- 2\ne: |\n  - no\n  - list\n'),
      [
        'a: 1\n',
        ['  - x: 1\n    y:\n      - z\n  # note\n', '  - c\n'],
        ['- 1\n', '- 2\n'],
        'e: |\n  - no\n  - list\n',
      ],
    );
  });

  it('splits after document markers, directives and words above the first field', () => {
    for (const head of [...heads, '--\n', '-\n', 'abc\n', '# note\n', '%\n', '%YA\n', '%YAML 1.2\n']) {
      const text = `${head}a:\n  - x: 1\n  - y: 1\nb: 1\n`;
      assert.deepEqual(parts(text), [['  - x: 1\n', '  - y: 1\n'], 'b: 1\n'], JSON.stringify(head));
      const [read, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
      assert.equal(read.problems.length > 0, whole.problems.length > 0, JSON.stringify(head));
      if (whole.problems.length === 0) assert.deepEqual(dataOf(read), dataOf(whole));
    }
  });

  it('keeps entries separate while an unindented line starts with a bracket or a quote', () => {
    for (const typed of ['[', '[a', '[a, b]', '{', '{ a', '{ a }', '"', '"a', '"a"', "'a'", '*a']) {
      const text = `a:\n  - x: 1\n${typed}\n  - y: 1\nb: 1\n`;
      assert.deepEqual(parts(text), [[`  - x: 1\n${typed}\n`, '  - y: 1\n'], 'b: 1\n'], typed);
      const [read, whole] = [createIncrementalYaml().parse(text), parseYaml(text)];
      assert.ok(whole.problems.length > 0, typed);
      assert.equal(read.broken?.length, 1, typed);
    }
  });

  it('does not split dependent text', () => {
    for (const text of [
      '{ a: 1 }',
      '- a\n- b\n',
      '%YAML 1.1\n---\na: 1\n',
      '---\n',
      '--- a\n',
      'a: 1\n---\nb: 2\n',

      '  a: 1\n',
      'a: !!str x\n',
      'a: 1\n\uFEFFb: 1\n',
    ]) {
      assert.equal(parts(text), undefined, text);
    }
  });
});

/** The data of a text; an alias without an anchor has no data, which a rule reports. */
function dataOf({ document }: ReturnType<typeof parseYaml>): unknown {
  try {
    return document.toJS() as unknown;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}

/**
 * Plain data, with the positions of SQL, which are computed on demand. An entry whose last value is empty ends with it
 * or with the blank lines below; both are correct.
 */
function plain(value: unknown, text: string): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => {
      // Positions are getters of classes, which JSON omits.
      if (part instanceof Object && 'value' in part && 'range' in part && !Object.hasOwn(part, 'range')) {
        const { sourceOffsets } = part as { sourceOffsets?: unknown };
        return { value: part.value, range: part.range, ...(sourceOffsets ? { sourceOffsets } : {}) };
      }
      if (key !== 'range') return part;
      const { start, end } = part as { start: number; end: number };
      return [start, start + text.slice(start, end).trimEnd().length];
    }),
  ) as unknown;
}
