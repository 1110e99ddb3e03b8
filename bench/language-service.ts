import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { type ServerCommand, startTimedServer } from './language-service-client.ts';
import { largeGraph, lineOfKey, placeOfEnd } from './language-service-file.ts';
import { median, printResults } from './measure.ts';
import { createSteadiness } from './steadiness.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const graphFile = 'large.entity.yaml';

/** How long each server waits after a keystroke before it works, in milliseconds. */
const ourRest = 50;
const peerRest = 200;

/** With the flag of the extension's own client. */
const ours: ServerCommand = {
  args: ['--max-semi-space-size=4', path('../server/dist/main.js'), '--stdio'],
  configuration: {},
};

function peer(folder: string): ServerCommand {
  const schema = path('../schemas/entity-graph.schema.json');
  const yaml = {
    validate: true,
    hover: true,
    completion: true,
    schemaStore: { enable: false },
    schemas: { [schema]: `/${graphFile}` },
  };
  const bin = path('../node_modules/yaml-language-server/bin/yaml-language-server');
  return { args: [bin, '--stdio'], configuration: { yaml, [folder]: null } };
}

/** Completion where more than the entry around the cursor counts, p95. */
interface FarReaching {
  /** Right after a keystroke, behind what stands at the start of a line in the middle of the elements. */
  readonly atMargin: number;
  /** At an end of a relationship: as many names of activities as there are elements. */
  readonly ofEnds: number;
  readonly ofEndsAfterTyping: number;
}

interface Measured extends FarReaching {
  readonly keystroke: number;
  readonly completion: number;
  readonly completionAfterTyping: number;
  readonly hover: number;
  readonly medians: Pick<Measured, 'keystroke' | 'completion' | 'completionAfterTyping' | 'hover'>;
  readonly megabytes: number;
  /** Processor time of a round: four keystrokes, two completions, four hovers, and all problems told after them. */
  readonly processor: number;
}

/** Keystroke to problems, completion and hover on large files, beside the YAML language server on the same file. */
export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const small = await measureOne(ours, 300, 40, 20);
  const timer = await timerOf(ourRest);
  const [mine, huge] = await measureInTurns([10_000, 50_000]);
  if (!mine || !huge) throw new Error('Nothing was measured.');
  const large = { ours: mine, peer: await measureOne(peer, 10_000, 20) };
  results.push(
    plain('300 lines: work from keystroke to problems, median', small.medians.keystroke - timer, 'ms', 3),
    plain('300 lines: completion, median', small.medians.completion, 'ms', 3),
    plain('300 lines: completion right after a keystroke, median', small.medians.completionAfterTyping, 'ms', 3),
    plain('300 lines: hover, median', small.medians.hover, 'ms', 3),
    plain('300 lines: hover p95', small.hover, 'ms', 3),
    plain('10,000 lines: work from keystroke to problems, p95', large.ours.keystroke - ourRest, 'ms', 16),
    faster('10,000 lines: keystroke to problems', large.ours.keystroke, large.peer.keystroke, 5),
    faster(
      '10,000 lines: the same without each server’s rest',
      large.ours.keystroke - ourRest,
      large.peer.keystroke - peerRest,
      8,
    ),
    plain('10,000 lines: completion p95', large.ours.completion, 'ms', 8, large.peer.completion),
    plain(
      '10,000 lines: completion right after a keystroke, p95',
      large.ours.completionAfterTyping,
      'ms',
      16,
      large.peer.completionAfterTyping,
    ),
    plain(
      '10,000 lines: completion at the start of a line right after a keystroke, p95',
      large.ours.atMargin,
      'ms',
      16,
      large.peer.atMargin,
    ),
    plain('10,000 lines: completion of the ends of relationships, p95', large.ours.ofEnds, 'ms', 8, large.peer.ofEnds),
    plain(
      '10,000 lines: the same right after a keystroke, p95',
      large.ours.ofEndsAfterTyping,
      'ms',
      16,
      large.peer.ofEndsAfterTyping,
    ),
    plain('10,000 lines: hover p95', large.ours.hover, 'ms', 3, large.peer.hover),
    plain('10,000 lines: resident memory', large.ours.megabytes, 'MiB', 130, large.peer.megabytes),
    growth('work from keystroke to problems', huge.keystroke - ourRest, large.ours.keystroke - ourRest),
    growth('completion', huge.completion, large.ours.completion),
    growth('completion at the start of a line', huge.atMargin, large.ours.atMargin),
    growth('hover', huge.hover, large.ours.hover),
    fewer(
      '10,000 lines: processor time of four keystrokes, two completions and four hovers',
      large.ours.processor,
      large.peer.processor,
      8,
    ),
    growth('processor time of the same', huge.processor, large.ours.processor),
  );
  return results;
}

/** What changes from one minute to the next, such as what else the machine does, meets both sizes alike. */
function measureInTurns(sizes: readonly number[]): Promise<readonly Measured[]> {
  return measure(
    sizes.map((lines) => ({ command: ours, lines })),
    50,
  );
}

async function measureOne(
  command: Subject['command'],
  lines: number,
  rounds: number,
  warmUp?: number,
): Promise<Measured> {
  const [measured] = await measure([{ command, lines }], rounds, warmUp);
  if (!measured) throw new Error('Nothing was measured.');
  return measured;
}

/** Milliseconds that a timer of so many really takes here: the rest of a server is one. */
async function timerOf(milliseconds: number): Promise<number> {
  const taken: number[] = [];
  for (let round = 0; round < 20; round += 1) {
    const start = performance.now();
    await pause(milliseconds);
    taken.push(performance.now() - start);
  }
  return median(taken);
}

/** A server and the size of the file that it has open. */
interface Subject {
  readonly command: ServerCommand | ((folder: string) => ServerCommand);
  readonly lines: number;
}

/** A server with its file open, asked in rounds. */
interface Session {
  /** Keystrokes, completions and hovers where the entry around the cursor is all that counts. */
  near(round: number): Promise<Counted>;
  /** Completion where more than that counts. */
  far(round: number): Promise<Counted>;
  /** After the near rounds. */
  readMemory(): void;
  measured(): Measured;
  close(): Promise<void>;
}

/** Measures servers in turns, round by round; the first rounds warm up. */
async function measure(subjects: readonly Subject[], rounds: number, warmUp = 3): Promise<readonly Measured[]> {
  const sessions: Session[] = [];
  try {
    for (const subject of subjects) sessions.push(await startSession(subject));
    await inRounds(sessions, rounds, warmUp, (session, round) => session.near(round));
    for (const session of sessions) session.readMemory();
    await inRounds(sessions, rounds, warmUp, (session, round) => session.far(round));
    return sessions.map((session) => session.measured());
  } finally {
    for (const session of sessions) await session.close();
  }
}

/** Counts the rounds during which nothing else slowed the machine down, if there are enough of them, else all. */
async function inRounds(
  sessions: readonly Session[],
  rounds: number,
  warmUp: number,
  work: (session: Session, round: number) => Promise<Counted>,
): Promise<void> {
  const { wasSteady } = createSteadiness();
  const [steady, disturbed]: [Counted[][], Counted[][]] = [[], []];
  for (let round = 0; round < warmUp + rounds; round += 1) {
    const taken: Counted[] = [];
    for (const session of sessions) taken.push(await work(session, round));
    const isSteady = wasSteady();
    if (round >= warmUp) (isSteady ? steady : disturbed).push(taken);
  }
  const isEnough = steady.length >= Math.min(enoughRounds, rounds);
  for (const count of [...steady, ...(isEnough ? [] : disturbed)].flat()) count();
  if (disturbed.length === 0) return;
  const then = isEnough ? 'left out' : 'counted all the same, as too few are left';
  console.log(
    `  during ${disturbed.length} of ${rounds} rounds the machine was slowed down by something else: ${then}`,
  );
}

/** Of fewer, the slowest twentieth is none. */
const enoughRounds = 20;

/** Takes what a round measured into account. */
type Counted = () => void;

async function startSession({ command, lines }: Subject): Promise<Session> {
  const text = largeGraph(lines);
  const folder = await folderWith({
    [graphFile]: text,
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,customer_id,note,placed_at\n1,1,x,2024-01-01 08:00:00\n',
    'customers.csv': 'id,since\n1,2024-01-01\n',
  });
  const started = typeof command === 'function' ? command(folder) : command;
  const server = await startTimedServer(started, folder, join(folder, graphFile), text);
  const times = {
    ...{ keystrokes: [] as number[], completions: [] as number[], afterTyping: [] as number[], hovers: [] as number[] },
    ...{ atMargin: [] as number[], ofEnds: [] as number[], ofEndsAfterTyping: [] as number[] },
    processor: [] as number[],
  };
  const key = 'entityType';
  let megabytes = Number.NaN;

  return {
    async near(round) {
      const before = server.processorTime();
      const line = lineOfKey(text, key, round);
      const broken = await server.change(line, key, `${key}x`, (problems) => problems.length > 0);
      const mended = await server.change(line, `${key}x`, key, (problems) => problems.length === 0);
      const completion = await server.request('textDocument/completion', line, 4);
      const hovers: number[] = [];
      for (let place = 0; place < hoversARound; place += 1) {
        const elsewhere = lineOfKey(text, key, round * hoversARound + place);
        hovers.push(await server.request('textDocument/hover', elsewhere, 6));
      }
      server.type(line, 'order', 'orders');
      const afterTyping = await server.request('textDocument/completion', line, 4);
      server.type(line, 'orders', 'order');
      // What that edit sets off must not be counted with the next round.
      await pause(peerRest * 2);
      const processor = server.processorTime() - before;
      return () => {
        times.keystrokes.push(broken, mended);
        times.completions.push(completion);
        times.afterTyping.push(afterTyping);
        times.hovers.push(...hovers);
        times.processor.push(processor);
      };
    },
    async far(round) {
      const line = lineOfKey(text, 'key', round);
      server.type(line, '    key: id', 'da');
      const atMargin = await server.request('textDocument/completion', line, 2);
      server.type(line, 'da', '    key: id');
      await pause(peerRest * 2);
      const end = round % 2 === 0 ? 'source' : 'target';
      const [endLine, character] = placeOfEnd(text, end, round);
      const ofEnds = await server.request('textDocument/completion', endLine, character);
      server.type(endLine, `${end}: P`, `${end}: XP`);
      const ofEndsAfterTyping = await server.request('textDocument/completion', endLine, character);
      server.type(endLine, `${end}: XP`, `${end}: P`);
      await pause(peerRest * 2);
      return () => {
        times.atMargin.push(atMargin);
        times.ofEnds.push(ofEnds);
        times.ofEndsAfterTyping.push(ofEndsAfterTyping);
      };
    },
    readMemory: () => (megabytes = server.memory() / 1024 / 1024),
    measured: () => ({
      ...{ keystroke: p95(times.keystrokes), completion: p95(times.completions), hover: p95(times.hovers) },
      ...{ completionAfterTyping: p95(times.afterTyping), atMargin: p95(times.atMargin) },
      ...{ ofEnds: p95(times.ofEnds), ofEndsAfterTyping: p95(times.ofEndsAfterTyping) },
      medians: {
        keystroke: median(times.keystrokes),
        completion: median(times.completions),
        completionAfterTyping: median(times.afterTyping),
        hover: median(times.hovers),
      },
      ...{ megabytes, processor: mean(times.processor) },
    }),
    async close() {
      await server.close();
      await removeFolder(folder);
    },
  };
}

/** With one a round, the slowest few would say more about the machine than about the server. */
const hoversARound = 4;

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function p95(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * 0.95) - 1)] ?? Number.NaN;
}

function plain(name: string, value: number, unit: string, limit: number, floor?: number): BenchResult {
  const beside = floor === undefined ? {} : { floor, ratio: value / floor };
  return { name, value, unit, ...beside, goal: `≤ ${limit} ${unit}`, ok: value <= limit };
}

function faster(name: string, value: number, floor: number, times: number): BenchResult {
  const ratio = value / floor;
  return {
    name,
    value,
    unit: 'ms',
    floor,
    ratio,
    goal: `at least ${times} × faster than the YAML language server`,
    ok: ratio <= 1 / times,
  };
}

function fewer(name: string, value: number, floor: number, times: number): BenchResult {
  const ratio = value / floor;
  const goal = `at most 1/${times} of the YAML language server’s`;
  return { name, value, unit: 'ms', floor, ratio, goal, ok: ratio <= 1 / times };
}

function growth(name: string, value: number, floor: number): BenchResult {
  const ratio = value / floor;
  return {
    name: `50,000 lines: ${name}, p95`,
    value,
    unit: 'ms',
    floor,
    ratio,
    goal: '≤ 2 × that at 10,000 lines',
    ok: ratio <= 2,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
