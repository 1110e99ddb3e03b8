import assert from 'node:assert/strict';
import { compareInTrino } from '../support/compare-in-trino.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { trinoSamples } from '../support/trino-samples.ts';
import { sharedTrino } from '../support/trino-server.ts';

describe('samples built inside Trino', () => {
  for (const [name, load] of Object.entries(trinoSamples)) {
    it(`equal those of the embedded engine, row by row, with their rules: ${name}`, async function () {
      this.timeout(900_000);
      const trino = await sharedTrino();
      const { place, graph } = await load(trino, await sharedPostgres());
      const sources = `version: 1\ndataSources:\n  sample: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, ${place} }\n`;
      const schema = `ekg_${name.replaceAll('-', '_')}`;
      const { built } = await compareInTrino(sources, await graph('sample'), { catalog: 'lake', schema });
      assert.ok(built.totals.events > 1000);
      const [[views]] = (await trino.run(
        `SELECT count(*) FROM lake.${schema}.node_event, lake.${schema}.rule WHERE number = 1`,
      )) as [[number]];
      assert.equal(views, built.totals.events);
    });
  }
});
