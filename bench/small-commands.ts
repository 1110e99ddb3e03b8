import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createRequire } from 'node:module';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, printResults, ratioBounds } from './measure.ts';
import { wholeNodeProcess } from './whole-process.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const commandLine = join(project, 'server/dist/cli.js');
const duckdb = createRequire(import.meta.url).resolve('@duckdb/node-api');
const runs = 9;

/** What a script needs that opens DuckDB and reads the file. */
const reading = `const { DuckDBInstance } = require(${JSON.stringify(duckdb)});
(async () => {
  const connection = await (await DuckDBInstance.create(':memory:')).connect();
  const rows = await connection.runAndReadAll("SELECT * FROM read_csv('orders.csv')");
  if (rows.getRows().length !== 2) throw new Error('The file has two rows.');
  process.exit();
})();
`;

/** Processor time of small commands as whole processes, in turns: `validate` of 189 unchanged lines, and `import` of two rows. */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  try {
    const [sample, two] = [join(folder, 'sample'), join(folder, 'two')];
    cpSync(join(project, 'samples/order-to-cash'), sample, { recursive: true });
    mkdirSync(two);
    writeFileSync(join(two, 'read.cjs'), reading);
    writeFileSync(join(two, 'orders.csv'), 'id,at,note\n1,2024-01-01 10:00:00,a\n2,2024-01-02 10:00:00,b\n');
    writeFileSync(
      join(two, 'entity-sources.yaml'),
      'version: 1\ndataSources: { files: { kind: csv, path: "*.csv" } }\n',
    );
    writeFileSync(
      join(two, 'two.entity.yaml'),
      'version: 1\nname: Two\ndataSource: files\nelements:\n  - { activityName: Place, dataObject: orders, key: id, startTimestamp: at, properties: [note] }\n',
    );
    const time = async (cwd: string, ...args: readonly string[]): Promise<number> =>
      1000 * (await wholeNodeProcess(args, cwd)).processorSeconds;
    const validate = (): Promise<number> =>
      time(sample, commandLine, 'validate', 'order-to-cash.entity.yaml', '--workspace', sample);
    const imported = (): Promise<number> =>
      time(two, commandLine, 'import', 'two.entity.yaml', '--full', '--workspace', two);
    // Files that were written a moment ago are inspected each time.
    await new Promise((resolve) => setTimeout(resolve, 2500));
    // These keep the code and the answers that the next ones use.
    await validate();
    await imported();
    const [bare, checked, read, stored]: [number[], number[], number[], number[]] = [[], [], [], []];
    for (let index = 0; index < runs; index += 1) {
      bare.push(await time(two, '-e', '0'));
      checked.push(await validate());
      read.push(await time(two, 'read.cjs'));
      stored.push(await imported());
    }
    return [
      result('validate of 189 lines, nothing changed', besideFloor(checked, bare), { aim: 3, limit: 4 }, 'a bare Node'),
      result('import of two rows', besideFloor(stored, read), { aim: 1.6, limit: 3 }, 'a script that reads the file'),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function result(
  name: string,
  both: ReturnType<typeof besideFloor>,
  bounds: { readonly aim: number; readonly limit: number },
  floor: string,
): BenchResult {
  return { name: `${name}, processor time`, unit: 'ms', ...both, ...ratioBounds(both.ratio, bounds, floor) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
