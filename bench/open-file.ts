import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Diagnostic } from 'vscode-languageserver-protocol/node';
import { serverEnvironment, serverFlags } from '../protocol/server-process.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { type ServerCommand, type TimedServer, startTimedServer } from './language-service-client.ts';
import { largeGraph } from './language-service-file.ts';
import { besideFloor, median, ofRounds } from './measure.ts';

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
  /** Processor time of the server from opening the file. */
  readonly processor: number;
  /** Resident memory in MiB when the problems are known, and when the server rests. */
  readonly memory: number;
  readonly restingMemory: number;
}

/** In which a server that has no file open warms up. */
const restMs = 4_000;

/**
 * From opening a file until the complete set of problems that need no data source is known, beside the YAML language
 * server with the same schema: by a server that has been running for a while, by one that has just started with the code
 * that an earlier server has cached, as editors find it, and by one without, as after an installation.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const cacheFolder = await mkdtemp(join(tmpdir(), 'entity-graph-bench-'));
  try {
    const cached = ours({ XDG_CACHE_HOME: cacheFolder, LOCALAPPDATA: cacheFolder, HOME: cacheFolder });
    const rested: Command = () => ({ ...cached(), restMs });
    const uncached = ours({ NODE_DISABLE_COMPILE_CACHE: '1' });
    await withOpened(cached, 10_000, true, async ({ server, isComplete }) => {
      await server.opened(isComplete);
      await server.settled();
      await server.shutDown();
    });
    const results: BenchResult[] = [];
    for (const size of sizes.slice(0, isQuick ? 1 : undefined)) {
      const measured: Measured = { rested: [], started: [], first: [], peers: [], parses: [] };
      // In turns, so that other load affects all.
      for (let round = 0; round < rounds; round += 1) {
        measured.rested.push(await openOnce(rested, size.lines, true));
        measured.started.push(await openOnce(cached, size.lines, true));
        measured.first.push(await openOnce(uncached, size.lines, true));
        measured.parses.push(parseAlone(largeGraph(size.lines)));
        // It has no time limit, and takes a minute for the largest file.
        if (size.lines <= 50_000) measured.peers.push(await openOnce(peer, size.lines, false));
      }
      results.push(...resultsOf(size, measured));
    }
    return results;
  } finally {
    await rm(cacheFolder, { recursive: true, force: true });
  }
}

interface Measured {
  /** Times of a server that has been running for a while. */
  readonly rested: Opened[];
  /** Times of a server that has just started, with cached code. */
  readonly started: Opened[];
  /** Times of a server that has just started, without cached code. */
  readonly first: Opened[];
  readonly peers: Opened[];
  readonly parses: number[];
}

function resultsOf(
  { lines, goal, memoryGoal }: (typeof sizes)[number],
  { rested, started, first, peers, parses }: Measured,
): readonly BenchResult[] {
  const of = (all: readonly Opened[], name: keyof Opened): number[] => all.map((each) => each[name]);
  const size = lines.toLocaleString('en');
  const processor = (all: readonly Opened[]): string => median(of(all, 'processor')).toFixed(0);
  const took = [
    processor(rested),
    `right after the start ${processor(started)}`,
    `without cached code ${processor(first)}`,
  ];
  console.log(`  ${size} lines: processor time of all threads of the server from opening in ms: ${took.join(', ')}`);
  const elapsed = (name: string, opened: readonly Opened[]): BenchResult => {
    const times = of(opened, 'elapsed');
    const floors = of(peers, 'elapsed');
    const measured: Partial<ReturnType<typeof besideFloor>> & ReturnType<typeof ofRounds> =
      peers.length === 0 ? ofRounds(times) : besideFloor(times, floors);
    const isMet = measured.value <= goal;
    const bounds =
      measured.ratio !== undefined
        ? {
            aim: { text: `≤ ${goal} ms`, isMet },
            ...{ goal: '≤ 0.75 × the YAML language server', ok: measured.ratio <= 0.75 },
          }
        : { goal: `≤ ${goal} ms`, ok: isMet };
    return { name: `${size} lines: ${name}`, unit: 'ms', ...measured, ...bounds };
  };
  const memory = besideFloor(of(rested, 'restingMemory'), of(peers, 'restingMemory'));
  return [
    elapsed('open to all problems that need no source', rested),
    elapsed('the same right after the start of the server', started),
    elapsed('the same without cached code', first),
    {
      name: `${size} lines: the same beside the first parse of the text by the library \`yaml\` in a new process`,
      ...{ unit: 'ms', ...besideFloor(of(rested, 'elapsed'), parses), goal: 'for comparison', ok: true },
    },
    ...(memoryGoal === undefined
      ? []
      : [
          {
            ...{ name: `${size} lines: resident memory after opening`, unit: 'MiB', ...memory },
            ...{ goal: `≤ ${memoryGoal} MiB`, ok: memory.value <= memoryGoal },
          },
        ]),
  ];
}

/** Starts the server like the client of the extension. */
function ours(environment: Readonly<Record<string, string>>): () => ServerCommand {
  const args = [...serverFlags, path('../server/dist/main.js'), '--stdio'];
  return () => ({ args, environment: { ...serverEnvironment(process.env), ...environment }, configuration: {} });
}

function peer(folder: string): ServerCommand {
  const schema = path('../schemas/entity-graph.schema.json');
  const yaml = { validate: true, schemaStore: { enable: false }, schemas: { [schema]: `/${graphFile}` } };
  const bin = path('../node_modules/yaml-language-server/bin/yaml-language-server');
  return { args: [bin, '--stdio'], restMs, configuration: { yaml, [folder]: null } };
}

type Command = (folder: string) => ServerCommand;

function openOnce(command: Command, lines: number, hasRules: boolean): Promise<Opened> {
  return withOpened(command, lines, hasRules, async ({ server, isComplete }) => {
    try {
      const elapsed = await server.opened(isComplete);
      const [processor, memory] = [server.processorTime(), megabytes(server.memory())];
      await server.settled();
      return { elapsed, processor, memory, restingMemory: megabytes(server.memory()) };
    } finally {
      await server.close();
    }
  });
}

interface OpenedFile {
  /** To be ended by its user. */
  readonly server: TimedServer;
  /** Whether the problems of all mistakes are there. */
  readonly isComplete: (problems: readonly Diagnostic[]) => boolean;
}

/** Opens a file with mistakes in a folder of its own. */
async function withOpened<Result>(
  command: Command,
  lines: number,
  hasRules: boolean,
  use: (opened: OpenedFile) => Promise<Result>,
): Promise<Result> {
  const { text, places } = withMistakes(largeGraph(lines), hasRules);
  const folder = await folderWith({
    [graphFile]: text,
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,customer_id,note,placed_at\n1,1,x,2024-01-01 08:00:00\n',
    'customers.csv': 'id,since\n1,2024-01-01\n',
  });
  try {
    const server = await startTimedServer(command(folder), folder, join(folder, graphFile), text);
    const isComplete = (problems: readonly Diagnostic[]): boolean =>
      places.every((line) => problems.some(({ range }) => range.start.line === line));
    return await use({ server, isComplete });
  } finally {
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
