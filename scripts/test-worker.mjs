// Runs test files with mocha, one after the other, as run-test-files.mjs sends them. Started with `--import tsx`.
import { format } from 'node:util';
import fc from 'fast-check';
import Mocha from 'mocha';
import { watchDuckDbCalls } from './duckdb-calls.mjs';
import { exitOnSignals } from './process-group.mjs';
import { recordCallsOf } from './selection/recording.mjs';
import { runOnly } from './trino-cases.mjs';

exitOnSignals();

// Random cases are the same in every run of the tests; the soak, and mocha by itself, try others.
fc.configureGlobal({ seed: 1 });

/** Shorter than the time limit of the process. */
const tellAfterMs = 45_000;

/** Shared resources of the files, such as PostgreSQL, are stopped after the last one. */
const hooks = [];
let hasFailed = false;
let runningTest = 'no test';
const openDuckDbCalls = watchDuckDbCalls(() => runningTest);
globalThis.afterAllFiles = (hook) => hooks.push(hook);

// mocha rethrows unhandled errors; they fail the running test, or this process between files.
process.on('unhandledRejection', (reason) => {
  throw reason;
});
process.on('message', ({ file, cases }) => {
  if (file === undefined) return void end();
  // One thread of DuckDB, here and in programs that tests start: handing small data from thread to thread takes a third of
  // the processor time. DuckDB has no other setting outside its databases than this variable of the scheduler Slurm.
  // `withAllProcessors` in test/support turns it off.
  process.env.SLURM_CPUS_ON_NODE = '1';
  void runFile(file, cases);
});

/** A limit that stops only hanging tests: under heavy load, a test takes twenty times as long as alone. */
const longestTestMs = 300_000;

async function runFile(file, cases) {
  const lines = [];
  Mocha.reporters.Base.consoleLog = (...parts) => lines.push(format(...parts));
  const mocha = new Mocha({ timeout: longestTestMs, forbidOnly: true, reporter: FileReporter });
  mocha.addFile(file);
  const recording = recordCallsOf(file.slice('test/'.length));
  try {
    await mocha.loadFilesAsync();
    recording.endLoading();
    if (cases) runOnly(mocha, cases);
    await new Promise((resolve) => mocha.run(resolve));
  } catch (error) {
    const why = error instanceof Error ? (error.stack ?? error.message) : String(error);
    fail('cannot be loaded', why);
    lines.push(why);
  }
  recording.end();
  mocha.dispose();
  process.send({ kind: 'end', text: lines.join('\n') });
}

function fail(title, why) {
  hasFailed = true;
  process.send({ kind: 'failed', title: `${title}\n${why}` });
}

/**
 * Releases everything, so that the process exits unless a test left something open. After a failed test open resources
 * are expected.
 */
async function end() {
  setTimeout(() => process.send({ kind: 'open', text: leftOpen().join(', ') }), tellAfterMs).unref();
  for (const hook of hooks) await hook();
  if (hasFailed) process.exit(0);
  process.channel.unref();
}

/** Open handles of this process; for child processes, their command lines. */
function leftOpen() {
  // Node's documented function lists only the types.
  const processes = process._getActiveHandles().flatMap(({ spawnargs }) => (spawnargs ? [spawnargs.join(' ')] : []));
  return [...process.getActiveResourcesInfo(), ...processes, ...openDuckDbCalls()];
}

/** mocha's spec output without totals, and a message per test. */
class FileReporter extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const tell = (kind) => (test) => process.send({ kind, title: test.fullTitle() });
    runner
      .on('test', (test) => (runningTest = test.fullTitle()))
      .on('pass', tell('passed'))
      .on('fail', (test, error) => fail(test.fullTitle(), error.stack ?? error.message))
      .on('pending', tell('skipped'));
  }

  epilogue() {
    if (this.failures.length > 0) Mocha.reporters.Base.list(this.failures);
  }
}
