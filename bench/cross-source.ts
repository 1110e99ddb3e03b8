import assert from 'node:assert/strict';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { importMemoryLimits } from '../server/src/import/memory-limit.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import {
  type CrossSourceMeasurement,
  type CrossSourceOrder,
  type RelationshipName,
  graphText,
  rowsOf,
  sourcesText,
} from './cross-source-order.ts';
import { inProcess } from './in-process.ts';
import { median, printResults } from './measure.ts';

/**
 * Joins 1,000,000 orders of a DuckDB file with 1,000,000 tickets of a CSV file, compared with the same join written by
 * hand over the same staged tables; memory with five times as many rows.
 */
export async function run(): Promise<BenchResult[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const [small, large] = [await folderOf(rows), await folderOf(5 * rows)];
  try {
    const measure = (folder: string, relationship: RelationshipName, rounds: number): Promise<CrossSourceMeasurement> =>
      inProcess('cross-source-process.ts', { rounds, folder, relationship } satisfies CrossSourceOrder);
    const results: BenchResult[] = [];
    for (const relationship of ['by text', 'by number'] as const) {
      const { joins, byHand, pairs } = await measure(small, relationship, 7);
      assert.deepEqual(pairs, [rows], 'Both joins must find each pair once.');
      const [value, floor] = [median(joins), median(byHand)];
      const name = `Relationship ${relationship} across two data sources, ${rows / 1e6} M × ${rows / 1e6} M rows`;
      const goal = '≤ 1.3 × the same join by hand over the staged tables';
      results.push({ name, value, unit: 's', floor, ratio: value / floor, goal, ok: value <= 1.3 * floor });
      const { megabytes } = await measure(small, relationship, 0);
      const { megabytes: ofLarge } = await measure(large, relationship, 0);
      const most = megabytes + Number.parseInt(importMemoryLimits()[0], 10);
      results.push({
        name: `${name}, peak resident memory with five times as many rows`,
        ...{ value: ofLarge, unit: 'MB', floor: megabytes, ratio: ofLarge / megabytes },
        goal: `≤ that of the smaller tables and what DuckDB may use (${Math.round(most)} MB)`,
        ok: ofLarge <= most,
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
