import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runCommand } from '../support/run-command.ts';
import { csvSources, graphText } from '../support/import-text.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const graph = graphText(
  `  - { activityName: Place, dataObject: orders, key: id, entityType: order, startTimestamp: at, activityColumn: what, properties: [amount, paid, due, "say \\"hi\\""] }
  - { activityName: Win, dataObject: customers, key: id, entityType: customer, startTimestamp: since }
`,
  `  - { name: places, source: Win, target: Place, mappings: [{ source: id, target: customer }] }\n`,
);

describe('OCEL 2.0 JSON export', () => {
  it('writes objects, events, types, attributes and qualifiers', async () => {
    const folder = await folderWith({
      'entity-sources.yaml': csvSources(),
      'shop.entity.yaml': graph,
      'orders.csv':
        'id,customer,at,what,amount,paid,due,"say ""hi"""\n1,7,2024-01-02 08:00:00,Place,1.5,true,2024-02-01,"a ""b""\nc"\n2,7,2024-01-03 08:00:00,Change,,false,,\n',
      'customers.csv': 'id,since\n7,2024-01-01\n',
    });
    try {
      const run = (...args: readonly string[]) =>
        runCommand([...args, '--workspace', folder, '--format', 'json'], folder);
      assert.equal((await run('import', 'shop.entity.yaml')).code, 0);
      const exported = await run('export', 'shop.entity.yaml', '--as', 'ocel-json', '--output', 'log.json');
      assert.deepEqual(
        [exported.code, JSON.parse(exported.stdout)],
        [0, { files: [join(folder, 'log.json')] }],
        exported.stderr,
      );
      const attributes = [
        { name: 'amount', type: 'float' },
        { name: 'paid', type: 'boolean' },
        { name: 'due', type: 'time' },
        { name: 'say "hi"', type: 'string' },
      ];
      assert.deepEqual(JSON.parse(await readFile(join(folder, 'log.json'), 'utf8')), {
        objectTypes: [
          { name: 'customer', attributes: [] },
          { name: 'order', attributes },
        ],
        eventTypes: [
          { name: 'Change', attributes },
          { name: 'Place', attributes },
          { name: 'Win', attributes: [] },
        ],
        objects: [
          {
            id: 'customer:7',
            type: 'customer',
            attributes: [],
            relationships: [
              { objectId: 'order:1', qualifier: 'places' },
              { objectId: 'order:2', qualifier: 'places' },
            ],
          },
          {
            id: 'order:1',
            type: 'order',
            attributes: [
              { name: 'amount', value: '1.5', time: '1970-01-01T00:00:00Z' },
              { name: 'paid', value: 'true', time: '1970-01-01T00:00:00Z' },
              { name: 'due', value: '2024-02-01T00:00:00.000000Z', time: '1970-01-01T00:00:00Z' },
              { name: 'say "hi"', value: 'a "b"\nc', time: '1970-01-01T00:00:00Z' },
            ],
            relationships: [],
          },
          {
            id: 'order:2',
            type: 'order',
            attributes: [{ name: 'paid', value: 'false', time: '1970-01-01T00:00:00Z' }],
            relationships: [],
          },
        ],
        events: [
          {
            id: 'e1',
            type: 'Win',
            time: '2024-01-01T00:00:00.000000Z',
            attributes: [],
            relationships: [
              { objectId: 'customer:7', qualifier: 'self' },
              { objectId: 'order:1', qualifier: 'places' },
              { objectId: 'order:2', qualifier: 'places' },
            ],
          },
          {
            id: 'e2',
            type: 'Place',
            time: '2024-01-02T08:00:00.000000Z',
            attributes: [
              { name: 'amount', value: '1.5' },
              { name: 'paid', value: 'true' },
              { name: 'due', value: '2024-02-01T00:00:00.000000Z' },
              { name: 'say "hi"', value: 'a "b"\nc' },
            ],
            relationships: [
              { objectId: 'customer:7', qualifier: 'places' },
              { objectId: 'order:1', qualifier: 'self' },
            ],
          },
          {
            id: 'e3',
            type: 'Change',
            time: '2024-01-03T08:00:00.000000Z',
            attributes: [{ name: 'paid', value: 'false' }],
            relationships: [
              { objectId: 'customer:7', qualifier: 'places' },
              { objectId: 'order:2', qualifier: 'self' },
            ],
          },
        ],
      });
    } finally {
      await removeFolder(folder);
    }
  });
});
