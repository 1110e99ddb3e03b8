// `npm run soak [-- --share NUMBER] [--minutes NUMBER] [--seed TEXT] [KIND | FILE …]`: the random tests with many more
// cases, and those with crashes, kills, full disks, moved clocks and much data with all of theirs; `npm test` has one or
// a few of each. `--share 0.1` runs a tenth. `--minutes 5` runs as much as that time allows: one file of one kind after
// another, in an order given by the seed, which is that of the commit unless it is named. Prints the cases of each file.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { databasePrograms, ensureDebianPackages } from './debian-packages.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { root } from './paths.mjs';
import { endWithin, exitOnSignals, startGroup } from './process-group.mjs';
import { ensureBuild } from './set-up.mjs';
import { kinds } from './soak-kinds.mjs';

/** Of a file in a soak with a time limit. A case that has begun may end later: only one that hangs is stopped. */
const secondsOfFile = 45;
const secondsToEnd = 600;

const usage = `npm run soak [-- --share NUMBER] [--minutes NUMBER] [--seed TEXT] [KIND | FILE …]: KIND is one of ${Object.keys(kinds).join(', ')}; FILE is a part of a file's name; NUMBER is above 0.`;

function readArguments() {
  const options = { share: { type: 'string' }, minutes: { type: 'string' }, seed: { type: 'string' } };
  try {
    const { values, positionals } = parseArgs({ options, allowPositionals: true });
    const [share, minutes] = [Number(values.share ?? 1), Number(values.minutes ?? Infinity)];
    const all = Object.entries(kinds).map(([kind, { what, files }]) =>
      Object.entries(files).map(([test, cases]) => ({ kind, what, test, cases: Math.ceil(cases * share) })),
    );
    const isChosen = ({ kind, test }) => positionals.some((each) => each === kind || test.includes(each));
    const chosen = all.map((jobs) => (positionals.length === 0 ? jobs : jobs.filter(isChosen)));
    if (share > 0 && minutes > 0 && chosen.flat().length > 0) return { minutes, seed: values.seed, chosen };
  } catch {
    // An unknown option: prints the usage.
  }
  console.error(usage);
  process.exit(2);
}

exitOnSignals();
const { minutes, seed, chosen } = readArguments();
const isTimed = minutes < Infinity;
const seedText = seed ?? (isTimed ? commit() : String(Date.now()));
await ensureDependencies();
await ensureBuild();
const end = performance.now() + minutes * 60_000;
console.log(`Soak with the seed ${seedText}.`);
const queue = inTurns(chosen);
const folder = mkdtempSync(join(tmpdir(), 'entity-graph-soak-'));
const rows = [];
await Promise.all(Array.from({ length: Math.min(availableParallelism(), 2) }, runQueue));
rmSync(folder, { recursive: true, force: true });

console.log('');
for (const { kind, what, test, cases, tried, took, isFine } of rows) {
  const wanted = isTimed ? '' : ` (at least ${cases})`;
  console.log(`${isFine ? 'passed' : 'FAILED'}  ${kind}: ${tried} ${what}${wanted}, ${took} min, ${test}`);
}
const failed = rows.filter(({ isFine }) => !isFine);
if (failed.length === 0) {
  console.log(`The soak found nothing wrong in ${rows.length} of ${chosen.flat().length} groups of tests.`);
} else {
  console.log(`Again: npm run soak -- --seed ${seedText} ${failed.map(({ test }) => test.split(' ')[0]).join(' ')}`);
  console.log(`\n${rows.length - failed.length} passed, ${failed.length} failed`);
  process.exitCode = 1;
}

/** The time, without a repository. */
function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' });
  return stdout?.trim().slice(0, 12) || String(Date.now());
}

/** A number of the seed for a purpose. */
function numberOf(purpose) {
  return createHash('sha256').update(`${seedText} ${purpose}`).digest().readUInt32LE() % 100_000;
}

/** One file of each kind, then a second one of each, so that many kinds run in a short time. */
function inTurns(jobsOfKinds) {
  const shuffled = (items, name) => items.toSorted((one, other) => numberOf(name(one)) - numberOf(name(other)));
  const order = shuffled(
    jobsOfKinds.filter((jobs) => jobs.length > 0).map((jobs) => shuffled(jobs, ({ test }) => test)),
    ([{ kind }]) => kind,
  );
  const most = Math.max(...order.map((jobs) => jobs.length));
  return Array.from({ length: most }, (_, turn) => order.flatMap((jobs) => jobs[turn] ?? [])).flat();
}

async function runQueue() {
  for (;;) {
    const seconds = (end - performance.now()) / 1000;
    const job = seconds > secondsOfFile / 3 ? queue.shift() : undefined;
    if (!job) return;
    rows.push(await run(job, isTimed ? Math.min(secondsOfFile, seconds) : undefined));
  }
}

/** Runs one file, and prints its output when it has ended. */
async function run(job, seconds) {
  const { test, cases } = job;
  const [file, title = ''] = test.split(' › ');
  if (file.startsWith('databases/')) await ensureDebianPackages(databasePrograms);
  const counts = join(folder, file.replaceAll('/', '-'));
  const start = performance.now();
  const mocha = ['--no-warnings', '--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--forbid-only'];
  const options = ['--timeout', '0', '--require', './test/support/soak.ts', ...(title ? ['--fgrep', title] : [])];
  const group = startGroup(process.execPath, [...mocha, ...options, `test/${file}.test.ts`], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ENTITY_GRAPH_SOAK: JSON.stringify({ cases, title, seconds, seed: numberOf(`cases of ${test}`) }),
      ENTITY_GRAPH_SOAK_COUNTS: counts,
    },
  });
  let output = '';
  group.child.stdout.setEncoding('utf8').on('data', (text) => (output += text));
  group.child.stderr.setEncoding('utf8').on('data', (text) => (output += text));
  const { code, timedOut } = seconds === undefined ? await group.ended : await endWithin(group, seconds + secondsToEnd);
  if (timedOut) output += `\nDid not end within ${Math.round(seconds + secondsToEnd)} s.`;
  const took = ((performance.now() - start) / 60_000).toFixed(1);
  const tried = existsSync(counts)
    ? readFileSync(counts, 'utf8')
        .split('\n')
        .reduce((sum, line) => sum + Number(line), 0)
    : 0;
  console.log(`\n── ${test}\n${output.trim()}`);
  return { ...job, tried, took, isFine: code === 0 && tried >= (isTimed ? 1 : cases) };
}
