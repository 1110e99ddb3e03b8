/**
 * Counts what the jobs of the parts say and prints it: a failure at once, the output of a job when it ends.
 * @param {readonly { readonly part: { readonly name: string } }[]} jobs
 */
export function createReport(jobs) {
  const parts = new Map(jobs.map(({ part }) => [part, { ...none(), left: 0, start: undefined }]));
  for (const { part } of jobs) parts.get(part).left += 1;
  const failures = [];

  function fail(tally, what) {
    tally.failed += 1;
    failures.push(what);
    console.error(`  ✗ ${what}`);
  }

  return {
    /** @returns {{ note(kind: string, title: string): void, end(text: string): boolean }} `end`: was that the last of its part? */
    begin({ part, name }) {
      const sum = parts.get(part);
      const own = none();
      const start = Date.now();
      sum.start ??= start;
      return {
        note(kind, title) {
          if (kind === 'failed') fail(own, `${name}: ${title}`);
          else own[kind] += 1;
        },
        end(text) {
          for (const kind of Object.keys(own)) sum[kind] += own[kind];
          sum.left -= 1;
          const line = `${name}: ${say(own)} in ${secondsSince(start)} s`;
          console.log(text === '' ? line : `\n${line}${text.trimEnd()}`);
          return sum.left === 0;
        },
      };
    },
    failPart: (part, reason) => fail(parts.get(part), `${part.name}: ${reason}`),
    endPart(part) {
      const sum = parts.get(part);
      console.log(`\n── ${part.name}: ${say(sum)} in ${secondsSince(sum.start)} s\n`);
    },
    /** The last line of a run, after the failures once more. */
    print() {
      const all = none();
      for (const sum of parts.values()) for (const kind of Object.keys(all)) all[kind] += sum[kind];
      const list = failures.map((what) => `\n  ✗ ${what.split('\n')[0]}`);
      if (list.length > 0) console.error(`\nFailed:${list.join('')}`);
      console.log(`\n${say(all)}`);
      return all;
    },
  };
}

const none = () => ({ passed: 0, failed: 0, skipped: 0 });

function say({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function secondsSince(start) {
  return ((Date.now() - start) / 1000).toFixed(1);
}
