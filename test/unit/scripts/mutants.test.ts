import assert from 'node:assert/strict';

interface Mutant {
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly start: number;
  readonly end: number;
  readonly before: string;
  readonly after: string;
}

/** The exports of the scripts, which have no types. */
interface Scripts {
  mutantsOf(file: string, text: string): ReadonlyMap<number, readonly Mutant[]>;
  sampleMutants(
    files: ReadonlyMap<string, ReadonlyMap<number, readonly Mutant[]>>,
    count: number,
    seed: string,
  ): readonly { readonly room: string; readonly functionLine: number; readonly mutant: Mutant }[];
  wilsonInterval(hits: number, count: number): readonly [from: number, to: number];
}

const script = async (name: string): Promise<Scripts> =>
  (await import(new URL(`../../../scripts/mutants/${name}.mjs`, import.meta.url).href)) as Scripts;

describe('mutants', () => {
  let scripts: Scripts;
  before(async () => {
    scripts = {
      ...(await script('make-mutants')),
      ...(await script('sample-mutants')),
      ...(await script('wilson-interval')),
    };
  });

  /** The texts of all mutants of the body of a function. */
  function changesOf(body: string): readonly string[] {
    const text = `function f(a, b) { ${body} }`;
    const mutants = [...scripts.mutantsOf('server/src/a.ts', text).values()].flat();
    return mutants.map(({ start, end, after }) => (text.slice(0, start) + after + text.slice(end)).slice(19, -2));
  }

  const cases: Readonly<Record<string, readonly string[]>> = {
    'if (a) b();': ['if (!(a)) b();', 'if (a) ;'],
    'return a < b;': ['return a <= b;', 'return a >= b;'],
    'return a === b && a;': ['return a === b || a;', 'return a !== b && a;'],
    'return a ? b : a;': ['return !(a) ? b : a;'],
    'await a(b);': [';'],
    'return true;': ['return false;'],
    "return 'text';": ["return '';"],
    "a('text', 1, false);": [';', "a('', 1, false);", "a('text', (1 + 1), false);", "a('text', 1, true);"],
    'return [a, ...b];': ['return [];', 'return [...b];', 'return [a];'],
    'return { a: b, ...b };': ['return { a: b };'],
    'const { x: [y] } = a;': [],
    "const x: 'text' = a;": [],
    "return a as 'text';": [],
  };
  for (const [body, changes] of Object.entries(cases)) it(body, () => assert.deepEqual(changesOf(body), changes));

  it('belong to the innermost function, by the line where V8 sees it begin', () => {
    const text = `const outside = 1;
export async function first() {
  return [1].map(
    (each) => each + 2);
}
class Box {
  /** Doc. */
  private async
  get() { return 3; }
}`;
    const lines = [...scripts.mutantsOf('server/src/a.ts', text)].map(([line, mutants]) => [
      line,
      mutants.map(({ before }) => before),
    ]);
    assert.deepEqual(lines, [
      [2, ['[1]', '1']],
      [4, ['2']],
      [9, ['3']],
    ]);
  });

  it('are sampled from each room by its share, and again the same by the same seed', () => {
    const file = (name: string, functions: number): [string, ReadonlyMap<number, readonly Mutant[]>] => {
      const text = Array.from(
        { length: functions },
        (_, index) => `function f${index}(a) { return a < ${index} ? 'x' : [a]; }`,
      );
      return [name, scripts.mutantsOf(name, text.join('\n'))];
    };
    const files = new Map([
      file('server/src/model/a.ts', 60),
      file('server/src/query/b.ts', 30),
      file('protocol/c.ts', 10),
    ]);
    const sample = scripts.sampleMutants(files, 20, 'seed');
    const rooms = [...new Set(sample.map(({ room }) => room))];
    assert.deepEqual(
      rooms.map((room) => [room, sample.filter((each) => each.room === room).length]),
      [
        ['protocol', 2],
        ['server/src/model', 12],
        ['server/src/query', 6],
      ],
    );
    assert.equal(new Set(sample.map(({ room, functionLine }) => `${room} ${functionLine}`)).size, 20);
    assert.ok(new Set(sample.map(({ mutant }) => mutant.kind)).size > 2);
    assert.deepEqual(scripts.sampleMutants(files, 20, 'seed'), sample);
    assert.notDeepEqual(scripts.sampleMutants(files, 20, 'other'), sample);
  });

  it('have a share with the interval of Wilson', () => {
    const rounded = (hits: number, count: number): readonly number[] =>
      scripts.wilsonInterval(hits, count).map((limit) => Math.round(limit * 10_000) / 10_000);
    // The examples of Newcombe (1998), table I, method 3.
    assert.deepEqual(rounded(81, 263), [0.2553, 0.3662]);
    assert.deepEqual(rounded(15, 148), [0.0624, 0.1605]);
    assert.deepEqual(rounded(0, 20), [0, 0.1611]);
    assert.deepEqual(rounded(1, 29), [0.0061, 0.1718]);
  });
});
