import assert from 'node:assert/strict';

interface Job {
  readonly name: string;
  readonly uses?: string | undefined;
  readonly kindOfLane?: string | undefined;
}

interface Lane {
  readonly kind?: string;
}

/** The exports of `scripts/run-in-lanes.mjs`, which has no types. */
interface RunInLanes {
  runInLanes(jobs: readonly Job[], lanes: readonly Lane[], run: (job: Job, lane: Lane) => Promise<void>): Promise<void>;
}

describe('runInLanes', () => {
  let runInLanes: RunInLanes['runInLanes'];
  before(async () => {
    const url = new URL('../../../scripts/run-in-lanes.mjs', import.meta.url).href;
    runInLanes = ((await import(url)) as RunInLanes).runInLanes;
  });

  const ordinary = (count: number): readonly Lane[] => Array.from({ length: count }, () => ({}));

  /**
   * `a:s` uses `s`, `a@s` is for lanes of the kind `s`. The starts and ends; each job takes as many turns as its name is
   * long.
   */
  async function traceOf(lanes: readonly Lane[], ...names: readonly string[]): Promise<string> {
    const trace: string[] = [];
    const jobs = names.map((text): Job => {
      const [head = '', uses] = text.split(':');
      const [name = '', kindOfLane] = head.split('@');
      return { name, uses, kindOfLane };
    });
    await runInLanes(jobs, lanes, async ({ name }) => {
      trace.push(`+${name}`);
      for (let turn = 0; turn < name.length * 10; turn += 1) await Promise.resolve();
      trace.push(`-${name}`);
    });
    return trace.join(' ');
  }

  const cases: readonly (readonly [what: string, lanes: readonly Lane[], jobs: readonly string[], trace: string])[] = [
    ['one lane runs them in order', ordinary(1), ['aa', 'b'], '+aa -aa +b -b'],
    ['a lane that is free takes the next', ordinary(2), ['aaa', 'b', 'c'], '+aaa +b -b +c -c -aaa'],
    ['what uses the same thing waits, others overtake it', ordinary(2), ['aa:s', 'bb:s', 'c'], '+aa +c -c -aa +bb -bb'],
    [
      'jobs for lanes of a kind run one after the other in the one lane of it',
      [{}, { kind: 'screen' }],
      ['b', 'aa@screen', 'c@screen', 'd'],
      '+b +aa -b +d -aa -d +c -c',
    ],
    ['more lanes than jobs', ordinary(3), ['a'], '+a -a'],
    ['no jobs', ordinary(2), [], ''],
  ];
  for (const [what, lanes, jobs, trace] of cases) {
    it(what, async () => assert.equal(await traceOf(lanes, ...jobs), trace));
  }

  it('jobs that use the same thing stay in their lane while others are free', async () => {
    const taken: number[] = [];
    const lanes = ordinary(3);
    const jobs = ['a', 'b', 'c', 'd'].map((name) => ({ name, uses: 'it' }));
    await runInLanes(jobs, lanes, async (_, lane) => void taken.push(lanes.indexOf(lane)));
    assert.deepEqual(taken, [0, 0, 0, 0]);
  });
});
