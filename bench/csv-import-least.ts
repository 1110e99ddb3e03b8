import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder, writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { type LeastMeasurement, type LeastOrder, parts } from './csv-import-least-order.ts';
import { comparedTables } from './csv-import-least-script.ts';
import { entityFile, sourcesFile, ticketRows } from './csv-import-order.ts';
import { inProcess } from './in-process.ts';
import { besideFloor, printResults } from './measure.ts';

const million = 1_000_000;
const works = ['script', 'least', 'import'] as const;
type Rounds = Readonly<Record<(typeof works)[number], LeastMeasurement[]>>;

/**
 * What the least statements that write the tables of an import take, and what each part of the import takes, beside the
 * hand-written script: processor time, which other load hardly changes.
 */
export async function run(): Promise<BenchResult[]> {
  const small = await measure(million, isQuick ? 3 : 5);
  return isQuick ? small : [...small, ...(await measure(10 * million, 1))];
}

async function measure(rows: number, count: number): Promise<BenchResult[]> {
  const folder = await folderWith({ 'ticket.entity.yaml': entityFile, 'entity-sources.yaml': sourcesFile });
  try {
    await writeFiles(folder, { 'data/ticket.csv': '' });
    const scratch = await openScratch();
    await scratch.run(`COPY (${ticketRows(rows)}) TO '${join(folder, 'data', 'ticket.csv')}'`);
    await scratch.close();
    const rounds: Rounds = { script: [], least: [], import: [] };
    for (let round = 0; round < count; round++) {
      for (const work of works) {
        rounds[work].push(await inProcess('csv-import-least-process.ts', { work, folder } satisfies LeastOrder));
      }
    }
    await compareTables(folder);
    printParts(rounds);
    const name = `CSV import, ${rows / million} M rows × 10 columns, processor time`;
    return [
      result(`${name}: the least statements`, rounds.least, rounds.script),
      result(name, rounds.import, rounds.script),
    ];
  } finally {
    await removeFolder(folder);
  }
}

function result(name: string, of: readonly LeastMeasurement[], floor: readonly LeastMeasurement[]): BenchResult {
  const seconds = (each: LeastMeasurement): number => each.processorSeconds;
  return { name, unit: 's', ...besideFloor(of.map(seconds), floor.map(seconds)), goal: 'no goal', ok: true };
}

/** Means of all rounds, so that the parts add up. */
function printParts(rounds: Rounds): void {
  const milliseconds = (of: (each: LeastMeasurement) => number): string =>
    works.map((work) => (1000 * mean(rounds[work].map(of))).toFixed().padStart(8)).join('');
  const line = (name: string, of: (each: LeastMeasurement) => number): void =>
    console.log(`  ${name.padEnd(30)}${milliseconds(of)}`);
  console.log(`  ${''.padEnd(30)}${works.map((work) => work.padStart(8)).join('')}`);
  for (const part of parts) line(part, (each) => each.parts[part] ?? 0);
  const named = ({ parts }: LeastMeasurement): number => Object.values(parts).reduce((sum, each) => sum + each, 0);
  line('outside statements', (each) => each.processorSeconds - named(each));
  line('all', ({ processorSeconds }) => processorSeconds);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}

/** Fails if a table of the least statements differs from that of the import. */
async function compareTables(folder: string): Promise<void> {
  const graphs = join(folder, '.entity-graph/graphs/ticket');
  const [store = ''] = readdirSync(graphs).filter((name) => name.endsWith('.duckdb'));
  const scratch = await openScratch({ temporaryFolder: folder, memoryLimit: '1GB' });
  const hashes = async (path: string, tables: readonly string[]): Promise<unknown> => {
    await scratch.run(`ATTACH '${path}' AS graph (READ_ONLY)`);
    const found: Record<string, unknown> = {};
    for (const table of tables) {
      const [row] = await scratch.query(
        `SELECT count(*)::VARCHAR || ' ' || sum(hash(t))::VARCHAR AS rows FROM ${table} AS t`,
      );
      found[table] = row?.['rows'];
    }
    await scratch.run('DETACH graph');
    return found;
  };
  const kept = ['graph.element_1'];
  assert.deepEqual(
    await hashes(join(folder, 'least/graph.duckdb'), comparedTables),
    await hashes(join(graphs, store), comparedTables),
  );
  assert.deepEqual(
    await hashes(join(folder, 'least/rows.duckdb'), kept),
    await hashes(join(graphs, 'rows.kept'), kept),
  );
  await scratch.close();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
