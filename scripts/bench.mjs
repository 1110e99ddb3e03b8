// `npm run bench [-- [--quick] NAME…]`: runs bench/*.ts, prints a table, adds the run to .cache/bench.json; exit code 1
// when a limit is exceeded or a bench fails. `--quick` leaves the largest sizes out.
import { mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { keepRun } from './bench-history.mjs';
import { currentCommit, currentLoad, describeMachine, thisMachine } from './bench-machine.mjs';
import { cacheFolder, root } from './paths.mjs';
import { exitOnSignals, startGroup } from './process-group.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureBuild } from './set-up.mjs';

/** Benches that download: Python libraries, Trino with its Java, a package of data. They run when they are named. */
const onlyWhenNamed = ['peers', 'ocel-export-peers', 'trino', 'undeclared-keys'];

exitOnSignals();
await ensureDependencies();
// The text of a program stays in memory: without minifying, the language server holds 3 MB more than the packaged one.
await ensureBuild({ production: true });
const wanted = process.argv.slice(2);
const isQuick = wanted.includes('--quick');
if (isQuick) process.env.ENTITY_GRAPH_BENCH_QUICK = '1';
const named = wanted.filter((name) => name !== '--quick');
const names = chooseBenches(named);
const machine = thisMachine();
console.log(describeMachine(machine));
const run = { date: new Date().toISOString(), commit: currentCommit(), machine, isQuick, benches: [] };
for (const name of names) {
  const before = currentLoad();
  console.log(`▸ ${name}, load ${before.join(' ')}`);
  const results = await runBench(name);
  const after = currentLoad();
  console.log(`  load ${after.join(' ')}`);
  run.benches.push({ name, load: { before, after }, ...(results ? { results } : { hasFailed: true }) });
  keepRun(join(cacheFolder, 'bench.json'), run);
}
const results = run.benches.flatMap((bench) => bench.results ?? []);
const failed = run.benches.filter(({ hasFailed }) => hasFailed).length;
const exceeded = results.filter(({ ok }) => !ok).length;
// Without an aim of its own, the limit is the aim.
const missed = results.filter(({ aim, ok }) => !(aim?.isMet ?? ok)).length;
console.log(
  `\n${results.length} measurements, ${missed} missed aims, ${exceeded} exceeded limits, ${failed} failed benches; see .cache/bench.json`,
);
if (named.length === 0)
  console.log(`Left out unless named: ${onlyWhenNamed.join(', ')} (npm run bench -- ${onlyWhenNamed.join(' ')})`);
process.exitCode = exceeded + failed > 0 || results.length === 0 ? 1 : 0;

/** A bench is a file that exports `run`; the others are shared modules. */
function chooseBenches(wanted) {
  const isBench = (file) =>
    /^export (async )?(function|const) run\b/m.test(readFileSync(join(root, 'bench', file), 'utf8'));
  const all = readdirSync(join(root, 'bench')).filter((file) => file.endsWith('.ts') && isBench(file));
  const known = all.map((file) => file.slice(0, -'.ts'.length)).sort();
  const unknown = wanted.find((name) => !known.includes(name));
  if (!unknown) return wanted.length > 0 ? wanted : known.filter((name) => !onlyWhenNamed.includes(name));
  console.error(`There is no bench "${unknown}". Choose from ${known.join(', ')}.`);
  process.exit(2);
}

/** In a separate process, so that benches do not affect one another's memory figures. */
async function runBench(name) {
  mkdirSync(cacheFolder, { recursive: true });
  const file = join(cacheFolder, `bench-${name}.json`);
  rmSync(file, { force: true });
  const args = ['--import', 'tsx', 'scripts/bench-worker.mjs', `../bench/${name}.ts`, file];
  const group = startGroup(process.execPath, args, { cwd: root, stdio: 'inherit' });
  const { code } = await group.ended;
  if (code !== 0) {
    console.error(`  ${name} failed with exit code ${code}.`);
    return undefined;
  }
  const measured = JSON.parse(readFileSync(file, 'utf8'));
  rmSync(file);
  return measured;
}
