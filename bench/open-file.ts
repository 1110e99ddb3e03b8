import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import { serverEnvironment, serverFlags } from '../protocol/server-process.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { type ServerCommand, startTimedServer } from './language-service-client.ts';
import { largeGraph } from './language-service-file.ts';
import { median } from './measure.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const graphFile = 'large.entity.yaml';
const rounds = 5;

/** Goals in milliseconds and MiB. */
const sizes = [
  { lines: 10_000, goal: 150, memoryGoal: 100 },
  { lines: 50_000, goal: 500, memoryGoal: 150 },
  { lines: 200_000, goal: 3_000, memoryGoal: undefined },
] as const;

interface Opened {
  readonly elapsed: number;
  /** Processor time from the start of the process. */
  readonly processor: number;
  /** Resident memory in MiB when the problems are known, and when the server rests. */
  readonly memory: number;
  readonly restingMemory: number;
}

/**
 * From opening a file until the complete set of problems that need no data source is known, by a server that has started
 * already, beside the YAML language server with the same schema.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const results: BenchResult[] = [];
  for (const { lines, goal, memoryGoal } of sizes.slice(0, isQuick ? 1 : undefined)) {
    const own: Opened[] = [];
    const peers: Opened[] = [];
    const parses: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      own.push(await openOnce(ours, lines, true));
      parses.push(parseAlone(largeGraph(lines)));
      // It has no limit of its own, and takes a minute for the largest file.
      if (lines <= 50_000) peers.push(await openOnce(peer, lines, false));
    }
    const of = (all: readonly Opened[], name: keyof Opened): number => median(all.map((each) => each[name]));
    const floor = peers.length === 0 ? undefined : of(peers, 'elapsed');
    const value = of(own, 'elapsed');
    const size = lines.toLocaleString('en');
    console.log(`  ${size} lines: processor time ${of(own, 'processor').toFixed(0)} ms, all rounds`, own, peers);
    results.push({
      name: `${size} lines: open to all problems that need no source`,
      value,
      unit: 'ms',
      ...(floor === undefined ? {} : { floor, ratio: value / floor }),
      goal: `≤ ${goal} ms`,
      ok: value <= goal,
    });
    const parse = median(parses);
    results.push({
      name: `${size} lines: the same beside the first parse of the text by the library \`yaml\` in a new process`,
      ...{ value, unit: 'ms', floor: parse, ratio: value / parse },
      goal: 'for comparison: no server that uses this library is faster',
      ok: true,
    });
    if (memoryGoal === undefined) continue;
    const memory = of(own, 'restingMemory');
    const peerMemory = of(peers, 'restingMemory');
    results.push({
      name: `${size} lines: resident memory after opening`,
      value: memory,
      unit: 'MiB',
      floor: peerMemory,
      ratio: memory / peerMemory,
      goal: `≤ ${memoryGoal} MiB`,
      ok: memory <= memoryGoal,
    });
  }
  return results;
}

/** As the extension's own client starts it. */
function ours(): ServerCommand {
  const args = [...serverFlags, path('../server/dist/main.js'), '--stdio'];
  return { args, environment: serverEnvironment(process.env), configuration: {} };
}

function peer(folder: string): ServerCommand {
  const schema = path('../schemas/entity-graph.schema.json');
  const yaml = { validate: true, schemaStore: { enable: false }, schemas: { [schema]: `/${graphFile}` } };
  const bin = path('../node_modules/yaml-language-server/bin/yaml-language-server');
  return { args: [bin, '--stdio'], configuration: { yaml, [folder]: null } };
}

async function openOnce(command: (folder: string) => ServerCommand, lines: number, hasRules: boolean): Promise<Opened> {
  const { text, places } = withMistakes(largeGraph(lines), hasRules);
  const folder = await folderWith({
    [graphFile]: text,
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,customer_id,note,placed_at\n1,1,x,2024-01-01 08:00:00\n',
    'customers.csv': 'id,since\n1,2024-01-01\n',
  });
  const server = await startTimedServer(command(folder), folder, join(folder, graphFile), text);
  try {
    const isComplete = (problems: readonly Diagnostic[]): boolean =>
      places.every((line) => problems.some(({ range }) => range.start.line === line));
    const elapsed = await server.opened(isComplete);
    const [processor, memory] = [server.processorTime(), megabytes(server.memory())];
    await server.settled();
    return { elapsed, processor, memory, restingMemory: megabytes(server.memory()) };
  } finally {
    await server.close();
    await removeFolder(folder);
  }
}

/** Milliseconds in which a new process makes a document of a text, without the loading of the library. */
function parseAlone(text: string): number {
  const program = `
    const { parseDocument } = require('yaml');
    const text = require('node:fs').readFileSync(0, 'utf8');
    const start = performance.now();
    parseDocument(text);
    console.log(performance.now() - start);`;
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', program], {
    cwd: path('..'),
    input: text,
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return Number(stdout);
}

/** Mistakes at the start, in the middle and at the end of a file, and the lines (0-based) of their problems. */
function withMistakes(text: string, hasRules: boolean): { readonly text: string; readonly places: readonly number[] } {
  const lines = text.split('\n');
  const keys = lines.flatMap((line, index) => (line.startsWith('    entityType:') ? [index] : []));
  const places = [keys[0], keys[keys.length >> 1], keys.at(-1)].flatMap((line) => line ?? []);
  for (const line of places) lines[line] = (lines[line] ?? '').replace('entityType', 'entityTypo');
  if (hasRules) {
    // Only a rule of entity graphs knows that this end names no element.
    const last = lines.findLastIndex((line) => line.startsWith('  - { name: r'));
    lines[last] = (lines[last] ?? '').replace(/target: Place Order \d+/, 'target: Place Nothing');
    places.push(last);
  }
  return { text: lines.join('\n'), places };
}

function megabytes(bytes: number): number {
  return bytes / 1024 / 1024;
}
