import assert from 'node:assert/strict';
import { compareInLake } from '../support/compare-in-trino.ts';
import { graphText, withProject } from '../support/import-text.ts';
import { sharedTrino, type TestTrino } from '../support/trino-server.ts';

/** docs/semantics.md#87-the-end-of-a-day */
describe('times of graphs built inside Trino', () => {
  let trino: TestTrino;
  let schema = '';

  before(async function () {
    // Starting Trino takes minutes under load.
    this.timeout(600_000);
    trino = await sharedTrino();
    schema = await trino.createSchema();
    const create = (name: string, rows: string, columns: string): Promise<unknown> =>
      trino.run(`CREATE TABLE lake.${schema}.${name} AS SELECT * FROM (VALUES ${rows}) AS t (${columns})`);
    await create(
      'deliveries',
      "(1, TIMESTAMP '2024-07-01 10:00:00.000000'), (2, TIMESTAMP '2024-07-02 10:00:00.000000')",
      'id, delivered',
    );
    await create(
      'payments',
      "(1, DATE '2024-07-01', DATE '2024-07-03'), (2, DATE '2024-07-01', NULL)",
      'id, paid, changed',
    );
    await create('notes', "(1, '2024-07-01 10:00:00.1234567')", 'id, noted');
  });

  const deliver =
    '  - { activityName: Deliver, dataObject: deliveries, entityType: order, key: id, startTimestamp: delivered }\n';
  const settings = (): string => `catalog: lake, schemas: ${schema}, timeZone: Europe/Berlin`;

  it('are the ends of days where that is said, as in the embedded engine', async function () {
    this.timeout(900_000);
    const pay =
      '  - { activityName: Pay, dataObject: payments, entityType: order, key: id, startTimestamp: { column: paid, atEndOfDay: true }, changeTimestamp: { column: changed, atEndOfDay: true }, properties: [paid] }\n';
    const { embedded, built } = await compareInLake(trino, settings(), graphText(deliver + pay), 'ekg_end_of_day');
    assert.equal(embedded.totals?.events, 5);
    assert.doesNotMatch(built.warnings.join('\n'), /without time of day/);
    const early = await compareInLake(
      trino,
      settings(),
      graphText(deliver + pay.replace('{ column: paid, atEndOfDay: true }', 'paid')),
      'ekg_start_of_day',
    );
    assert.match(early.built.warnings.join('\n'), /1 event of "Pay" has a date without time of day/);
  });

  it('have no digits below microseconds', async function () {
    this.timeout(900_000);
    const note = '  - { activityName: Note, dataObject: notes, key: id, startTimestamp: noted }\n';
    const sources = `version: 1\ndataSources:\n  shop: { kind: trino, host: 127.0.0.1, port: ${trino.port}, user: ann, ${settings()} }\n`;
    for (const target of ['', 'import: { engine: source, catalog: lake, schema: ekg_notes }\n']) {
      const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graphText(note) + target };
      await withProject(files, async (project) => {
        const { error } = await project.import();
        // Rows of Trino have no place of their own.
        assert.match(
          error?.message ?? '',
          /^Row \d+ of "Note" has "2024-07-01 10:00:00\.1234567" in noted, which has digits below microseconds\.$/,
        );
      });
    }
  });
});
