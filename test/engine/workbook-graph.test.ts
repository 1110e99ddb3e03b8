import assert from 'node:assert/strict';
import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { withProject } from '../support/import-text.ts';
import { workbookOf } from '../support/workbook.ts';

const text = (value: string): string => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (value: string, style = 0): string => `<c s="${style}"><v>${value}</v></c>`;
const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`;

/** Orders of one time, so that their order is that of the rows. */
function orders(amount: string): Uint8Array {
  return workbookOf({
    formats: ['dd.mm.yyyy hh:mm'],
    rows:
      row(text('Order Id'), text('placed'), text('amount'), text('customer')) +
      row(number('3.0'), number('45474.5', 1), number('1.1000000000000001'), text('C-1')) +
      row(number('1'), number('45474.5', 1), number(amount), text('C-2')) +
      row() +
      row(number('2'), number('45474.5', 1), '<c/>', text('C-1')),
  });
}

const sources = `version: 1
dataSources:
  shop:
    kind: csv
    path: ["*.xlsx", "*.csv"]
    timeZone: Europe/Berlin
    files: { payments.csv: { types: { order: BIGINT } } }
`;

const graph = `version: 1
name: shop
dataSource: shop
elements:
  - activityName: Place Order
    dataObject: it's/Sheet
    entityType: order
    key: Order Id
    startTimestamp: placed
    where: '"it''s/Sheet"."Order Id" < 10'
    properties: [amount]
    correlatesWith: [{ entityType: customer, key: customer }]
  - { activityName: Pay, dataObject: payments, entityType: payment, key: id, startTimestamp: paid, properties: [] }
relationships:
  - { source: Pay, target: Place Order, mappings: [{ source: order, target: Order Id }] }
`;

const payments = 'id,paid,order\n1,2024-07-02 10:00:00,3.0\n2,2024-07-02 11:00:00,2\n';

describe('a graph of a workbook', () => {
  it('has its rows in their order, times in its zone, and keys that are equal as values', async () => {
    const files = { 'entity-sources.yaml': sources, 'graph.entity.yaml': graph, 'payments.csv': payments };
    await withProject({ ...files, "it's.xlsx": orders('2') }, async (project) => {
      const first = await project.import();
      assert.deepEqual([first.status, first.error], ['imported', undefined]);
      const events = `SELECT e.key, CAST(event.time AS VARCHAR), p.amount FROM event JOIN entity AS e ON e.id = event.entity_id
        JOIN properties_1 AS p ON p.event_id = event.id ORDER BY event.id`;
      assert.deepEqual(await project.rows(events), [
        ['3', '2024-07-01 10:00:00', 1.1],
        ['1', '2024-07-01 10:00:00', 2],
        ['2', '2024-07-01 10:00:00', null],
      ]);
      const pairs = await project.rows(
        'SELECT s.key, t.key FROM relation AS r JOIN entity AS s ON s.id = r.source_entity_id JOIN entity AS t ON t.id = r.target_entity_id ORDER BY 1',
      );
      assert.deepEqual(pairs, [
        ['1', '3'],
        ['2', '2'],
      ]);
      const path = join(project.folder, "it's.xlsx");
      utimesSync(path, 1_700_000_000.5, 1_700_000_000.5);
      await project.import();
      const again = await project.import();
      assert.deepEqual(
        again.steps?.filter(({ isUnchanged }) => isUnchanged).map(({ name }) => name),
        ['element_1', 'element_2', 'relationship_1'],
      );
      writeFileSync(path, orders('2.5'));
      await project.import();
      assert.deepEqual(
        (await project.rows(events)).map(([, , amount]) => amount),
        [1.1, 2.5, null],
      );
    });
  });
});
