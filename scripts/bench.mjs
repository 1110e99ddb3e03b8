// `npm run bench [-- [--quick] NAME…]`: runs bench/*.ts, prints a table, writes .cache/bench.json; exit code 1 for a missed goal.
// `--quick` leaves the largest sizes out.
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, root } from './paths.mjs';
import { exitOnSignals, startGroup } from './process-group.mjs';
import { ensureBuild, ensureDependencies } from './set-up.mjs';

exitOnSignals();
await ensureDependencies();
await ensureBuild();
const wanted = process.argv.slice(2);
if (wanted.includes('--quick')) process.env.ENTITY_GRAPH_BENCH_QUICK = '1';
const names = chooseBenches(wanted.filter((name) => name !== '--quick'));
const results = [];
let failed = 0;
for (const name of names) {
  console.log(`▸ ${name}`);
  const measured = await runBench(name);
  if (!measured) failed += 1;
  for (const result of measured ?? []) {
    results.push({ bench: name, ...result });
    console.log(`  ${describe(result)}`);
  }
}
writeFileSync(join(cacheFolder, 'bench.json'), `${JSON.stringify(results, null, 2)}\n`);
const missed = results.filter(({ ok }) => !ok).length;
console.log(
  `\n${results.length} measurements, ${missed} missed goals, ${failed} failed benches; see .cache/bench.json`,
);
process.exitCode = missed + failed > 0 || results.length === 0 ? 1 : 0;

/** A bench is a file that exports `run`; the others are shared modules. */
function chooseBenches(wanted) {
  const isBench = (file) =>
    /^export (async )?(function|const) run\b/m.test(readFileSync(join(root, 'bench', file), 'utf8'));
  const all = readdirSync(join(root, 'bench')).filter((file) => file.endsWith('.ts') && isBench(file));
  const known = all.map((file) => file.slice(0, -'.ts'.length)).sort();
  const unknown = wanted.find((name) => !known.includes(name));
  if (!unknown) return wanted.length > 0 ? wanted : known;
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

function describe({ name, value, unit, floor, ratio, goal, ok }) {
  const against = floor === undefined ? '' : `, floor ${number(floor)} ${unit}`;
  const times = ratio === undefined ? '' : `, × ${ratio.toFixed(2)}`;
  return `${ok ? '✓' : '✗'} ${name}: ${number(value)} ${unit}${against}${times}; goal ${goal}`;
}

function number(value) {
  return value.toLocaleString('en', { maximumSignificantDigits: 4 });
}
