// `npm test [-- [--record] [--changed [BASE]] PART…]`: installs missing tools, then runs all parts or the named ones. Plain Node.
import { availableParallelism } from 'node:os';
import { databasePrograms, ensureDebianPackages } from './debian-packages.mjs';
import { keepTemporaryFilesInMemory } from './memory-folder.mjs';
import { exitOnSignals } from './process-group.mjs';
import { processorSeconds } from './processor-time.mjs';
import { ensureMcpClients } from './mcp-clients.mjs';
import { ensureReaders } from './readers.mjs';
import { runInLanes } from './run-in-lanes.mjs';
import { startSharedDatabases } from './shared-databases.mjs';
import { testRunners } from './run-test-job.mjs';
import { endRecording, startRecording } from './selection/recording.mjs';
import { projectFiles, selectChanged } from './selection/select-changed.mjs';
import { testOptions } from './selection/test-options.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { describeMissing, ensureBuild } from './set-up.mjs';
import { jobsOf } from './test-jobs.mjs';
import { testParts } from './test-parts.mjs';
import { createReport } from './test-report.mjs';
import { keepTestTimes, readTestTimes } from './test-times.mjs';
import { ToolUnavailable } from './tool-unavailable.mjs';
import { noteWholeRun } from './trino-cases.mjs';
import { ensureTrino } from './trino-install.mjs';
import { ensureVsCodeHost } from './vscode-install.mjs';

/**
 * Twice as many as processors, because each file waits for a part of its time: for files to be written, for servers and for
 * programs. Beside them, one for parts with a screen, whose files need much memory.
 */
const lanes = [...Array(Math.min(availableParallelism(), 2) * 2).fill(undefined), 'screen'].map((kind) => ({
  kind,
  process: undefined,
}));

/** Maximum number of files to repeat; with more failures the machine is not the reason. */
const maxSecondTries = 4;

/** A download that hangs longer leaves out the part that it is for, unless that was asked for by name. */
const secondsToSetUpByItself = 900;

exitOnSignals();
keepTemporaryFilesInMemory();
process.exitCode = 1;
const timeOf = readTestTimes();
let named = [];
try {
  const options = testOptions(
    process.argv.slice(2),
    testParts.map(({ name }) => name),
  );
  named = options.named;
  const selection = options.changed && selectChanged(options.changed);
  const isSelected = ({ kind, file }) =>
    kind === 'check' ||
    !selection?.tests ||
    [...selection.tests].some((test) => test === file || (kind === 'script' && test.startsWith('test/host/')));
  const parts = chooseParts(named).filter((part) => jobsOf([part], timeOf).some(isSelected));
  const needs = new Set(parts.flatMap((part) => part.needs ?? []));
  if (selection) console.log(selection.text);
  console.log(announcement(parts, needs, isSelected));
  for (const { name, cases } of parts) if (cases) console.log(`Of ${name}: ${cases().reason}.`);
  await ensureDependencies();
  if (options.records) startRecording();
  const runsAllOfTrino = !selection?.tests && parts.some(({ cases }) => cases && cases().cases === undefined);
  const { failed, skipped } = await runParts(parts, needs, { isSelected, isRecorded: options.records });
  if (failed === 0 && options.records) endRecording(projectFiles());
  // A part that was left out counts as skipped.
  if (failed === 0 && skipped === 0 && runsAllOfTrino) noteWholeRun();
  if (failed === 0) process.exitCode = 0;
} catch (error) {
  console.error(message(error));
  console.log('\n0 passed, 1 failed');
}

function chooseParts(names) {
  if (names.length === 0) return testParts.filter(({ optional }) => !optional || optional.runsByItself());
  const unknown = names.find((name) => !testParts.some((part) => part.name === name));
  if (unknown) {
    throw new Error(`There is no part "${unknown}". Choose from ${testParts.map(({ name }) => name).join(', ')}.`);
  }
  return testParts.filter(({ name }) => names.includes(name));
}

/** Prints the parts to run, the expected duration, and the tools to install. */
function announcement(parts, needs, isSelected) {
  const seconds = jobsOf(parts, timeOf)
    .filter(isSelected)
    .reduce((sum, { name }) => sum + timeOf(name).processorSeconds, 0);
  const minutes = Math.ceil(seconds / 2 / 60);
  const missing = describeMissing(needs);
  return [
    `Runs ${parts.map(({ name }) => name).join(', ')}: about ${minutes} min on two processors that do nothing else.`,
    missing.length === 0 ? 'Nothing has to be installed.' : `Installs first: ${missing.join(', ')}.`,
    ...leftOutOf(parts),
  ].join('\n');
}

/** The parts that a run leaves out, with the reasons. */
function leftOutOf(parts) {
  return testParts
    .filter((part) => part.optional && !parts.includes(part) && !part.optional.runsByItself())
    .map(({ name, optional }) => `Leaves out ${name}, ${optional.why}.`);
}

async function runParts(parts, needed, { isSelected, isRecorded }) {
  const jobs = jobsOf(parts, timeOf).filter(isSelected);
  const report = createReport(jobs);
  const prepare = startPreparations(needed);
  const times = new Map();
  const databases = needed.has('databases') ? await startSharedDatabases() : undefined;

  async function runJob(job, lane, isAgain = false) {
    const { part } = job;
    const needs = await Promise.allSettled((part.needs ?? []).map(prepare));
    const unable = leaveOutReason(part, needs);
    if (unable !== undefined) return report.leaveOut(job, unable);
    if (!isAgain && secondsLeftFor(part) <= 0) return report.leaveOut(job, withoutTime(part));
    const entry = report.begin(job);
    const begun = performance.now();
    let result = { text: '' };
    try {
      for (const { reason } of needs) if (reason !== undefined) throw reason;
      result = await testRunners[job.kind](job, entry.note, lane, secondsLeftFor(part));
    } catch (error) {
      entry.note('failed', message(error));
    }
    const { processorSeconds, isStopped } = result;
    if (!isStopped && !isAgain) {
      times.set(job.name, { seconds: (performance.now() - begun) / 1000, processorSeconds });
      return entry.end(result);
    }
    const leftOut = isStopped ? withoutTime(part) : undefined;
    // The first try failed, which must stay a failure.
    if (isStopped && isAgain) entry.note('failed', leftOut);
    entry.end({ ...result, leftOut });
  }

  await runInLanes(jobs, lanes, (job, lane) => runJob(job, lane));
  await endProcesses(report);
  // Alone, to distinguish failures due to load from defects.
  const failed = report.failedJobs().filter(({ kind }) => kind !== 'check');
  if (failed.length <= maxSecondTries) {
    for (const job of failed) {
      // Without time for a second attempt, the failure counts.
      if (secondsLeftFor(job.part) <= 0) continue;
      console.log(`\n${job.name} runs a second time, alone.`);
      report.forget(job);
      await runJob(job, lanes[0], true);
    }
    await endProcesses(report);
  }
  await databases?.stop();
  const total = report.print(processorSeconds(process.pid), leftOutOf(parts));
  keepTestTimes(times, { isRecorded });
  return total;
}

async function endProcesses(report) {
  await Promise.all(
    lanes.map(async (lane) => {
      const { process } = lane;
      lane.process = undefined;
      const reason = await process?.end();
      if (reason !== undefined) report.fail(reason);
    }),
  );
}

/** The remaining time of a part that was not named. */
function secondsLeftFor({ name, optional }) {
  const { endsAfter } = optional ?? {};
  return endsAfter === undefined || named.includes(name) ? Infinity : endsAfter - performance.now() / 1000;
}

function withoutTime({ optional }) {
  return `No time was left ${Math.round(optional.endsAfter / 60)} minutes after the start of this run.`;
}

/** Why a part that nobody named cannot run. */
function leaveOutReason({ name, needs = [], optional }, results) {
  const reason = results[needs.indexOf(optional?.tools)]?.reason;
  return reason instanceof ToolUnavailable && !named.includes(name) ? message(reason) : undefined;
}

/**
 * Starts resources one after another, while parts without needs run; a failure fails the parts that need it. The
 * package comes first, because it is built into the same folders.
 */
function startPreparations(needs) {
  const preparations = {
    package: async () => (await import('./package.mjs')).packageExtension(),
    build: ensureBuild,
    chromium: () => ensureDebianPackages(),
    mariadb: () => ensureDebianPackages(databasePrograms),
    vscode: () => ensureVsCodeHost(),
    'oldest vscode': () => ensureVsCodeHost('oldest'),
    readers: ensureReaders,
    'mcp clients': ensureMcpClients,
    trino: () => ensureTrino(named.length > 0 ? {} : { installsMaven: false, seconds: secondsToSetUpByItself }),
  };
  const started = new Map();
  let last = Promise.resolve();
  for (const [need, work] of Object.entries(preparations)) {
    if (!needs.has(need)) continue;
    const done = last.then(work);
    last = done.catch(() => undefined);
    started.set(need, done);
  }
  return (need) => started.get(need);
}

function message(error) {
  return error instanceof Error ? error.message : String(error);
}
