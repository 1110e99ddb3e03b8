import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { noSecrets } from '../server/src/connectors/secret-placeholders.ts';
import { importGraph } from '../server/src/operations/imports/import-graph.ts';
import { readGraphFile } from '../server/src/project/open-project.ts';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { writeFiles } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { forgetImports } from './forget-imports.ts';
import { isQuick } from './bench-size.ts';

const rows = isQuick ? 100_000 : 1_000_000;
const runs = 5;
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
    const times = new Map<string, number[]>(Object.keys(expectations).map((name) => [name, []]));
    // In turns, so that other load affects all.
    for (let index = 0; index < runs; index += 1) {
      for (const [name, list] of times) list.push(await timeOf(folder, name));
    }
    // The least is what other load disturbs least.
    const floor = Math.min(...(times.get('none') ?? []));
    return [...times].slice(1).map(([name, list]) => {
      const value = Math.min(...list);
      return {
        name: `import of ${rows / 1e6} M rows that are expected to have ${name}, processor time`,
        ...{ value, unit: 's', floor, ratio: value / floor },
        goal: `≤ ${goal} × without expectations`,
        ok: value <= goal * floor,
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
