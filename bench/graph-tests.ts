import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type DuckDbSession, openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';

const tests = 100;
const itemsPerOrder = 3;

const commandLine = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const processorTime = fileURLToPath(new URL('processor-time.mjs', import.meta.url));

/** Processor time of `entity-graph test`, a whole process, with 100 small tests with given rows, compared with the same rows and questions by hand in one DuckDB. */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = await folderWith({
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,placed\n',
    'items.csv': 'id,order_id,packed\n',
    'orders.entity.yaml': graph,
    'orders.entity.test.yaml': testsText(),
  });
  try {
    const scratch = await openScratch({ threads: 1 });
    let floor: number;
    try {
      await byHand(scratch, 0);
      floor = await processorSeconds(async () => {
        for (let test = 1; test <= tests; test += 1) await byHand(scratch, test);
      });
    } finally {
      await scratch.close();
    }
    const value = runAll(folder);
    return [
      {
        name: `${tests} tests with given rows, processor time`,
        ...{ value, unit: 's', floor, ratio: value / floor },
        goal: '≤ 5 s',
        ok: value <= 5,
      },
    ];
  } finally {
    await removeFolder(folder);
  }
}

/** Of all threads of this process: the time on the clock depends on the other work of the machine. */
async function processorSeconds(work: () => Promise<void>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

/** Seconds of the command, with its start. Throws when a test does not pass. */
function runAll(folder: string): number {
  const file = join(folder, 'processor-time.txt');
  const args = ['--import', pathToFileURL(processorTime).href, commandLine, 'test', folder, '--format', 'json'];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: folder,
    encoding: 'utf8',
    env: { ...process.env, PROCESSOR_TIME_FILE: file },
  });
  const passed = stdout.split('"outcome": "passed"').length - 1;
  if (status !== 0 || passed !== tests) throw new Error(`${passed} of ${tests} tests passed: ${stderr}${stdout}`);
  return Number(readFileSync(file, 'utf8'));
}

const graph = `version: 1
name: Orders
dataSource: files
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Pack Item, dataObject: items, key: id, entityType: item, startTimestamp: packed }
relationships:
  - name: consists of
    source: Place Order
    target: Pack Item
    mappings: [{ source: id, target: order_id }]
`;

const items = Array.from({ length: itemsPerOrder }, (_, index) => index + 1);
const placedAt = '2024-01-01T10:00:00Z';
const packedAt = (item: number): string => `2024-01-0${item + 1}T10:00:00Z`;

function testsText(): string {
  const each = Array.from({ length: tests }, (_, index) => testText(index + 1));
  return `graph: orders.entity.yaml
columns:
  orders: { id: VARCHAR, placed: TIMESTAMPTZ }
  items: { id: VARCHAR, order_id: VARCHAR, packed: TIMESTAMPTZ }
tests:
${each.join('')}`;
}

function testText(test: number): string {
  const id = `O${test}`;
  return `  - name: order ${test} is packed
    given:
      orders: [{ id: ${id}, placed: ${placedAt} }]
      items: [${items.map((item) => `{ id: ${id}-${item}, order_id: ${id}, packed: ${packedAt(item)} }`).join(', ')}]
    expect:
      events:
        - { activity: Place Order, entity: { type: order, key: ${id} }, time: ${placedAt} }
${items.map((item) => `        - { activity: Pack Item, entity: { type: item, key: ${id}-${item} }, time: ${packedAt(item)} }\n`).join('')}      relations:
${items.map((item) => `        - { relationship: consists of, source: { type: order, key: ${id} }, target: { type: item, key: ${id}-${item} } }\n`).join('')}`;
}

/** A test as written by hand for this graph: the rows, its events in order, and its relations. */
async function byHand(db: DuckDbSession, test: number): Promise<void> {
  const id = `O${test}`;
  await db.run('CREATE OR REPLACE TABLE orders (id VARCHAR, placed TIMESTAMP)');
  await db.run('CREATE OR REPLACE TABLE items (id VARCHAR, order_id VARCHAR, packed TIMESTAMP)');
  await db.run(`INSERT INTO orders VALUES ('${id}', '${placedAt}')`);
  await db.run(
    `INSERT INTO items VALUES ${items.map((item) => `('${id}-${item}', '${id}', '${packedAt(item)}')`).join(', ')}`,
  );
  const events = await db.query(
    `SELECT 'Place Order' AS activity, id, placed AS time FROM orders
     UNION ALL SELECT 'Pack Item', id, packed FROM items ORDER BY time, id`,
  );
  const relations = await db.query(
    'SELECT orders.id AS source, items.id AS target FROM orders JOIN items ON order_id = orders.id ORDER BY ALL',
  );
  if (events.length !== itemsPerOrder + 1 || relations.length !== itemsPerOrder) throw new Error('Wrong by hand.');
}
