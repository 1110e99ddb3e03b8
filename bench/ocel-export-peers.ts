import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { python } from '../test/readers/tools.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, printResults, ratioBounds } from './measure.ts';
import { wholeNodeProcess, wholeProcess } from './whole-process.ts';

const commandLine = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const rounds = 3;

/**
 * OCEL JSON and SQLite of 450,200 events of two tables: processor time of the whole command, beside that of Rust4PM for
 * writing the same log, which it has in memory.
 */
export async function run(): Promise<BenchResult[]> {
  const peer = await python();
  const folder = await folderWith({ 'entity-sources.yaml': sources, 'shop.entity.yaml': graph, 'data/.keep': '' });
  const ours = (command: string, ...args: readonly string[]) =>
    wholeNodeProcess([commandLine, command, 'shop.entity.yaml', '--workspace', folder, ...args], folder);
  const exported = async (form: string): Promise<number> =>
    (await ours('export', '--as', `ocel-${form}`, '--output', `log.${form}`)).processorSeconds;
  try {
    const scratch = await openScratch();
    for (const [name, rows] of tables) await scratch.run(`COPY (${rows}) TO '${join(folder, 'data', name)}'`);
    await scratch.close();
    await ours('import');
    await exported('json');
    const results: BenchResult[] = [];
    for (const [form, aim, limit] of [
      ['json', 1.7, 12],
      ['sqlite', 0.8, 1.2],
    ] as const) {
      const [own, theirs]: [number[], number[]] = [[], []];
      for (let round = 0; round < rounds; round += 1) {
        own.push(await exported(form));
        theirs.push(Number((await wholeProcess(peer, ['-c', writing, `peer.${form}`], folder)).stdout));
      }
      const both = besideFloor(own, theirs);
      const name = `OCEL ${form} of 450,200 events, processor time`;
      results.push({
        name,
        unit: 's',
        ...both,
        ...ratioBounds(both.ratio, { aim, limit }, 'Rust4PM writing the same'),
      });
    }
    return results;
  } finally {
    await removeFolder(folder);
  }
}

const writing = `
import os, sys, time, r4pm
log = r4pm.import_item('OCEL', 'log.json')
if os.path.exists(sys.argv[1]): os.remove(sys.argv[1])
start = time.process_time()
r4pm.export_item(log, sys.argv[1])
print(time.process_time() - start)`;

const tables: readonly (readonly [string, string])[] = [
  [
    'orders.csv',
    `SELECT 'O' || i AS id, 'customer ' || (i * 7919 % 9000) AS customer, TIMESTAMP '2024-01-01' + to_seconds(i * 97) AS placed_at,
       (i * 131 % 99999) / 100 AS amount, ['web', 'shop', 'phone'][CAST(i % 3 AS INT) + 1] AS channel FROM range(150200) AS r(i)`,
  ],
  [
    'items.csv',
    `SELECT 'I' || i AS id, 'O' || (i // 2) AS order_id, TIMESTAMP '2024-01-01' + to_seconds((i // 2) * 97 + 3600 + i % 7200) AS packed_at,
       'product ' || (i % 500) AS product, i % 9 + 1 AS quantity FROM range(300000) AS r(i)`,
  ],
];

const sources = `version: 1
dataSources:
  files: { kind: csv, path: data/*.csv }
`;

const graph = `version: 1
name: Shop
dataSource: files
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed_at, properties: [customer, amount, channel] }
  - { activityName: Pack Item, dataObject: items, key: id, entityType: item, startTimestamp: packed_at, properties: [product, quantity] }
relationships:
  - { name: contains, source: Place Order, target: Pack Item, mappings: [{ source: id, target: order_id }] }
`;

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
