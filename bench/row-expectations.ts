import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSecrets } from '../test/support/no-secrets.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { forgetImports } from './forget-imports.ts';
import { isQuick } from './bench-size.ts';
import { besideFloor, median } from './measure.ts';

const rows = isQuick ? 100_000 : 1_000_000;
const runs = isQuick ? 3 : 11;
const goal = 1.1;

const expectations: Readonly<Record<string, string>> = {
  none: '',
  'what every row has': ', expect: { notNull: [customer, at], values: { state: [0, 1, 2, 3] }, rows: "1.." }',
  'also unique': ', expect: { unique: [id], notNull: [customer, at], values: { state: [0, 1, 2, 3] }, rows: "1.." }',
};

/** Processor time of an import with expectations of columns that it reads, compared with the same import without. */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  try {
    await writeProject(folder);
    const names = Object.keys(expectations);
    // At first use, programs are compiled.
    await timeOf(folder, 'none');
    const rounds: ReadonlyMap<string, number>[] = [];
    for (let index = 0; index < runs; index += 1) {
      const round = new Map<string, number>();
      // Forwards and backwards, so that no variant always has the same position.
      for (const name of index % 2 === 0 ? names : names.toReversed()) round.set(name, await timeOf(folder, name));
      rounds.push(round);
    }
    const of = (name: string): readonly number[] => rounds.map((round) => round.get(name) ?? Number.NaN);
    const floors = of('none');
    return names.slice(1).map((name) => {
      const values = of(name);
      // The same import takes up to a third longer in one round than in another, so each is compared within its round.
      const ratios = values.map((value, index) => value / (floors[index] ?? Number.NaN));
      console.log(`  ${name}: ${ratios.map((each) => each.toFixed(2)).join(', ')} ×`);
      const ratio = median(ratios);
      return {
        name: `import of ${rows / 1e6} M rows that are expected to have ${name}, processor time`,
        ...{ unit: 's', ...besideFloor(values, floors), ratio },
        goal: `≤ ${goal} × without expectations, median of the ratios of ${runs} rounds`,
        ok: ratio <= goal,
      };
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function writeProject(folder: string): Promise<void> {
  const graphs = Object.entries(expectations).map(([name, expect]) => [
    graphFile(name),
    `version: 1
name: ${name}
dataSource: files
elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: at, properties: [amount, customer, state]${expect} }
`,
  ]);
  await writeFiles(folder, {
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    ...Object.fromEntries(graphs),
  });
  const scratch = await openScratch();
  await scratch.run(
    `COPY (SELECT range AS id, TIMESTAMP '2024-01-01' + to_seconds(range) AS at, hash(range) % 1000 AS amount,
       'Customer ' || CAST(hash(range) % 5000 AS VARCHAR) AS customer, range % 4 AS state FROM range(${rows}))
     TO '${join(folder, 'orders.csv').replaceAll("'", "''")}'`,
  );
  await scratch.close();
}

const graphFile = (name: string): string => `${name.replaceAll(' ', '-')}.entity.yaml`;

/** Processor seconds of all threads: the time on the clock depends on the other work of the machine. */
async function timeOf(folder: string, name: string): Promise<number> {
  const projectContext = { ...noSecrets, workspaceFolderOf: () => folder };
  const file = await readGraphFile(join(folder, graphFile(name)), projectContext);
  const { signal } = new AbortController();
  await forgetImports(folder);
  const began = process.cpuUsage();
  const outcome = await importGraph(file, projectContext, { onProgress: () => undefined, signal });
  const { user, system } = process.cpuUsage(began);
  if (outcome.status !== 'imported') throw new Error(outcome.error.message);
  const broken = outcome.expectations?.filter(({ holds }) => !holds) ?? [];
  if (broken.length > 0) throw new Error(`Broken: ${JSON.stringify(broken)}`);
  return (user + system) / 1e6;
}
