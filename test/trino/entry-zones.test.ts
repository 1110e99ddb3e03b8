import assert from 'node:assert/strict';
import { compareInLake } from '../support/compare-in-trino.ts';
import { graphText } from '../support/import-text.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';

/** docs/semantics.md#88-the-time-zone-of-an-entry and docs/semantics.md#55-activity-of-an-event */
describe('time zones of entries and names of activities inside Trino', () => {
  let trino: TestTrino;
  let schema = '';

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    schema = await trino.createSchema();
    const create = (name: string, rows: string, columns: string): Promise<unknown> =>
      trino.run(`CREATE TABLE lake.${schema}.${name} AS SELECT * FROM (VALUES ${rows}) AS t (${columns})`);
    // In the gap and the overlap of Berlin's clocks, and the same moments in UTC.
    await create(
      'calls',
      "(1, TIMESTAMP '2024-03-31 02:30:00.000000', 'Rang'), (2, TIMESTAMP '2024-10-27 02:30:00.000000', 'it''s'), (3, TIMESTAMP '2024-07-01 12:00:00.000000', NULL)",
      'id, began, what',
    );
    await create(
      'moments',
      "(1, TIMESTAMP '2024-03-31 01:30:00.000000'), (2, TIMESTAMP '2024-10-27 00:30:00.000000'), (3, TIMESTAMP '2024-07-01 10:00:00.000000')",
      'id, moment',
    );
  });

  it('are those of the embedded engine', async function () {
    this.timeout(900_000);
    const graph = graphText(
      `  - { activityName: Call, dataObject: calls, key: [id, began], startTimestamp: began, timeZone: Europe/Berlin, activityColumn: what, activityNames: { Rang: "Say \\"it's\\"", "it's": Ring }, properties: [began, what] }
  - { activityName: Note, dataObject: moments, key: id, startTimestamp: moment, timeZone: UTC }
`,
      `  - { name: same time, source: Call, target: Note, mappings: [{ source: began, target: moment }] }
  - { name: later, source: Note, target: Call, mappings: [{ source: moment, operator: <, target: began }] }
`,
    );
    const settings = `catalog: lake, schemas: ${schema}, timeZone: America/New_York`;
    const { embedded, built } = await compareInLake(trino, settings, graph, 'ekg_entry_zones');
    for (const { relationships } of [embedded, built]) {
      assert.deepEqual(
        relationships.map(({ name, pairs }) => [name, pairs]),
        [
          ['same time', 3],
          ['later', 3],
        ],
      );
    }
  });
});
