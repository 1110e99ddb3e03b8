import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from './paths.mjs';
import { endWithin, startGroup, within } from './process-group.mjs';
import { startTestProcess } from './run-test-files.mjs';

/**
 * Each runs a job, records its tests, and resolves to the relevant output; that of files to their processor time, too,
 * if the system tells it, and to `isStopped` if no time was left for the whole part (`secondsLeft`).
 */
export const testRunners = { check: runCheck, script: runScript, file: runFile };

/** A program that passes as a whole; its output is shown on failure only. */
async function runCheck({ part, script, args }, note) {
  const { output, code, timedOut } = await runToEnd([script, ...args], part.seconds);
  if (code === 0) note('passed', '');
  else note('failed', `${timedOut ? `did not end within ${part.seconds} s` : 'failed'}:\n${output.trim()}`);
  return { text: '' };
}

/** A program that reports its tests to a file. */
async function runScript({ part, script }, note) {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-test-'));
  const file = join(folder, 'tests');
  try {
    const { output, code, timedOut } = await runToEnd([script, '--results', file], part.seconds);
    const tests = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
    const results = tests.map((line) => line.split(' ', 1)[0]);
    for (const [index, kind] of results.entries()) {
      if (kind !== 'end') note(kind, tests[index].slice(kind.length + 1));
    }
    if (timedOut) note('failed', `did not end within ${part.seconds} s`);
    else if (!results.includes('end')) note('failed', `ended before its tests did (exit code ${code})`);
    else if (!results.some(isRun)) note('failed', 'has no tests');
    else if (code !== 0 && !results.includes('failed')) note('failed', `ended with exit code ${code}`);
    return { text: `\n${output}` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A test file, in the process of the lane. */
async function runFile(job, note, lane, secondsLeft = Infinity) {
  const { part } = job;
  const before = lane.process?.processorSeconds() ?? 0;
  lane.process ??= startTestProcess();
  const results = [];
  const seconds = Math.min(part.seconds, secondsLeft);
  const { text, reason, timedOut } = await lane.process.run(job, seconds, (kind, title) => {
    results.push(kind);
    note(kind, title);
  });
  if (reason !== undefined) {
    lane.process = undefined;
    if (timedOut && seconds === secondsLeft) return { text, isStopped: true };
    note('failed', reason);
  } else if (!results.some(isRun)) {
    note('failed', 'has no tests');
  }
  const after = lane.process?.processorSeconds();
  return { text, processorSeconds: after === undefined ? undefined : after - before };
}

async function runToEnd(args, seconds) {
  const group = startGroup(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  group.child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  group.child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const closed = new Promise((resolve) => group.child.once('close', resolve));
  const { code, timedOut } = await endWithin(group, seconds);
  // Its last output may arrive after its end.
  await within(5, closed);
  return { code, timedOut, output };
}

const isRun = (kind) => kind === 'passed' || kind === 'failed';
