import { root } from './paths.mjs';
import { endWithin, startGroup, within } from './process-group.mjs';
import { processorSeconds } from './processor-time.mjs';

/** Time limit of a process to end after its last file, in seconds. */
const secondsToEnd = 60;

/**
 * Starts a process that runs test files one after the other; what they share, such as a PostgreSQL, is started once.
 * `run` resolves to mocha's output, and to a `reason` when the file did not end; the process is gone then. It was stopped
 * if its time was over (`timedOut`). `end` resolves to what was wrong with the end of the process, if anything.
 * @returns {{
 *   processorSeconds(): number | undefined,
 *   run(job: { file: string, cases?: readonly string[] }, seconds: number, onTest: (kind: string, title: string) => void): Promise<{ text: string, reason?: string, timedOut?: boolean }>,
 *   end(): Promise<string | undefined>,
 * }}
 */
export function startTestProcess() {
  // A larger young generation saves a tenth of the processor time of tests that read many rows.
  const args = ['--no-warnings', '--max-semi-space-size=64', '--import', 'tsx', 'scripts/test-worker.mjs'];
  const group = startGroup(process.execPath, args, {
    cwd: root,
    env: process.env,
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const gone = group.ended.then(({ code, signal }) => ({
    text: '',
    reason: `ended the process of the tests (${signal ?? `exit code ${code}`})`,
  }));
  return {
    processorSeconds: () => processorSeconds(group.child.pid),
    async run(job, seconds, onTest) {
      const untilEnd = runFile(group.child, job, onTest);
      const result = await within(seconds, Promise.race([untilEnd, gone]));
      if (result && !('reason' in result)) return result;
      await group.stop();
      return result ?? { text: '', reason: `did not end within ${Math.round(seconds)} s`, timedOut: true };
    },
    async end() {
      let open;
      group.child.on('message', ({ kind, text }) => {
        if (kind === 'open') open = text;
      });
      if (group.child.connected) group.child.send({});
      const { code, timedOut } = await endWithin(group, secondsToEnd);
      if (timedOut && open !== undefined)
        return `all tests ran, but something they opened keeps the process alive: ${open}`;
      // Node 20 sometimes hangs at exit: https://github.com/nodejs/node/issues/54918.
      if (timedOut) console.log(`\nThe process of the tests did not end in ${secondsToEnd} s, and could not tell why.`);
      return timedOut || code === 0 ? undefined : `the process of the tests ended with exit code ${code}`;
    },
  };
}

function runFile(child, { file, cases }, onTest) {
  return new Promise((resolve) => {
    const listen = ({ kind, title, text }) => {
      if (kind !== 'end') return onTest(kind, title);
      child.off('message', listen);
      resolve({ text });
    };
    child.on('message', listen);
    child.send({ file, cases });
  });
}
