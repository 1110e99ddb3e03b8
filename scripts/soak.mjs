// `npm run soak [-- --share NUMBER] [KIND …]`: the property tests with many more texts, edits, kills, fault seeds and
// hostile workspaces than in `npm test`. Prints the number of each; `--share 0.1` runs a tenth.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { databasePrograms, ensureDebianPackages } from './debian-packages.mjs';
import { root } from './paths.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { ensureBuild } from './set-up.mjs';

/** Tests count their cases with `countSoak`; a run with fewer cases than `goal` fails. `programs` are installed first. */
const kinds = {
  texts: {
    goal: 100_000,
    what: 'texts changed at random and compared with a fresh document',
    tests: [
      'test/unit/model/incremental-yaml.test.ts',
      'test/unit/model/incremental-json.test.ts',
      'test/unit/language/incremental-validation.test.ts',
      'test/unit/language/focus.test.ts',
      'test/unit/lsp/open-documents.test.ts',
      'test/server/fuzz.test.ts',
    ],
  },
  edits: {
    goal: 50_000,
    what: 'edits written and read again',
    tests: [
      'test/unit/model/edit-graph.test.ts',
      'test/unit/model/edit-text.test.ts',
      'test/unit/model/nasty-writers.test.ts',
      'test/unit/language/nasty-fixes.test.ts',
      'test/unit/language/changes-of-damage.test.ts',
    ],
  },
  kills: {
    goal: 200,
    what: 'programs killed while they wrote, and servers while they were read',
    tests: ['test/engine/kill.test.ts', 'test/engine/killed-writes.test.ts', 'test/engine/postgresql-halted.test.ts'],
  },
  seeds: {
    goal: 400,
    what: 'seeds of faults and changes during imports',
    tests: [
      'test/engine/servicenow-faults.test.ts',
      'test/engine/servicenow-incremental.test.ts',
      'test/engine/incremental-import.test.ts',
      'test/engine/cached-rows.test.ts',
      'test/engine/rest-shifting-lists.test.ts',
      'test/engine/full-disk.test.ts',
    ],
  },
  splits: {
    goal: 200,
    what: 'random graphs split over data sources and compared with the unsplit graph',
    tests: ['test/databases/split-random.test.ts'],
    programs: databasePrograms,
  },
  layouts: {
    goal: 2_000,
    what: 'random graphs laid out on the canvas and edited',
    tests: ['test/unit/webview/canvas/no-overlaps.test.ts'],
  },
  workspaces: { goal: 200, what: 'hostile workspaces opened', tests: ['test/server/hostile-workspaces.test.ts'] },
};

const usage = `npm run soak [-- --share NUMBER] [KIND …]: KIND is one of ${Object.keys(kinds).join(', ')}; NUMBER is above 0.`;

function readArguments() {
  try {
    const { values, positionals } = parseArgs({ options: { share: { type: 'string' } }, allowPositionals: true });
    const share = Number(values.share ?? 1);
    if (share > 0 && positionals.every((kind) => kind in kinds)) {
      return { share, chosen: positionals.length === 0 ? Object.keys(kinds) : positionals };
    }
  } catch {
    // An unknown option: prints the usage.
  }
  console.error(usage);
  process.exit(2);
}

const { share, chosen } = readArguments();
await ensureDependencies();
await ensureBuild();
const folder = mkdtempSync(join(tmpdir(), 'entity-graph-soak-'));
const rows = [];
for (const kind of chosen) {
  const { goal, what, tests, programs } = kinds[kind];
  if (programs) await ensureDebianPackages(programs);
  const wanted = Math.ceil(goal * share);
  const countsFile = join(folder, `${kind}.jsonl`);
  const start = performance.now();
  const { status } = spawnSync(
    process.execPath,
    [
      ...['--no-warnings', '--import', 'tsx', 'node_modules/mocha/bin/mocha.js', '--forbid-only', '--timeout', '0'],
      ...tests,
    ],
    {
      cwd: root,
      stdio: 'inherit',
      env: {
        ...process.env,
        ENTITY_GRAPH_SOAK: JSON.stringify({ [kind]: wanted }),
        ENTITY_GRAPH_SOAK_COUNTS: countsFile,
      },
    },
  );
  const counts = readCounts(countsFile);
  const isFine = status === 0 && counts.tried >= wanted && counts.wrong === 0;
  rows.push({ kind, what, wanted, ...counts, minutes: ((performance.now() - start) / 60_000).toFixed(1), isFine });
}
rmSync(folder, { recursive: true, force: true });

for (const { kind, what, wanted, tried, wrong, minutes, isFine } of rows) {
  console.log(
    `${isFine ? 'passed' : 'FAILED'}  ${kind}: ${tried} ${what} (at least ${wanted}), ${wrong} wrong, ${minutes} min`,
  );
}
process.exitCode = rows.every(({ isFine }) => isFine) ? 0 : 1;

function readCounts(file) {
  const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean) : [];
  const counts = lines.map((line) => JSON.parse(line));
  const sum = (key) => counts.reduce((total, count) => total + count[key], 0);
  return { tried: sum('tried'), wrong: sum('wrong') };
}
