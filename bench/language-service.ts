import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { serverEnvironment, serverFlags } from '../protocol/server-process.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { type ServerCommand, startTimedServer } from './language-service-client.ts';
import { largeGraph, placesOf } from './language-service-file.ts';
import { median, printResults } from './measure.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const graphFile = 'large.entity.yaml';

/** Debounce of each server in milliseconds. */
const ourDebounce = 1;
const peerDebounce = 200;

/** Starts the server like the client of the extension. */
const ours: ServerCommand = {
  args: [...serverFlags, path('../server/dist/main.js'), '--stdio'],
  environment: serverEnvironment(process.env),
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

/** Milliseconds of all visits, and of the fastest visit of each position. */
interface Timing {
  readonly all: readonly number[];
  readonly fastest: readonly number[];
}

const figures = ['keystroke', 'completion', 'afterTyping', 'hover', 'atMargin', 'ofEnds', 'ofEndsAfterTyping'] as const;

/**
 * `atMargin` is completion right after a keystroke, behind what stands at the start of a line in the middle of the elements; `ofEnds`
 * that at an end of a relationship, with as many names of activities as there are elements.
 */
type Timings = Readonly<Record<(typeof figures)[number], Timing>>;

interface Measured extends Timings {
  readonly megabytes: number;
  /** Processor time of a round: four keystrokes, two completions, four hovers, and all problems. */
  readonly processor: number;
}

/**
 * At most so many times as long as the answer of a server that does no work: of a short file that is most of the time, and
 * machines differ in it.
 */
const timesIdle = 4;
/** The goal for a completion in a short file, in milliseconds. */
const completionAim = 3;
/** A frame of the screen. */
const frameMs = 16;
/** Latency perceived as instantaneous. */
const atOnceMs = 100;

/** Latency from keystroke to problems, completion and hover on large files, compared with the YAML language server. */
export async function run(): Promise<BenchResult[]> {
  const idle = await floorOfAnswers();
  console.log(`  a server that answers at once takes ${idle.toFixed(1)} ms`);
  const small = await measureOne(ours, 300, 20);
  printAll('300 lines', small);
  const timer = await timerOf(ourDebounce);
  const [mine, huge] = await measureInTurns([10_000, 50_000]);
  if (!mine || !huge) throw new Error('Nothing was measured.');
  printAll('10,000 lines', mine);
  printAll('50,000 lines', huge);
  const other = await measureOne(peer, 10_000, 12);
  printAll('yaml-language-server, 10,000 lines', other);
  const lines = '10,000 lines: ';
  return [
    ...allOf('300 lines: keystroke to problems', small.keystroke, frameMs),
    ...besideIdle('300 lines: completion', small.completion, idle),
    ...besideIdle('300 lines: completion right after a keystroke', small.afterTyping, idle),
    ...allOf('300 lines: hover', small.hover, 3),
    ...allOf(`${lines}keystroke to problems`, mine.keystroke, frameMs),
    ...faster(`${lines}keystroke to problems, beside the peer`, mine.keystroke, other.keystroke, 5),
    ...faster(
      `${lines}the same without each server’s debounce`,
      later(mine.keystroke, ourDebounce),
      later(other.keystroke, peerDebounce),
      8,
    ),
    ...allOf(`${lines}completion`, mine.completion, 8, other.completion),
    ...allOf(`${lines}completion right after a keystroke`, mine.afterTyping, 16, other.afterTyping),
    ...allOf(`${lines}completion at the start of a line right after a keystroke`, mine.atMargin, 16, other.atMargin),
    ...allOf(`${lines}completion of the ends of relationships`, mine.ofEnds, 8, other.ofEnds),
    ...allOf(`${lines}the same right after a keystroke`, mine.ofEndsAfterTyping, 16, other.ofEndsAfterTyping),
    ...allOf(`${lines}hover`, mine.hover, 3, other.hover),
    plain(`${lines}resident memory`, mine.megabytes, 'MiB', 100, other.megabytes),
    plain('50,000 lines: resident memory', huge.megabytes, 'MiB', 150),
    growth(
      'work from keystroke to problems',
      later(huge.keystroke, ourDebounce),
      later(mine.keystroke, ourDebounce),
      // Problems are sent when a timer ends.
      idle + timer - ourDebounce,
    ),
    growth('completion', huge.completion, mine.completion, idle),
    growth('completion at the start of a line', huge.atMargin, mine.atMargin, idle),
    growth('hover', huge.hover, mine.hover, idle),
    fewer(
      `${lines}processor time of four keystrokes, two completions and four hovers`,
      mine.processor,
      other.processor,
      8,
    ),
  ];
}

function printAll(name: string, measured: Measured): void {
  console.log(`  ${name}, ms: median of all visits / p95 of all visits / p95 of the fastest of ${visits}`);
  for (const figure of figures) {
    const { all, fastest } = measured[figure];
    console.log(`    ${figure}: ${[median(all), p95(all), p95(fastest)].map((each) => each.toFixed(1)).join(' / ')}`);
  }
  console.log(`    processor time of a round: ${measured.processor.toFixed(0)}`);
}

/** Subtracts the known debounce of a server. */
function later({ all, fastest }: Timing, debounce: number): Timing {
  return { all: all.map((each) => each - debounce), fastest: fastest.map((each) => each - debounce) };
}

/** Alternating, so that other load affects both sizes. */
function measureInTurns(sizes: readonly number[]): Promise<readonly Measured[]> {
  return measure(
    sizes.map((lines) => ({ command: ours, lines })),
    20,
  );
}

async function measureOne(command: Subject['command'], lines: number, places: number): Promise<Measured> {
  const [measured] = await measure([{ command, lines }], places);
  if (!measured) throw new Error('Nothing was measured.');
  return measured;
}

/** Latency of an idle server in milliseconds: p95 of the fastest visits. */
async function floorOfAnswers(): Promise<number> {
  const command = { args: [path('idle-language-server.mjs')], configuration: {} };
  const server = await startTimedServer(command, path('.'), path(graphFile), '');
  try {
    const taken: number[] = [];
    for (let round = -10; round < 20 * visits; round += 1) {
      await pause(100);
      const time = await server.request('textDocument/hover', 0, 0);
      if (round >= 0) taken.push(time);
    }
    return p95(Array.from({ length: 20 }, (_, at) => Math.min(...taken.slice(at * visits, (at + 1) * visits))));
  } finally {
    await server.close();
  }
}

/** Actual duration of a timer on this machine, which delays each server. */
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

/** A server with its file open, asked at places of it. */
interface Session {
  /** Keystrokes, completions and hovers that depend on the entry at the cursor only. */
  near(place: number): Promise<Taken>;
  /** Completion that depends on more than the entry. */
  far(place: number): Promise<Taken>;
  /** Called after the near visits. */
  readMemory(): void;
  /** @param taken of all visits of each place */
  measured(near: readonly (readonly Taken[])[], far: readonly (readonly Taken[])[]): Measured;
  close(): Promise<void>;
}

/** Milliseconds that each thing took at a place, by its name; some are done several times. */
type Taken = Readonly<Record<string, readonly number[]>>;

/**
 * Number of visits per position. On a virtual machine a tenth of the time may be lost in pauses of up to ten
 * milliseconds: the fastest visit shows the server's own cost. Other positions are visited in between, so that nothing
 * is cached.
 */
const visits = 3;

/** Measures servers alternately, position by position; the first positions warm up. */
async function measure(subjects: readonly Subject[], places: number, warmUp = 3): Promise<readonly Measured[]> {
  const sessions: Session[] = [];
  try {
    for (const subject of subjects) sessions.push(await startSession(subject));
    const near = await visit(sessions, places, warmUp, (session, place) => session.near(place));
    for (const session of sessions) session.readMemory();
    const far = await visit(sessions, places, warmUp, (session, place) => session.far(place));
    return sessions.map((session, index) => session.measured(near[index] ?? [], far[index] ?? []));
  } finally {
    for (const session of sessions) await session.close();
  }
}

/** Durations by session and position. */
async function visit(
  sessions: readonly Session[],
  places: number,
  warmUp: number,
  work: (session: Session, place: number) => Promise<Taken>,
): Promise<readonly (readonly (readonly Taken[])[])[]> {
  const taken = sessions.map(() => Array.from({ length: places }, (): Taken[] => []));
  for (let round = -warmUp; round < visits * places; round += 1) {
    for (const [index, session] of sessions.entries()) {
      const place = (round + places) % places;
      const one = await work(session, place);
      if (round >= 0) taken[index]?.[place]?.push(one);
    }
  }
  return taken;
}

async function startSession({ command, lines }: Subject): Promise<Session> {
  const text = largeGraph(lines);
  const { lineOfKey, placeOfEnd } = placesOf(text);
  const folder = await folderWith({
    [graphFile]: text,
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,customer_id,note,placed_at\n1,1,x,2024-01-01 08:00:00\n',
    'customers.csv': 'id,since\n1,2024-01-01\n',
  });
  const started = typeof command === 'function' ? command(folder) : command;
  const server = await startTimedServer(started, folder, join(folder, graphFile), text);
  // Its rules run for seconds after the first responses; that time is in none of these figures.
  await server.settled();
  const key = 'entityType';
  let megabytes = Number.NaN;

  return {
    async near(place) {
      const before = server.processorTime();
      const line = lineOfKey(key, place);
      const broken = await server.change(line, key, `${key}x`, (problems) => problems.length > 0);
      const mended = await server.change(line, `${key}x`, key, (problems) => problems.length === 0);
      const completion = await server.request('textDocument/completion', line, 4);
      const hovers: number[] = [];
      for (let each = 0; each < hoversAPlace; each += 1) {
        const elsewhere = lineOfKey(key, place * hoversAPlace + each);
        hovers.push(await server.request('textDocument/hover', elsewhere, 6));
      }
      server.type(line, 'order', 'orders');
      const afterTyping = await server.request('textDocument/completion', line, 4);
      server.type(line, 'orders', 'order');
      // Consequences of that edit must not count for the next visit.
      await pause(peerDebounce * 2);
      return {
        ...{ keystroke: [broken, mended], hover: hovers, completion: [completion], afterTyping: [afterTyping] },
        processor: [server.processorTime() - before],
      };
    },
    async far(place) {
      const line = lineOfKey('key', place);
      server.type(line, '    key: id', 'da');
      const atMargin = await server.request('textDocument/completion', line, 2);
      server.type(line, 'da', '    key: id');
      await pause(peerDebounce * 2);
      const end = place % 2 === 0 ? 'source' : 'target';
      const [endLine, character] = placeOfEnd(end, place);
      const ofEnds = await server.request('textDocument/completion', endLine, character);
      server.type(endLine, `${end}: P`, `${end}: XP`);
      const ofEndsAfterTyping = await server.request('textDocument/completion', endLine, character);
      server.type(endLine, `${end}: XP`, `${end}: P`);
      await pause(peerDebounce * 2);
      return { atMargin: [atMargin], ofEnds: [ofEnds], ofEndsAfterTyping: [ofEndsAfterTyping] };
    },
    readMemory: () => (megabytes = server.memory() / 1024 / 1024),
    measured(near, far) {
      const both = { ...timingsOf(near), ...timingsOf(far) };
      return { ...(both as Timings), megabytes, processor: mean(every(near, 'processor')) };
    },
    async close() {
      await server.close();
      await removeFolder(folder);
    },
  };
}

const hoversAPlace = 4;

function timingsOf(places: readonly (readonly Taken[])[]): Readonly<Record<string, Timing>> {
  const names = Object.keys(places[0]?.[0] ?? {});
  return Object.fromEntries(names.map((name) => [name, { all: every(places, name), fastest: fastest(places, name) }]));
}

/** For each position the fastest visit; for repeated actions, per repetition. */
function fastest(places: readonly (readonly Taken[])[], name: string): readonly number[] {
  return places.flatMap((visited) => {
    const times = visited.map((taken) => taken[name] ?? []);
    return (times[0] ?? []).map((_, index) => Math.min(...times.map((each) => each[index] ?? Number.NaN)));
  });
}

function every(places: readonly (readonly Taken[])[], name: string): readonly number[] {
  return places.flat().flatMap((taken) => taken[name] ?? []);
}

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

/** The figures of an action: those of all visits count, that of the fastest shows the influence of the machine. */
function allOf(name: string, own: Timing, limit: number, other?: Timing): BenchResult[] {
  return [
    {
      ...plain(`${name}, median of all visits`, median(own.all), 'ms', limit, other && median(other.all)),
      ...{ rounds: own.all, ...(other ? { floorRounds: other.all } : {}) },
    },
    plain(`${name}, p95 of all visits`, p95(own.all), 'ms', atOnceMs, other && p95(other.all)),
    plain(`${name}, p95 of the fastest of ${visits}`, p95(own.fastest), 'ms', limit, other && p95(other.fastest)),
  ];
}

/** @param idle latency of a server that answers at once: p95 of the fastest visits. */
function besideIdle(name: string, own: Timing, idle: number): BenchResult[] {
  const result = (of: string, value: number): BenchResult => {
    const ratio = value / idle;
    return {
      ...{ name: `${name}, ${of}`, value, unit: 'ms', floor: idle, ratio },
      aim: { text: `≤ ${completionAim} ms`, isMet: value <= completionAim },
      ...{ goal: `≤ ${timesIdle} × a server that answers at once`, ok: ratio <= timesIdle },
    };
  };
  return [
    { ...result('median of all visits', median(own.all)), rounds: own.all },
    plain(`${name}, p95 of all visits`, p95(own.all), 'ms', atOnceMs),
    result(`p95 of the fastest of ${visits}`, p95(own.fastest)),
  ];
}

function faster(name: string, own: Timing, other: Timing, times: number): BenchResult[] {
  const goal = `at least ${times} × faster than the YAML language server`;
  const result = (of: string, value: number, floor: number): BenchResult => {
    const ratio = value / floor;
    return { name: `${name}, ${of}`, value, unit: 'ms', floor, ratio, goal, ok: ratio <= 1 / times };
  };
  return [
    result('median of all visits', median(own.all), median(other.all)),
    result('p95 of all visits', p95(own.all), p95(other.all)),
  ];
}

function fewer(name: string, value: number, floor: number, times: number): BenchResult {
  const ratio = value / floor;
  const goal = `at most 1/${times} of the YAML language server’s`;
  return { name, value, unit: 'ms', floor, ratio, goal, ok: ratio <= 1 / times };
}

/** @param least latency without any work, the lower limit of comparisons. */
function growth(name: string, huge: Timing, large: Timing, least: number): BenchResult {
  const [value, floor] = [median(huge.all), median(large.all)];
  const ratio = Math.max(value, least) / Math.max(floor, least);
  return {
    name: `50,000 lines: ${name}, median of all visits`,
    ...{ value, unit: 'ms', floor, ratio },
    goal: `≤ 2 × that at 10,000 lines, less than ${least.toFixed(1)} ms counted as so much`,
    ok: ratio <= 2,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
