import assert from 'node:assert/strict';
import { compareInLake } from '../support/compare-in-trino.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { trinoSamples } from '../support/trino-samples.ts';
import { sharedTrino } from '../support/trino-server.ts';

describe('samples built inside Trino', () => {
  for (const [name, load] of Object.entries(trinoSamples)) {
    it(`equal those of the embedded engine, row by row, with their rules: ${name}`, async function () {
      this.timeout(900_000);
      const trino = await sharedTrino();
      const { place, graph } = await load(trino, await sharedPostgres());
      const { built } = await compareInLake(trino, place, await graph('shop'), `ekg_${name.replaceAll('-', '_')}`);
      assert.ok(built.totals.events > 1000 && (built.rules ?? []).length > 2);
    });
  }
});
