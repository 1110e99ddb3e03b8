// Runs test files with mocha, one after the other, as run-test-files.mjs sends them. Started with `--import tsx`.
import { format } from 'node:util';
import Mocha from 'mocha';
import { exitOnSignals } from './process-group.mjs';

exitOnSignals();

/** Sooner than the process is ended by force. */
const tellAfterMs = 45_000;

/** What the files of this process share, such as a PostgreSQL, is ended after the last of them. */
const hooks = [];
let hasFailed = false;
globalThis.afterAllFiles = (hook) => hooks.push(hook);

// mocha emits again what nobody handled; so it fails the test that runs, or this process between two files.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
process.on('message', ({ file }) => void (file === undefined ? end() : runFile(file)));

async function runFile(file) {
  const lines = [];
  Mocha.reporters.Base.consoleLog = (...parts) => lines.push(format(...parts));
  const mocha = new Mocha({ timeout: 120_000, forbidOnly: true, reporter: FileReporter });
  mocha.addFile(file);
  try {
    await mocha.loadFilesAsync();
    await new Promise((resolve) => mocha.run(resolve));
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    fail('cannot be loaded', why);
    lines.push(why);
  }
  mocha.dispose();
  process.send({ kind: 'end', text: lines.join('\n') });
}

function fail(title, why) {
  hasFailed = true;
  process.send({ kind: 'failed', title: `${title}\n${why}` });
}

/**
 * Lets go of everything, so that the process ends by itself unless a test has left something open. A test that failed
 * leaves open what it would have closed: that is a part of its failure, and no failure of its own.
 */
async function end() {
  setTimeout(() => process.send({ kind: 'open', text: leftOpen().join(', ') }), tellAfterMs).unref();
  for (const hook of hooks) await hook();
  if (hasFailed) process.exit(0);
  process.channel.unref();
}

/** What keeps this process alive; of processes, their command lines. */
function leftOpen() {
  // Node's documented list has no more than the kinds.
  const processes = process._getActiveHandles().flatMap(({ spawnargs }) => (spawnargs ? [spawnargs.join(' ')] : []));
  return [...process.getActiveResourcesInfo(), ...processes];
}

/** mocha's spec output without its sums, and a message for each test. */
class FileReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const tell = (kind) => (test) => process.send({ kind, title: test.fullTitle() });
    runner
      .on('pass', tell('passed'))
      .on('fail', (test, error) => fail(test.fullTitle(), error.stack ?? error.message))
      .on('pending', tell('skipped'));
  }

  epilogue() {
    if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures);
  }
}
