import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { NotedNumber } from '../../protocol/import-notes.ts';
import { numberSql } from '../../server/src/event-graph/number-sql.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { showImportPlan } from '../../server/src/operations/imports/show-plan.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { type ImportedProject, withProject } from '../support/import-text.ts';

const files = {
  'entity-sources.yaml': `version: 1
dataSources:
  shop: { kind: csv, path: shop/*.csv }
  itsm: { kind: csv, path: itsm/*.csv }
`,
  'graph.entity.yaml': `version: 1
dataSource: shop
dataObjects: [orders, customers, { source: itsm, objects: [tickets] }]
elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Sign Up, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
  - { activityName: Call, dataSource: itsm, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened, changeTimestamp: closed }
relationships:
  - { name: about, source: Call, target: Order, mappings: [{ source: order_id, target: id }] }
  - { name: is asked in, source: Order, target: Call, mappings: [{ source: id, target: order_id }] }
  - { name: places, source: Sign Up, target: Order, mappings: [{ source: id, target: customer }] }
  - { name: calls, source: Sign Up, target: Call, path: [places, is asked in] }
`,
  'shop/orders.csv':
    'id,placed,customer\no1,2024-07-01 12:00:00,c1\no2,2024-07-02 12:00:00,c1\no3,2024-07-02 12:00:00,c2\n',
  'shop/customers.csv': 'id,since\nc1,2024-01-01 10:00:00\nc2,2024-01-01 10:00:00\n',
};

const tickets = (rows: readonly string[]): string => ['id,opened,closed,order_id', ...rows, ''].join('\n');
const old = 't1,2024-07-03 10:00:00,,o1';
const keep = { request: { kind: 'build', usesKeptRows: true } } as const;

describe('relations with events after the data source of the other end was read', () => {
  const imported = async (project: ImportedProject, options = {}) => {
    const summary = await project.import(options);
    assert.equal(summary.status, 'imported', JSON.stringify(summary.error));
    return summary;
  };
  /** Imports, then again with kept rows of the shop and tickets that came later. */
  const withLaterTickets = (
    rows: (now: string) => readonly string[],
    use: (project: ImportedProject) => Promise<void>,
  ) =>
    withProject({ ...files, 'itsm/tickets.csv': tickets([old]) }, async (project) => {
      const { warnings } = await imported(project);
      assert.deepEqual(warnings, []);
      await rm(join(project.folder, 'shop'), { recursive: true });
      const now = new Date().toISOString().replace('T', ' ').replace('Z', '');
      await project.write({ 'itsm/tickets.csv': tickets(rows(now)) });
      await use(project);
    });

  it('are counted in a warning for each relationship and path, with links to them', async () => {
    const rows = (now: string) => [
      old,
      `t2,${now},,o2`,
      `t3,2024-07-03 10:00:00,${now},o3`,
      't4,2999-01-01 10:00:00,,o3',
    ];
    await withLaterTickets(rows, async (project) => {
      const { warnings, notes = [], dataSources = [] } = await imported(project, keep);
      const readAt = dataSources.find(({ name }) => name === 'shop')?.readAt ?? '';
      const warning = ` relations of "about" have events of "Call" in itsm after the rows of shop were read, at ${readAt.slice(0, 19).replace('T', ' ')} UTC: shop may have newer rows about them.`;
      assert.deepEqual(
        warnings.filter((text) => text.includes('were read, at')),
        ['about', 'is asked in', 'calls'].map((name) => `2${warning.replace('about', name)}`),
      );
      const numbers = notes.flat().filter((part): part is NotedNumber => typeof part !== 'string');
      const opened = [];
      for (const { of } of numbers) {
        if (of.kind !== 'youngerEnds') continue;
        const sql = numberSql({ number: of, filter: {} });
        opened.push({
          count: (await project.rows(sql.number))[0]?.[0],
          rows: (await project.rows(sql.rows)).map((row) => [row[1], row[3]].join(' ')),
          entities: (await project.rows(sql.entities)).map((row) => row[2]),
        });
      }
      assert.deepEqual(
        opened.map(({ rows, ...rest }) => ({ ...rest, rows: rows.toSorted() })),
        [
          { count: '2', rows: ['t2 o2', 't3 o3'], entities: ['o2', 'o3', 't2', 't3'] },
          { count: '2', rows: ['o2 t2', 'o3 t3'], entities: ['o2', 'o3', 't2', 't3'] },
          { count: '2', rows: ['c1 t2', 'c2 t3'], entities: ['c1', 'c2', 't2', 't3'] },
        ],
      );
    });
  });

  it('are not counted if the new rows are related to nothing', async () => {
    await withLaterTickets(
      (now) => [old, `t2,${now},,o9`],
      async (project) => {
        const { warnings } = await imported(project, keep);
        assert.deepEqual(
          warnings.filter((text) => text.includes('were read, at')),
          [],
        );
      },
    );
  });

  it('are counted by a step of the plan, from both ends', async () => {
    await withProject({ ...files, 'itsm/tickets.csv': tickets([old]) }, async ({ folder }) => {
      const context = {
        permitUses: permitAllUses,
        readSecret: async () => undefined,
        environment: {},
        workspaceFolderOf: () => folder,
      };
      const file = await readGraphFile(join(folder, 'graph.entity.yaml'), context);
      const { steps } = await showImportPlan(file, context, new AbortController().signal);
      const step = steps.find(({ name }) => name === 'younger_ends');
      assert.deepEqual(
        step?.parts.map(({ title }) => title),
        ['about', 'is asked in', 'calls'].flatMap((name) => {
          const [call, other] = [
            `Relations of ${name} with events of Call after shop was read`,
            `Relations of ${name} with events of ${name === 'calls' ? 'Sign Up' : 'Order'} after itsm was read`,
          ];
          return name === 'about' ? [call, other] : [other, call];
        }),
      );
    });
  });
});
