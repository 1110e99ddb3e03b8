/**
 * Counts and prints the results of the jobs: a failure at once, the output of a job when it ends.
 * @param {readonly { readonly part: { readonly name: string } }[]} jobs
 */
export function createReport(jobs) {
  const parts = new Map(jobs.map(({ part }) => [part, { ...none(), left: 0, start: undefined }]));
  for (const { part } of jobs) parts.get(part).left += 1;
  const failures = [];
  const failedJobs = new Map();
  const leftOut = new Map();
  /** Failures that belong to no part. */
  const others = none();
  const secondTries = [];

  function fail(tally, what, job) {
    tally.failed += 1;
    failures.push({ what, job });
    console.error(`  ✗ ${what}`);
  }

  /** Records a part that does not run, or not to its end, as one skipped test, whatever the number of its jobs. */
  function leaveOut(part, reason) {
    if (leftOut.has(part)) return;
    const sum = parts.get(part);
    const what = sum.start === undefined ? part.name : `the rest of ${part.name}`;
    sum.skipped += 1;
    leftOut.set(part, `Leaves out ${what}: ${reason.split('\n', 1)[0]}`);
    console.log(`\n── ${what} is left out:\n${reason}\n`);
  }

  function endPart(part) {
    const sum = parts.get(part);
    if (sum.start === undefined) return;
    console.log(`\n── ${part.name}: ${say(sum)} in ${secondsSince(sum.start)} s\n`);
  }

  function passedAgain() {
    const failed = new Set(failures.map(({ what }) => titleOf(what)));
    return secondTries.filter(({ what }) => !failed.has(titleOf(what)));
  }

  return {
    /**
     * `end` gets the reason if the job was stopped and not failed.
     * @returns {{ note(kind: string, title: string): void, end(result: { text: string, processorSeconds?: number, leftOut?: string }): void }}
     */
    begin(job) {
      const { part, name } = job;
      const sum = parts.get(part);
      const own = none();
      const start = Date.now();
      sum.start ??= start;
      return {
        note(kind, title) {
          if (kind === 'failed') fail(own, `${name}: ${title}`, job);
          else own[kind] += 1;
        },
        end({ text, processorSeconds, leftOut: reason }) {
          for (const kind of Object.keys(own)) sum[kind] += own[kind];
          sum.left -= 1;
          if (own.failed > 0) failedJobs.set(job, own);
          const line = `${name}: ${say(own)} in ${secondsSince(start)} s${ofProcessors(processorSeconds)}`;
          console.log(text === '' ? line : `\n${line}${text.trimEnd()}`);
          if (reason !== undefined) leaveOut(part, reason);
          if (sum.left === 0) endPart(part);
        },
      };
    },
    failedJobs: () => [...failedJobs.keys()],
    /** Leaves out a job that cannot run, and with it its part. */
    leaveOut({ part }, reason) {
      leaveOut(part, reason);
      const sum = parts.get(part);
      sum.left -= 1;
      if (sum.left === 0) endPart(part);
    },
    /** Discards the results of a job that will run again, and records its failures as first attempts. */
    forget(job) {
      const sum = parts.get(job.part);
      const own = failedJobs.get(job);
      failedJobs.delete(job);
      for (const kind of Object.keys(own)) sum[kind] -= own[kind];
      sum.left += 1;
      const isOfJob = (failure) => failure.job === job;
      secondTries.push(...failures.filter(isOfJob));
      failures.splice(0, failures.length, ...failures.filter((failure) => !isOfJob(failure)));
    },
    /** A failure that belongs to no part. */
    fail: (reason) => fail(others, reason),
    /**
     * The last line of a run, after a summary of failures, the processor time, if known, and what was left out.
     * @param {number} [processorSeconds]
     * @param {readonly string[]} [notes] of what did not run
     */
    print(processorSeconds, notes = []) {
      const all = none();
      for (const sum of [...parts.values(), others]) for (const kind of Object.keys(all)) all[kind] += sum[kind];
      printList('Failed at the first try only, which is a defect of the test or of what it tests:', passedAgain());
      printList('Failed:', failures);
      if (processorSeconds !== undefined) console.log(`\n${Math.round(processorSeconds)} s of processor time`);
      console.log(['', ...notes, ...leftOut.values(), say(all)].join('\n'));
      return all;
    },
  };
}

/** Lines of a failure repeated at the end; the complete text is in the output of its file. */
const linesOfReason = 12;

function printList(heading, failures) {
  const list = failures.map(({ what }) => {
    const [title, ...reason] = what.split('\n').slice(0, 1 + linesOfReason);
    return [`\n  ✗ ${title}`, ...reason.map((line) => `      ${line}`.trimEnd())].join('\n');
  });
  if (list.length > 0) console.error(`\n${heading}${list.join('')}`);
}

/** The failed test, without the reason, which may differ between attempts. */
const titleOf = (what) => what.split('\n', 1)[0];

const none = () => ({ passed: 0, failed: 0, skipped: 0 });

function say({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

const ofProcessors = (seconds) => (seconds === undefined ? '' : `, ${seconds.toFixed(1)} s of processor time`);

function secondsSince(start) {
  return ((Date.now() - start) / 1000).toFixed(1);
}
