import assert from 'node:assert/strict';
import { sharedCitus } from '../support/citus-cluster.ts';
import { compareEngines } from '../support/compare-engines.ts';
import { graphText } from '../support/import-text.ts';

/** More rows than a sample has: most at one instant, with and without a sequence, and keys that begin alike. */
const visits = `
  CREATE TABLE visits (id bigint PRIMARY KEY, guest text, at timestamp, left_at timestamp, seq numeric, place text);
  INSERT INTO visits SELECT i, 'guest of the house ' || (i * 7919) % 5000,
    CASE WHEN i % 3 > 0 THEN '2024-10-27 02:30' ELSE '2024-03-30 23:00'::timestamp + i * interval '7 seconds' END,
    CASE WHEN i % 5 = 0 THEN '2024-10-27 02:30'::timestamp + (i % 11) * interval '1 hour' END,
    CASE WHEN i % 4 > 0 THEN (i * 31) % 17 / 4.0 END, chr(97 + (i % 26)::int) FROM generate_series(1, 30000) AS i;
  SELECT create_distributed_table('visits', 'id');
`;

describe('many rows on Citus', () => {
  for (const sequence of ['', 'sequence: seq, ', 'sequence: place, ']) {
    it(`are ranked by ranges in the same order as by one sort: ${sequence || 'no sequence'}`, async function () {
      this.timeout(1_800_000);
      const { coordinator, createDatabase } = await sharedCitus();
      const database = await createDatabase();
      await coordinator.query(database, visits);
      const graph = graphText(
        `  - { activityName: Visit, dataObject: visits, key: guest, entityType: guest, startTimestamp: at, changeTimestamp: left_at, ${sequence}properties: [place] }\n` +
          `  - { activityName: Stay, dataObject: visits, key: id, entityType: stay, startTimestamp: at, ${sequence}properties: [seq] }\n`,
      );
      const { source } = await compareEngines(coordinator, database, graph, ', timeZone: Europe/Berlin');
      assert.ok(source.totals.events > 60_000);
    });
  }
});
