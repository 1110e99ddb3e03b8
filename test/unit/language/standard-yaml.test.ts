import assert from 'node:assert/strict';
import { hoverGraphTests } from '../../../server/src/graph-tests/hover-tests.ts';
import { parseGraphTests } from '../../../server/src/graph-tests/parse-graph-tests.ts';
import { graphTestProblems } from '../../../server/src/graph-tests/test-problems.ts';
import { hoverDataSources, hoverEntityGraph } from '../../../server/src/language/hover.ts';
import { fixesOf } from '../../../server/src/language/quick-fixes/index.ts';
import { validateDataSources, validateEntityGraph } from '../../../server/src/language/validation/validate-graph.ts';
import { applyEdits } from '../../../server/src/model/edits/text-edit.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { parseEntityGraph } from '../../../server/src/model/parse-model.ts';
import type { Problem } from '../../../server/src/model/problem.ts';
import { catalog, sources } from './shop-catalog.ts';

const head = 'version: 1\ndataSource: shop\n';
const element = 'elements:\n  - { activityName: A, dataObject: orders, startTimestamp: placed_at }\n';
const problems = {
  graph: (text: string) => validateEntityGraph({ text, parsed: parseEntityGraph(text), sources, catalog }),
  sources: (text: string) => validateDataSources({ text, parsed: parseDataSources(text) }),
  tests: (text: string) => graphTestProblems(parseGraphTests(text), undefined),
} satisfies Record<string, (text: string) => readonly Problem[]>;
const valid = {
  graph: `${head}${element}`,
  sources: 'version: 1\ndataSources:\n  a: { kind: csv, path: "*.csv" }\n',
  tests: 'graph: a.entity.yaml\ntests: [{ name: a, given: {}, expect: { events: [] } }]\n',
};

describe('$schema at the top of a file', () => {
  for (const kind of ['graph', 'sources', 'tests'] as const) {
    it(`is allowed in ${kind}, as a text`, () => {
      assert.deepEqual(problems[kind](`$schema: https://example.org/x.json\n${valid[kind]}`), []);
      assert.deepEqual(
        problems[kind](`$schema: 5\n${valid[kind]}`).map(({ message }) => message),
        // What stands in a data sources file may be a secret.
        kind === 'sources'
          ? ['"$schema" must be text, not a number. Put it in quotes.']
          : ['"$schema" must be text, not 5. Put it in quotes: "5".'],
      );
    });
  }
});

describe('merge keys', () => {
  const merges = 'merges nothing here: merge keys belong to YAML 1.1';
  const cases: readonly (readonly [kind: keyof typeof problems, where: string, text: string])[] = [
    [
      'graph',
      'an element',
      `${head}elements:\n  - &a\n    activityName: A\n    dataObject: orders\n    startTimestamp: placed_at\n  - <<: *a\n    activityName: B\n`,
    ],
    ['graph', 'the whole file', `x-base: &b { description: D }\n<<: *b\n${valid.graph}`],
    ['graph', 'custom data', `x-base: &b { a: 1 }\nx-own: { <<: *b }\n${valid.graph}`],
    ['graph', 'several of a list', `x-a: &a { name: N }\nx-b: &b { description: D }\n<<: [*a, *b]\n${valid.graph}`],
    ['sources', 'a data source', 'version: 1\ndataSources:\n  a: &x { kind: csv, path: "*.csv" }\n  b: { <<: *x }\n'],
    [
      'tests',
      'a test',
      'graph: a.entity.yaml\ntests:\n  - &a { name: a, given: {}, expect: { events: [] } }\n  - { <<: *a, name: b }\n',
    ],
    [
      'tests',
      'a row, where every key is a column',
      'graph: a.entity.yaml\ntests:\n  - name: a\n    given: { orders: [&r { id: 1 }, { <<: *r, x: 2 }] }\n    expect: { events: [] }\n',
    ],
  ];
  for (const [kind, where, text] of cases) {
    it(`are the only problem in ${where} of ${kind}`, () => {
      const found = problems[kind](text);
      assert.deepEqual(
        found.map(({ code, range }) => [code, text.slice(range.start, range.end)]),
        [['schema-unknown-property', '<<']],
      );
      assert.ok(found[0]?.message.includes(merges), found[0]?.message);
    });
  }

  it('in quotes are names, and texts with the sign are texts', () => {
    const text =
      'graph: a.entity.yaml\ntests:\n  - name: a << b\n    given: { orders: [{ "<<": { a: 1 } }, { "<<": 2 }] }\n    expect: { events: [] }\n';
    assert.deepEqual(
      problems.tests(text).filter(({ message }) => message.includes(merges)),
      [],
    );
  });
});

describe('values that YAML reads as numbers', () => {
  for (const written of ['1e5', '007', '0x1F', '1.50', '+1', '.5', '12345678901234567890', 'true']) {
    it(`${written} is quoted as the file has it`, () => {
      const text = `${head}${element.replace('orders', written)}`;
      const [problem, ...others] = problems.graph(text);
      assert.ok(problem && others.length === 0);
      assert.equal(problem.message, `"dataObject" must be text, not ${written}. Put it in quotes: "${written}".`);
      const [fix] = fixesOf(problem, { parsed: parseEntityGraph(text), sources, catalog });
      assert.equal(applyEdits(text, fix?.edits ?? []), `${head}${element.replace('orders', `"${written}"`)}`);
    });
  }

  it('are named as the file has them, too, where a value is wrong', () => {
    assert.match(problems.graph(valid.graph.replace('1', '1e5'))[0]?.message ?? '', /^"version" must be 1, not 1e5\.$/);
  });

  it('behind an alias are named by their value', () => {
    const text = `x-name: &n 1e5\n${head}${element.replace('orders', '*n')}`;
    assert.match(problems.graph(text)[0]?.message ?? '', /not 1e5\.|not 100000\./);
  });
});

describe('hover on an alias', () => {
  const graph = `${head}elements:
  - { activityName: A, dataObject: &o orders, startTimestamp: &t placed_at, expect: &e { unique: [id] } }
  - { activityName: B, dataObject: *o, startTimestamp: *t, properties: [*t], expect: *e }
`;
  const at = (words: string): string | undefined =>
    hoverEntityGraph({ parsed: parseEntityGraph(graph), sources, catalog }, graph.indexOf(words) + words.length - 1)
      ?.markdown.plain;

  it('names its value and where it is written, and explains it', () => {
    assert.match(at('dataObject: *o') ?? '', /^\*o is orders, written at line 4\.\n\norders — table · 5 columns/);
    assert.match(at('startTimestamp: *t') ?? '', /^\*t is placed_at, written at line 4\.\n\nplaced_at — timestamp/);
    assert.match(at('[*t') ?? '', /^\*t is placed_at[^]*placed_at — timestamp/);
    assert.match(at('expect: *e') ?? '', /^\*e is the value that is written at line 4\.\n\n/);
  });

  it('works in sources files and tests', () => {
    const shared = 'version: 1\ndataSources:\n  a: { kind: csv, path: &p "*.csv" }\n  b: { kind: csv, path: *p }\n';
    const hover = hoverDataSources({ parsed: parseDataSources(shared) }, shared.indexOf('*p') + 1);
    assert.match(hover?.markdown.plain ?? '', /^\*p is \*\.csv, written at line 3\.\n\n/);
    const tests =
      'graph: a.entity.yaml\ntests:\n  - { name: &n a, given: {}, expect: { events: [{ activity: *n }] } }\n';
    const told = hoverGraphTests(parseGraphTests(tests), undefined, tests.indexOf('*n') + 1);
    assert.match(told?.markdown.plain ?? '', /^\*n is a, written at line 3\./);
  });

  it('says nothing about an alias without an anchor', () => {
    const text = `${head}elements:\n  - { activityName: A, dataObject: *gone }\n`;
    assert.equal(
      hoverEntityGraph({ parsed: parseEntityGraph(text), sources, catalog }, text.indexOf('gone')),
      undefined,
    );
  });
});
