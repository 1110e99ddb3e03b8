import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import {
  type CrossSourceMeasurement,
  type CrossSourceOrder,
  graphText,
  rowsOf,
  sourcesText,
} from './cross-source-order.ts';
import { inProcess } from './in-process.ts';
import { median, printResults } from './measure.ts';

/** So low that the smaller tables fill it, too; with a higher one, memory grows up to that limit. */
const tightMegabytes = 150;

/**
 * Joins 1,000,000 orders of a DuckDB file with 1,000,000 tickets of a CSV file, compared with the same join written by
 * hand over the same staged tables; memory with five times as many rows.
 */
export async function run(): Promise<BenchResult[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const [small, large] = [await folderOf(rows), await folderOf(5 * rows)];
  try {
    const measure = (order: CrossSourceOrder): Promise<CrossSourceMeasurement> =>
      inProcess('cross-source-process.ts', order);
    const results: BenchResult[] = [];
    for (const relationship of ['by text', 'by number'] as const) {
      const { joins, byHand, pairs } = await measure({ folder: small, relationship, rounds: 7 });
      assert.deepEqual(pairs, [rows], 'Both joins must find each pair once.');
      const [value, floor] = [median(joins), median(byHand)];
      const name = `Relationship ${relationship} across two data sources, ${rows / 1e6} M × ${rows / 1e6} M rows`;
      const goal = '≤ 1.3 × the same join by hand over the staged tables';
      results.push({ name, value, unit: 's', floor, ratio: value / floor, goal, ok: value <= 1.3 * floor });
      if (isQuick) continue;
      const memoryOf = async (folder: string): Promise<number> =>
        (await measure({ folder, relationship, rounds: 0, memory: tightMegabytes })).megabytes;
      const [megabytes, ofLarge] = [await memoryOf(small), await memoryOf(large)];
      results.push({
        name: `${name}, peak resident memory with five times as many rows, DuckDB limited to ${tightMegabytes} MB`,
        ...{ value: ofLarge, unit: 'MB', floor: megabytes, ratio: ofLarge / megabytes },
        goal: '≤ 1.25 × that of the smaller tables',
        ok: ofLarge <= 1.25 * megabytes,
      });
    }
    return results;
  } finally {
    await Promise.all([small, large].map(removeFolder));
  }
}

async function folderOf(rows: number): Promise<string> {
  const folder = await folderWith({
    ...{ 'graph.entity.yaml': graphText, 'entity-sources.yaml': sourcesText, 'desk/tickets.csv': '' },
  });
  const scratch = await openScratch();
  const { orders, tickets } = rowsOf(rows);
  await scratch.run(`ATTACH '${join(folder, 'shop.duckdb')}' AS shop`);
  await scratch.run(`CREATE TABLE shop.orders AS ${orders}`);
  await scratch.run('DETACH shop');
  await scratch.run(`COPY (${tickets}) TO '${join(folder, 'desk/tickets.csv')}'`);
  await scratch.close();
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
