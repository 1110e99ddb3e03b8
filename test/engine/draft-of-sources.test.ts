import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withDraftProject } from '../support/draft-projects.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const day = (number: number): string => `2024-01-${String(1 + (number % 28)).padStart(2, '0')}`;
const lines = (rows: readonly string[]): string => `${rows.join('\n')}\n`;

const sources = `version: 1
dataSources:
  shop: { kind: csv, path: shop/*.csv }
  helpdesk: { kind: sqlite, path: helpdesk.sqlite }
`;

/** Tickets name orders of the shop by another name, and both sources have a table \`customers\`. */
async function files(): Promise<Readonly<Record<string, string | Uint8Array>>> {
  const folder = await folderWith({});
  try {
    const path = join(folder, 'helpdesk.sqlite');
    const tickets = numbers(60).map(
      (id) =>
        `('T${1000 + id}', 'SO-${7000 + 2 * (1 + (id % 80))}', 'C-${300 + (id % 9)}', '202401${String(1 + (id % 28)).padStart(2, '0')}', '0${id % 10}1500')`,
    );
    const customers = numbers(9).map((id) => `('C-${299 + id}', 'Caller ${id}')`);
    createSqliteFile(
      path,
      `CREATE TABLE tickets (ticket_no TEXT, concerns TEXT, caller TEXT, erdat TEXT, erzet TEXT);
       INSERT INTO tickets VALUES ${tickets.join(', ')};
       CREATE TABLE customers (code TEXT, name TEXT);
       INSERT INTO customers VALUES ${customers.join(', ')}`,
    );
    const orders = numbers(90).map((id) => `SO-${7000 + 2 * id},K${40 + (id % 20)},${day(id)}`);
    return {
      'entity-sources.yaml': sources,
      'helpdesk.sqlite': await readFile(path),
      'shop/orders.csv': lines(['order_no,customer,placed', ...orders]),
      'shop/customers.csv': lines(['number,name', ...numbers(20).map((id) => `K${39 + id},Customer ${id}`)]),
    };
  } finally {
    await removeFolder(folder);
  }
}

/** docs/first-graph.md#several-data-sources */
describe('a first graph of several data sources', () => {
  it('relates rows across them, writes each time in the SQL of its source, and can be imported', async () => {
    await withDraftProject(await files(), async ({ draft, project }) => {
      const { graph, text } = await draft({ furtherSources: [{ dataSource: 'helpdesk' }] });
      assert.match(text, /dataObjects:\n {2}- orders\n {2}- customers\n {2}- source: helpdesk\n/);
      const entries = [...graph.elements, ...graph.entities];
      assert.deepEqual(
        entries.map(({ dataSource, dataObject, entityType }) => [
          dataSource?.value,
          dataObject?.value,
          entityType?.value,
        ]),
        [
          [undefined, 'orders', undefined],
          ['helpdesk', 'tickets', undefined],
          ['shop', 'customers', 'customers'],
          ['helpdesk', 'customers', 'helpdesk.customers'],
        ],
      );
      assert.match(graph.elements[1]?.startExpression?.value ?? '', /GLOB/, 'SQL of SQLite');
      assert.deepEqual(
        graph.relationships.map(({ source, target, mappings }) => [
          source?.value,
          target?.value,
          mappings.map((each) => (each.kind === 'columns' ? `${each.source.value} = ${each.target.value}` : '')),
        ]),
        [
          ['Place Order', 'customers', ['customer = number']],
          ['Record Ticket', 'Place Order', ['concerns = order_no']],
          ['Record Ticket', 'helpdesk.customers', ['caller = code']],
        ],
      );
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(
        summary.relationships.map(({ pairs }) => pairs),
        [90, 60, 60],
      );
    });
  });

  it('names data objects of any of them, and refuses others', async () => {
    await withDraftProject(await files(), async ({ draft }) => {
      const { graph } = await draft({ furtherSources: [{ dataSource: 'helpdesk' }], objects: ['orders', 'tickets'] });
      const names = [...graph.elements, ...graph.entities].map(({ dataObject }) => dataObject?.value);
      assert.deepEqual(names, ['orders', 'tickets']);
    });
    await withDraftProject(await files(), async ({ draft }) => {
      const ofDesk = { dataSource: 'helpdesk', objects: ['customers'] };
      const { graph } = await draft({ furtherSources: [ofDesk], objects: ['orders'] });
      const names = [...graph.elements, ...graph.entities].map(({ dataObject }) => dataObject?.value);
      assert.deepEqual(names, ['orders', 'customers']);
      assert.deepEqual(
        graph.entities.map(({ dataSource }) => dataSource?.value),
        ['helpdesk'],
      );
    });
    await withDraftProject(await files(), async ({ draft }) => {
      const ofDesk = { dataSource: 'helpdesk', objects: ['orders'] };
      await assert.rejects(draft({ furtherSources: [ofDesk], objects: ['orders'] }), {
        message: 'orders is not a data object of helpdesk.',
      });
    });
    await withDraftProject(await files(), async ({ draft }) => {
      await assert.rejects(draft({ furtherSources: [{ dataSource: 'helpdesk' }], objects: ['orders', 'ticket'] }), {
        message: 'ticket is not a data object of shop or helpdesk.',
      });
    });
    await withDraftProject({ ...(await files()), 'shop/none.csv': '' }, async ({ draft }) => {
      await assert.rejects(draft({ objects: ['none'] }), (error: { readonly failure?: { readonly remedy?: string } }) =>
        /none\.csv is empty\./.test(error.failure?.remedy ?? ''),
      );
    });
  });

  it('has no part of an event log, which says itself what its graph is', async () => {
    const log =
      '<log xes.version="1.0"><trace><string key="concept:name" value="1"/><event><string key="concept:name" value="a"/><date key="time:timestamp" value="2024-01-01T00:00:00Z"/></event></trace></log>';
    const placed = {
      ...(await files()),
      'log.xes': log,
      'entity-sources.yaml': `${sources}  log: { kind: xes, path: log.xes }\n`,
    };
    await withDraftProject(placed, async ({ draft }) => {
      await assert.rejects(
        draft({ furtherSources: [{ dataSource: 'log' }] }),
        /log is an event log, which cannot be drafted together with other/,
      );
    });
  });
});
