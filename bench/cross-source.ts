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
  type DeskKind,
  type RelationshipName,
  graphText,
  rowsOf,
  sourcesTexts,
} from './cross-source-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, median, printResults } from './measure.ts';
import { tightMegabytes } from './postgresql-pull-order.ts';
import { mostGrowth } from './pull-results.ts';

/**
 * Joins 1,000,000 orders of a DuckDB file with 1,000,000 tickets of a CSV file, compared with the same join written by
 * hand over the same staged tables. Then up to five times as many rows: the time, and memory within a limit that the
 * smaller tables fill, too. Its tickets are in a DuckDB file: a CSV file is read in buffers that leave too little of it.
 */
export async function run(): Promise<BenchResult[]> {
  const rows = isQuick ? 100_000 : 1_000_000;
  const folder = await folderOf(rows, 'csv');
  const results: BenchResult[] = [];
  try {
    for (const relationship of relationships) {
      results.push(durationOf(relationship, rows, await measure({ folder, relationship, rounds: 7 })));
    }
  } finally {
    await removeFolder(folder);
  }
  // Fewer rows do not fill the memory.
  return isQuick ? results : [...results, ...(await runWithMore(rows))];
}

async function runWithMore(rows: number): Promise<BenchResult[]> {
  const [small, large] = [await folderOf(rows, 'duckdb'), await folderOf(times * rows, 'duckdb')];
  const results: BenchResult[] = [];
  try {
    for (const relationship of relationships) {
      const tight = { relationship, rounds: 0, memory: tightMegabytes } as const;
      const peaks: number[] = [];
      for (let round = 0; round < 3; round += 1) {
        peaks.push((await measure({ ...tight, folder: small })).megabytes);
      }
      const [floor, { megabytes: value }] = [median(peaks), await measure({ ...tight, folder: large })];
      results.push(durationOf(relationship, times * rows, await measure({ folder: large, relationship, rounds: 1 })), {
        name: `${nameOf(relationship, rows)}, peak resident memory with ${times} times as many rows, DuckDB limited to ${tightMegabytes} MB`,
        ...{ value, unit: 'MB', floor, ratio: value / floor },
        goal: `≤ ${mostGrowth} × that of the smaller tables`,
        ok: value <= mostGrowth * floor,
      });
    }
    return results;
  } finally {
    await Promise.all([small, large].map(removeFolder));
  }
}

const relationships: readonly RelationshipName[] = ['by text', 'by number'];

/** How many times as many rows the larger tables have. */
const times = 5;

function measure(order: CrossSourceOrder): Promise<CrossSourceMeasurement> {
  return inProcess('cross-source-process.ts', order);
}

function nameOf(relationship: RelationshipName, rows: number): string {
  return `Relationship ${relationship} across two data sources, ${rows / 1e6} M × ${rows / 1e6} M rows`;
}

function durationOf(
  relationship: RelationshipName,
  rows: number,
  { joins, byHand, pairs }: CrossSourceMeasurement,
): BenchResult {
  assert.deepEqual(pairs, [rows], 'Both joins must find each pair once.');
  const both = besideFloor(joins, byHand);
  const goal = '≤ 1.3 × the same join by hand over the staged tables';
  return {
    ...{ name: nameOf(relationship, rows), unit: 's', ...both },
    ...{ goal, ok: both.ratio <= 1.3 },
  };
}

async function folderOf(rows: number, desk: DeskKind): Promise<string> {
  const folder = await folderWith({
    ...{ 'graph.entity.yaml': graphText, 'entity-sources.yaml': sourcesTexts[desk], 'desk/tickets.csv': '' },
  });
  const scratch = await openScratch();
  const { orders, tickets } = rowsOf(rows);
  await scratch.run(`ATTACH '${join(folder, 'shop.duckdb')}' AS shop`);
  await scratch.run(`CREATE TABLE shop.orders AS ${orders}`);
  await scratch.run('DETACH shop');
  if (desk === 'csv') {
    await scratch.run(`COPY (${tickets}) TO '${join(folder, 'desk/tickets.csv')}'`);
  } else {
    await scratch.run(`ATTACH '${join(folder, 'desk/tickets.duckdb')}' AS desk`);
    await scratch.run(`CREATE TABLE desk.tickets AS ${tickets}`);
    await scratch.run('DETACH desk');
  }
  await scratch.close();
  return folder;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
