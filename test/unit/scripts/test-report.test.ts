import assert from 'node:assert/strict';

/** The exports of `scripts/test-report.mjs`, which has no types. */
interface Reports {
  createReport(jobs: readonly object[]): Report;
}

interface Report {
  begin(job: object): {
    note(kind: string, title: string): void;
    end(result: {
      readonly text: string;
      readonly processorSeconds?: number | undefined;
      readonly leftOut?: string;
    }): boolean;
  };
  failedJobs(): readonly object[];
  forget(job: object): void;
  leaveOut(job: object, reason: string): boolean;
  print(processorSeconds?: number, notes?: readonly string[]): { readonly passed: number; readonly failed: number };
}

describe('test report', () => {
  let createReport: Reports['createReport'];
  before(async () => {
    const url = new URL('../../../scripts/test-report.mjs', import.meta.url).href;
    ({ createReport } = (await import(url)) as Reports);
  });

  const part = { name: 'engine' };
  const [one, other] = [
    { part, name: 'one.test.ts' },
    { part, name: 'other.test.ts' },
  ];

  /** The output of a run whose first file fails in one of two tests, and then in `again` of them. */
  function runWith(
    again: readonly ('passed' | 'failed')[],
    told = (title: string): string => title,
    processorSeconds?: number,
  ): { readonly printed: string; readonly failed: number } {
    const lines: string[] = [];
    const { log, error } = console;
    console.log = console.error = (line: string) => void lines.push(line);
    try {
      const report = createReport([one, other]);
      const run = (job: object, results: readonly string[]): void => {
        const entry = report.begin(job);
        results.forEach((kind, index) => entry.note(kind, told(`test ${index + 1}`)));
        entry.end({ text: '', processorSeconds });
      };
      run(one, ['passed', 'failed']);
      run(other, ['passed']);
      assert.deepEqual(report.failedJobs(), [one]);
      report.forget(one);
      run(one, again);
      const { failed } = report.print(processorSeconds);
      return { printed: lines.join('\n'), failed };
    } finally {
      Object.assign(console, { log, error });
    }
  }

  it('counts a repeated file once, and names tests that failed only at first', () => {
    const { printed, failed } = runWith(['passed', 'passed']);
    assert.equal(failed, 0);
    assert.match(printed, /Failed at the first try only.*\n {2}✗ one\.test\.ts: test 2\n\n3 passed, 0 failed$/);
  });

  it('shows the processor time of each file and in total, if known', () => {
    const { printed } = runWith(['passed', 'passed'], (title) => title, 3.75);
    assert.match(printed, /other\.test\.ts: 1 passed, 0 failed in \d+\.\d s, 3\.8 s of processor time\n/);
    assert.match(printed, /\n4 s of processor time\n\n3 passed, 0 failed$/);
  });

  it('repeats shortened failure reasons at the end', () => {
    const { printed } = runWith(['passed', `failed`], (title) =>
      [title, 'AssertionError: 1 !== 2', ...Array(50).fill('at')].join('\n'),
    );
    assert.match(
      printed,
      /Failed:\n {2}✗ one\.test\.ts: test 2\n {6}AssertionError: 1 !== 2\n( {6}at\n){11}\n2 passed, 1 failed$/,
    );
    assert.doesNotMatch(printed, /first try/);
  });

  it('fails when a repeated file fails again, also elsewhere', () => {
    const same = runWith(['passed', 'failed']);
    assert.match(same.printed, /Failed:\n {2}✗ one\.test\.ts: test 2\n\n2 passed, 1 failed$/);
    assert.doesNotMatch(same.printed, /first try/);
    const elsewhere = runWith(['failed', 'passed']);
    assert.match(
      elsewhere.printed,
      /first try only.*\n {2}✗ one\.test\.ts: test 2\n\nFailed:\n {2}✗ one\.test\.ts: test 1/,
    );
    assert.equal(elsewhere.failed, 1);
  });

  it('counts a part that cannot run as one skipped test, and says so above the last line', () => {
    const lines: string[] = [];
    const { log } = console;
    console.log = (line: string) => void lines.push(line);
    try {
      const trino = { name: 'trino' };
      const left = [
        { part: trino, name: 'one.test.ts' },
        { part: trino, name: 'other.test.ts' },
      ];
      const report = createReport([other, ...left]);
      const entry = report.begin(other);
      entry.note('passed', 'test 1');
      entry.end({ text: '' });
      for (const job of left) report.leaveOut(job, 'no registry answers\nfor three reasons');
      const { failed } = report.print(undefined, ['Leaves out readers.']);
      assert.equal(failed, 0);
    } finally {
      Object.assign(console, { log });
    }
    assert.match(lines.join('\n'), /trino is left out:\nno registry answers\nfor three reasons\n/u);
    assert.equal(
      lines.at(-1),
      '\nLeaves out readers.\nLeaves out trino: no registry answers\n1 passed, 0 failed, 1 skipped',
    );
  });
});
