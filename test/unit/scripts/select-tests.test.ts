import assert from 'node:assert/strict';

interface Project {
  readonly changed: readonly string[];
  readonly files: readonly string[];
  readonly record: ReadonlyMap<string, ReadonlySet<string>>;
  readonly imports: ReadonlyMap<string, readonly string[]>;
  readonly textOf: (file: string) => string;
}

/** The exports of the scripts, which have no types. */
interface Scripts {
  selectTests(project: Project): { readonly everything?: string; readonly tests: ReadonlyMap<string, string> };
  fitSelection(
    tests: ReadonlyMap<string, string>,
    options: {
      readonly record: ReadonlyMap<string, ReadonlySet<string>>;
      readonly secondsOf: (test: string) => number;
      readonly budget: number;
    },
  ): { readonly tests: ReadonlyMap<string, string>; readonly leftOut: readonly string[] };
  importGraph(files: readonly string[], read: (file: string) => string): ReadonlyMap<string, readonly string[]>;
  encodeRecord(record: ReadonlyMap<string, ReadonlySet<string>>, before?: string): string;
  decodeRecord(text: string): ReadonlyMap<string, ReadonlySet<string>>;
  testOptions(args: readonly string[], parts: readonly string[]): object;
}

const script = async (name: string): Promise<Scripts> =>
  (await import(new URL(`../../../scripts/selection/${name}.mjs`, import.meta.url).href)) as Scripts;

describe('tests selected for a change', () => {
  let scripts: Scripts;
  before(async () => {
    scripts = { ...(await script('select-tests')), ...(await script('import-graph')) };
  });

  const texts: Readonly<Record<string, string>> = {
    'package.json': '{}',
    'docs/glossary.md': '',
    'docs/canvas.md': '',
    'samples/shop/shop.entity.yaml': '',
    'bench/import.ts': '',
    'server/src/rule.ts': `import { limits } from './limits.ts';\nimport type { Word } from './word.ts';\nexport function rule() {}`,
    'server/src/limits.ts': 'export const limits = [1, 2];',
    'server/src/word.ts': 'export type Word = string;',
    'server/src/index.ts': `export * from './rule.ts';\nexport const later = () => import('./lazy.ts');`,
    'server/src/lazy.ts': 'export function lazy() {}',
    'server/src/lonely.ts': 'export function lonely() {}',
    'test/support/project.ts': `export const manual = 'docs/glossary.md';`,
    'test/unit/rule.test.ts': `import { rule } from '../../server/src/index.ts';`,
    'test/unit/manual.test.ts': `import '../support/project.ts';`,
    'test/engine/import.test.ts': `import '../../server/src/index.ts';\nconst folder = 'samples/shop';\n// See docs/canvas.md.`,
    'test/server/hover.test.ts': '',
    'test/host/one.test.ts': '',
  };
  const record = {
    'test/unit/rule.test.ts': [],
    'test/unit/manual.test.ts': ['test/support/project.ts'],
    'test/engine/import.test.ts': ['server/src/lazy.ts'],
    'test/server/hover.test.ts': ['server/src/rule.ts'],
    'test/host': ['server/src/lazy.ts'],
  };

  /** The tests for changed files, each of which exists in `files`. */
  function select(
    changed: readonly string[],
    {
      files = texts,
      called = record,
    }: { files?: typeof texts; called?: Readonly<Record<string, readonly string[]>> } = {},
  ): string | readonly string[] {
    const textOf = (file: string): string => files[file] ?? assert.fail(`${file} does not exist`);
    const { everything, tests } = scripts.selectTests({
      changed,
      files: Object.keys(files),
      record: new Map(Object.entries(called).map(([test, sources]) => [test, new Set(sources)])),
      imports: scripts.importGraph(Object.keys(files), textOf),
      textOf,
    });
    return everything ?? [...tests.keys()].sort();
  }
  const without = (name: string): Readonly<Record<string, string>> =>
    Object.fromEntries(Object.entries(texts).filter(([file]) => file !== name));

  const cases: Readonly<Record<string, readonly [changed: readonly string[], tests: string | readonly string[]]>> = {
    'none without a change': [[], []],
    'those that call a changed module, and unit tests that import it': [
      ['server/src/rule.ts'],
      ['test/server/hover.test.ts', 'test/unit/rule.test.ts'],
    ],
    'those that call who imports a module without functions': [
      ['server/src/limits.ts'],
      ['test/server/hover.test.ts', 'test/unit/rule.test.ts'],
    ],
    'tests that share a process, of a module that is imported on first use': [
      ['server/src/lazy.ts'],
      ['test/engine/import.test.ts', 'test/host/one.test.ts', 'test/unit/rule.test.ts'],
    ],
    'none for types, which the compiler checks': [['server/src/word.ts'], []],
    'a changed test': [['test/server/hover.test.ts'], ['test/server/hover.test.ts']],
    'those that use a changed fixture': [['test/support/project.ts'], ['test/unit/manual.test.ts']],
    'those that name a document, but not in a comment': [
      ['docs/glossary.md', 'docs/canvas.md'],
      ['test/unit/manual.test.ts'],
    ],
    'those that name the folder of a sample': [['samples/shop/shop.entity.yaml'], ['test/engine/import.test.ts']],
    'none for benchmarks and the record': [['bench/import.ts', 'test/called-sources.json'], []],
    'all for a script': [['server/src/rule.ts', 'scripts/build.mjs'], 'scripts/build.mjs has changed'],
    'all for the manifest': [['package.json'], 'package.json has changed'],
    'all for a module that nobody calls or imports': [
      ['server/src/lonely.ts'],
      'nothing is known of server/src/lonely.ts',
    ],
    'all for a file of another kind': [['media/icon.svg'], 'nothing is known of media/icon.svg'],
  };
  for (const [title, [changed, tests]] of Object.entries(cases))
    it(title, () => assert.deepEqual(select(changed), tests));

  it('tests that called a deleted module', () =>
    assert.deepEqual(select(['server/src/rule.ts'], { files: without('server/src/rule.ts') }), [
      'test/server/hover.test.ts',
      'test/unit/rule.test.ts',
    ]));

  it('no deleted test', () =>
    assert.deepEqual(select(['test/server/hover.test.ts'], { files: without('test/server/hover.test.ts') }), []));

  it('tests without a record', () =>
    assert.deepEqual(select([], { called: { 'test/host': [], 'test/unit/rule.test.ts': [] } }), [
      'test/engine/import.test.ts',
      'test/server/hover.test.ts',
      'test/unit/manual.test.ts',
    ]));
});

describe('a selection that takes too long', () => {
  let scripts: Scripts;
  before(async () => {
    scripts = await script('fit-selection');
  });
  const tests = new Map([
    ['test/e2e/broad.test.ts', 'calls server/src/rule.ts'],
    ['test/server/special.test.ts', 'calls server/src/rule.ts'],
    ['test/e2e/new.test.ts', 'is not recorded'],
    ['test/host/one.test.ts', 'calls server/src/rule.ts'],
  ]);
  const sources = (count: number): ReadonlySet<string> =>
    new Set(Array.from({ length: count }, (_, index) => `${index}.ts`));
  const record = new Map([
    ['test/e2e/broad.test.ts', sources(9)],
    ['test/server/special.test.ts', sources(2)],
    ['test/host', sources(5)],
  ]);
  const fit = (budget: number): readonly [tests: readonly string[], leftOut: readonly string[]] => {
    const fitted = scripts.fitSelection(tests, { record, secondsOf: () => 10, budget });
    return [[...fitted.tests.keys()], fitted.leftOut];
  };

  it('keeps new tests, and the callers that call the fewest other sources', () =>
    assert.deepEqual(fit(25), [
      ['test/e2e/new.test.ts', 'test/server/special.test.ts'],
      ['test/host/one.test.ts', 'test/e2e/broad.test.ts'],
    ]));

  it('is whole within the time', () => assert.deepEqual(fit(40)[1], []));

  it('keeps new tests whatever the time limit', () => assert.deepEqual(fit(0)[0], ['test/e2e/new.test.ts']));
});

describe('record of called sources', () => {
  let scripts: Scripts;
  before(async () => {
    scripts = await script('called-sources');
  });
  const sets = (record: Readonly<Record<string, readonly string[]>>): ReadonlyMap<string, ReadonlySet<string>> =>
    new Map(Object.entries(record).map(([test, sources]) => [test, new Set(sources)]));
  const many = Array.from({ length: 20 }, (_, index) => `server/src/${index + 10}.ts`);

  it('is read as it was written', () => {
    const record = sets({
      'test/a.test.ts': many,
      'test/b.test.ts': [many[19] ?? '', many[3] ?? ''],
      'test/c.test.ts': [],
    });
    assert.deepEqual(
      [...scripts.decodeRecord(scripts.encodeRecord(record))].map(([test, sources]) => [test, [...sources].sort()]),
      [...record].map(([test, sources]) => [test, [...sources].sort()]),
    );
  });

  it('changes only the lines of changed entries', () => {
    const before = scripts.encodeRecord(sets({ 'test/a.test.ts': many, 'test/b.test.ts': many.slice(4) }));
    const after = scripts.encodeRecord(
      sets({ 'test/a.test.ts': many, 'test/b.test.ts': [...many.slice(4), 'server/src/00.ts'] }),
      before,
    );
    const old = new Set(before.split('\n'));
    const lines = after.split('\n').filter((line) => !old.has(line));
    assert.deepEqual(
      lines.map((line) => line.trim().split(':')[0]),
      ['"server/src/00.ts"', '"test/b.test.ts"'],
    );
  });

  it('gives the number of a deleted source to a new one', () => {
    const before = scripts.encodeRecord(sets({ 'test/a.test.ts': many }));
    const after = scripts.encodeRecord(sets({ 'test/a.test.ts': [...many.slice(1), 'server/src/new.ts'] }), before);
    assert.deepEqual([...(scripts.decodeRecord(after).get('test/a.test.ts') ?? [])].sort(), [
      ...many.slice(1),
      'server/src/new.ts',
    ]);
    assert.equal(
      after.split('\n').find((line) => line.includes('new.ts')),
      '    "server/src/new.ts": 0',
    );
  });
});

describe('arguments of npm test', () => {
  let scripts: Scripts;
  before(async () => {
    scripts = await script('test-options');
  });
  const parts = ['unit', 'engine'];
  const cases: Readonly<Record<string, object>> = {
    '': { named: [], records: false, changed: undefined },
    'unit engine': { named: ['unit', 'engine'], records: false, changed: undefined },
    '--changed': { named: [], records: false, changed: { everyCaller: false } },
    '--changed HEAD~3 unit': { named: ['unit'], records: false, changed: { base: 'HEAD~3', everyCaller: false } },
    '--changed engine': { named: ['engine'], records: false, changed: { everyCaller: false } },
    '--changed --every-caller': { named: [], records: false, changed: { everyCaller: true } },
    '--record unit': { named: ['unit'], records: true, changed: undefined },
  };
  for (const [args, options] of Object.entries(cases))
    it(args || 'none', () => assert.deepEqual(scripts.testOptions(args.split(' ').filter(Boolean), parts), options));

  it('refuse an unknown option', () =>
    assert.throws(() => scripts.testOptions(['--chnged'], parts), /There is no option "--chnged"/));
});
