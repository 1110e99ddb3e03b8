import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { type ImportedSamples, importSamples, sampleGraphs } from './imported-samples.ts';
import { python, runProgram } from './tools.ts';

const script = fileURLToPath(new URL('../../scripts/check-with-pm4py.mjs', import.meta.url));

describe('OCEL exports of the samples', function () {
  this.timeout(600_000);
  let samples: ImportedSamples;

  before(async () => {
    samples = await importSamples();
  });
  after(() => samples.remove());

  for (const [, graph] of sampleGraphs) {
    it(`${graph}: pm4py and Rust4PM give equal counts for JSON, XML and SQLite, and the map of all types equals that of pm4py`, async () => {
      const run = await runProgram(process.execPath, [script, '--python', await python(), samples.file(graph)]);
      assert.equal(run.code, 0, run.stdout + run.stderr);
      const lines = run.stdout.trim().split('\n');
      const maps = lines.flatMap((line) => /map of all types, (\w+): .* as pm4py counts them$/.exec(line)?.[1] ?? []);
      assert.deepEqual(maps, ['events', 'objects', 'pairs'], run.stdout);
      const counts = lines.flatMap((line) => {
        const [, reader = '', all = ''] =
          /, (\w+): (\d+ events, \d+ objects, \d+ correlations, \d+ relations)/.exec(line) ?? [];
        return all === '' ? [] : [`${reader}: ${all}`];
      });
      assert.equal(counts.length, 6, run.stdout);
      // Equal for the three forms, and for both readers but for relations of objects without events: pm4py has none of them.
      assert.equal(new Set(counts).size, 2, run.stdout);
      const inBoth = counts.map((each) => each.replace(/^\w+: (.*), \d+ relations$/, '$1'));
      assert.equal(new Set(inBoth).size, 1, run.stdout);
      assert.equal(lines.length, maps.length + counts.length, run.stdout);
    });
  }
});
