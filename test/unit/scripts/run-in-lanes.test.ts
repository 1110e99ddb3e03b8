import assert from 'node:assert/strict';

interface Job {
  readonly name: string;
  readonly uses?: string;
}

/** The exports of `scripts/run-in-lanes.mjs`, which has no types. */
interface RunInLanes {
  runInLanes<Lane>(
    jobs: readonly Job[],
    lanes: readonly Lane[],
    run: (job: Job, lane: Lane) => Promise<void>,
  ): Promise<void>;
}

describe('runInLanes', () => {
  let runInLanes: RunInLanes['runInLanes'];
  before(async () => {
    const url = new URL('../../../scripts/run-in-lanes.mjs', import.meta.url).href;
    runInLanes = ((await import(url)) as RunInLanes).runInLanes;
  });

  /** `a:screen` uses the screen. The starts and ends; each job takes as many turns as its name is long. */
  async function traceOf(lanes: number, ...names: readonly string[]): Promise<string> {
    const trace: string[] = [];
    const jobs = names.map((text): Job => {
      const [name = '', uses] = text.split(':');
      return { name, ...(uses === undefined ? {} : { uses }) };
    });
    await runInLanes(jobs, Array.from({ length: lanes }).fill(undefined), async ({ name }) => {
      trace.push(`+${name}`);
      for (let turn = 0; turn < name.length * 10; turn += 1) await Promise.resolve();
      trace.push(`-${name}`);
    });
    return trace.join(' ');
  }

  const cases: readonly (readonly [what: string, lanes: number, jobs: readonly string[], trace: string])[] = [
    ['one lane runs them in order', 1, ['aa', 'b'], '+aa -aa +b -b'],
    ['a lane that is free takes the next', 2, ['aaa', 'b', 'c'], '+aaa +b -b +c -c -aaa'],
    ['what uses the same thing waits, others overtake it', 2, ['aa:s', 'bb:s', 'c'], '+aa +c -c -aa +bb -bb'],
    ['more lanes than jobs', 3, ['a'], '+a -a'],
    ['no jobs', 2, [], ''],
  ];
  for (const [what, lanes, jobs, trace] of cases) {
    it(what, async () => assert.equal(await traceOf(lanes, ...jobs), trace));
  }
});
