import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { engineFlags } from '../server/src/engine/engine-client.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, median, printResults } from './measure.ts';
import { latency, type ServiceNowPullMeasurement, type ServiceNowPullOrder } from './servicenow-pull-order.ts';

const smallCount = 100_000;
const largeCount = 400_000;

/**
 * Pulls 100,000 records into DuckDB, compared with a plain loop of requests with the same page size and concurrency.
 */
export async function run(): Promise<BenchResult[]> {
  const loops: number[] = [];
  const pulls: ServiceNowPullMeasurement[] = [];
  const reads: ServiceNowPullMeasurement[] = [];
  await withServer(smallCount, async (url) => {
    // Alternating, so that slow moments of the machine affect both.
    for (let round = 0; round < 7; round++) {
      loops.push((await inProcess({ work: 'loop', url, records: smallCount })).seconds);
      pulls.push(await inProcess({ work: 'pull', url, records: smallCount }));
      reads.push(await inProcess({ work: 'read', url, records: smallCount }));
    }
  });
  const [large, read] = await withServer(
    largeCount,
    async (url) =>
      [
        await inProcess({ work: 'pull', url, records: largeCount }),
        await inProcess({ work: 'read', url, records: largeCount }),
      ] as const,
  );
  const pulled = besideFloor(
    pulls.map(({ seconds }) => seconds),
    loops,
  );
  const memory = (
    kind: 'nodeMemory' | 'residentMemory',
    allowed: number,
    [few, many] = [pulls, large],
  ): Omit<BenchResult, 'name' | 'goal'> => {
    const small = median(few.map((each) => each[kind]));
    return { value: many[kind], unit: 'MiB', floor: small, ratio: many[kind] / small, ok: many[kind] <= allowed };
  };
  return [
    {
      name: `REST pull, 100,000 records, ${latency} ms a page`,
      unit: 's',
      ...pulled,
      goal: '≤ 1.3 × a bare loop of the same requests',
      ok: pulled.ratio <= 1.3,
    },
    {
      name: 'REST pull, JavaScript heap and buffers above idle, 400,000 records (floor: 100,000)',
      ...memory('nodeMemory', 150),
      goal: '≤ 150 MiB',
    },
    {
      name: 'REST pull, reading alone, resident memory above idle, 400,000 records (floor: 100,000)',
      ...memory('residentMemory', 150, [reads, read]),
      goal: '≤ 150 MiB',
    },
    {
      name: 'REST pull, resident memory above idle, 400,000 records (floor: 100,000)',
      ...memory('residentMemory', 150),
      goal: '≤ 150 MiB',
    },
  ];
}

async function withServer<T>(records: number, use: (url: string) => Promise<T>): Promise<T> {
  const server = start('servicenow-pull-server.ts', []);
  try {
    server.send(records);
    return await use((await messageOf(server)) as string);
  } finally {
    server.kill();
  }
}

/** A process per measurement, as for imports, keeps memory figures independent. */
async function inProcess(order: ServiceNowPullOrder): Promise<ServiceNowPullMeasurement> {
  const child = start('servicenow-pull-process.ts', engineFlags);
  child.send(order);
  return (await messageOf(child)) as ServiceNowPullMeasurement;
}

function start(file: string, flags: readonly string[]): ChildProcess {
  return fork(fileURLToPath(new URL(file, import.meta.url)), { execArgv: [...flags, '--import', 'tsx'] });
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await Promise.race([once(child, 'message'), failure(child)])) as [unknown];
  return message;
}

async function failure(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null];
  throw new Error(`The measured process ended with code ${code}.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
