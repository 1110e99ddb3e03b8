// `npm run soak [-- SEEDS]`: the property tests of pulls and of typing with many more seeds, and imports and exports killed at many more
// moments, than `npm test` has time for.
import { spawnSync } from 'node:child_process';
import { root } from './paths.mjs';
import { ensureBuild } from './set-up.mjs';

const seeds = Number(process.argv[2] ?? 200);
if (!Number.isInteger(seeds) || seeds < 1) {
  console.error('npm run soak -- SEEDS: a whole number from 1 on.');
  process.exit(2);
}
await ensureBuild();
const kills = Math.max(30, Math.round(seeds / 5));
const mocha = [
  '--no-warnings',
  '--import',
  'tsx',
  'node_modules/mocha/bin/mocha.js',
  '--forbid-only',
  '--timeout',
  '60000',
];
const tests = [
  'test/engine/servicenow-faults.test.ts',
  'test/engine/servicenow-incremental.test.ts',
  'test/engine/incremental-import.test.ts',
  'test/engine/kill.test.ts',
  'test/server/fuzz.test.ts',
];
const { status } = spawnSync(process.execPath, [...mocha, ...tests], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, ENTITY_GRAPH_SEEDS: String(seeds), ENTITY_GRAPH_KILLS: String(kills) },
});
process.exitCode = status ?? 1;
