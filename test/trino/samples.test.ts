import assert from 'node:assert/strict';
import { compareInLake } from '../support/compare-in-trino.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { watchPlans } from '../support/trino-plans.ts';
import { startTrinoProxy } from '../support/trino-proxy.ts';
import { trinoSamples } from '../support/trino-samples.ts';
import { sharedTrino } from '../support/trino-server.ts';

describe('samples built inside Trino', () => {
  for (const [name, load] of Object.entries(trinoSamples)) {
    it(`equal those of the embedded engine, row by row, with their rules, and have no stage of one worker over rows: ${name}`, async function () {
      this.timeout(900_000);
      const trino = await sharedTrino();
      const { place, graph } = await load(trino, await sharedPostgres());
      const proxy = await startTrinoProxy(trino);
      try {
        const plans = watchPlans(trino, proxy);
        const server = { port: proxy.port, run: trino.run };
        const { built } = await compareInLake(server, place, await graph('shop'), `ekg_${name.replaceAll('-', '_')}`);
        assert.ok(built.totals.events > 1000 && (built.rules ?? []).length > 2);
        assert.ok(plans.count > 50, `${plans.count} statements`);
        assert.deepEqual([plans.onOneWorker, plans.seenEmpty], [[], []]);
      } finally {
        await proxy.close();
      }
    });
  }
});
