import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { type ServerCommand, startTimedServer } from './language-service-client.ts';
import { largeGraph, placesOf } from './language-service-file.ts';
import { median, printResults } from './measure.ts';

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
  /** p95 of all visits, not of the fastest of each place. */
  readonly everyVisit: Readonly<Record<string, number>>;
  readonly megabytes: number;
  /** Processor time of a round: four keystrokes, two completions, four hovers, and all problems told after them. */
  readonly processor: number;
}

/** Keystroke to problems, completion and hover on large files, beside the YAML language server on the same file. */
export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const atOnce = await floorOfAnswers();
  console.log(`  a server that answers at once takes ${atOnce.toFixed(1)} ms`);
  const small = await measureOne(ours, 300, 12);
  const timer = await timerOf(ourRest);
  const [mine, huge] = await measureInTurns([10_000, 50_000]);
  if (!mine || !huge) throw new Error('Nothing was measured.');
  const large = { ours: mine, peer: await measureOne(peer, 10_000, 12) };
  const told = { '10,000 lines': mine, '50,000 lines': huge, 'the YAML language server, 10,000 lines': large.peer };
  for (const [name, { everyVisit, processor }] of Object.entries(told)) {
    console.log(`  every visit, p95 in ms, ${name}: ${inWords(everyVisit)}; processor time ${processor.toFixed(0)}`);
  }
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
    growth(
      'work from keystroke to problems',
      huge.keystroke - ourRest,
      large.ours.keystroke - ourRest,
      // Problems are sent when a timer ends.
      atOnce + timer - ourRest,
    ),
    growth('completion', huge.completion, large.ours.completion, atOnce),
    growth('completion at the start of a line', huge.atMargin, large.ours.atMargin, atOnce),
    growth('hover', huge.hover, large.ours.hover, atOnce),
    fewer(
      '10,000 lines: processor time of four keystrokes, two completions and four hovers',
      large.ours.processor,
      large.peer.processor,
      8,
    ),
  );
  return results;
}

/** What changes from one minute to the next, such as what else the machine does, meets both sizes alike. */
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

/** Milliseconds of an answer without any work, p95 of the fastest of as many as a place has visits. */
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

/** A server with its file open, asked at places of it. */
interface Session {
  /** Keystrokes, completions and hovers where the entry around the cursor is all that counts. */
  near(place: number): Promise<Taken>;
  /** Completion where more than that counts. */
  far(place: number): Promise<Taken>;
  /** After the near visits. */
  readMemory(): void;
  /** @param taken of all visits of each place */
  measured(near: readonly (readonly Taken[])[], far: readonly (readonly Taken[])[]): Measured;
  close(): Promise<void>;
}

/** Milliseconds that each thing took at a place, by its name; some are done several times. */
type Taken = Readonly<Record<string, readonly number[]>>;

/**
 * How often each place is visited; the fastest counts. On a virtual machine a tenth of the time may go to others, a
 * millisecond or ten at once: a single visit then tells what the machine did. Between two visits of a place all others are
 * visited, so that nothing is known of it any more but what is known of all.
 */
const visits = 3;

/** Measures servers in turns, place by place; the first places warm up. */
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

/** By session and place, what each visit took. */
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
  // Its rules go on for seconds behind the first answers: those seconds are measured by none of these figures.
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
      // What that edit sets off must not be counted with the next visit.
      await pause(peerRest * 2);
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
      await pause(peerRest * 2);
      const end = place % 2 === 0 ? 'source' : 'target';
      const [endLine, character] = placeOfEnd(end, place);
      const ofEnds = await server.request('textDocument/completion', endLine, character);
      server.type(endLine, `${end}: P`, `${end}: XP`);
      const ofEndsAfterTyping = await server.request('textDocument/completion', endLine, character);
      server.type(endLine, `${end}: XP`, `${end}: P`);
      await pause(peerRest * 2);
      return { atMargin: [atMargin], ofEnds: [ofEnds], ofEndsAfterTyping: [ofEndsAfterTyping] };
    },
    readMemory: () => (megabytes = server.memory() / 1024 / 1024),
    measured(near, far) {
      const [keystrokes, hovers] = [fastest(near, 'keystroke'), fastest(near, 'hover')];
      const [completions, afterTyping] = [fastest(near, 'completion'), fastest(near, 'afterTyping')];
      return {
        ...{ keystroke: p95(keystrokes), completion: p95(completions), hover: p95(hovers) },
        completionAfterTyping: p95(afterTyping),
        atMargin: p95(fastest(far, 'atMargin')),
        ofEnds: p95(fastest(far, 'ofEnds')),
        ofEndsAfterTyping: p95(fastest(far, 'ofEndsAfterTyping')),
        medians: {
          keystroke: median(keystrokes),
          completion: median(completions),
          completionAfterTyping: median(afterTyping),
          hover: median(hovers),
        },
        everyVisit: {
          keystroke: p95(every(near, 'keystroke')),
          completion: p95(every(near, 'completion')),
          completionAfterTyping: p95(every(near, 'afterTyping')),
          atMargin: p95(every(far, 'atMargin')),
          ofEnds: p95(every(far, 'ofEnds')),
          ofEndsAfterTyping: p95(every(far, 'ofEndsAfterTyping')),
          hover: p95(every(near, 'hover')),
        },
        ...{ megabytes, processor: mean(every(near, 'processor')) },
      };
    },
    async close() {
      await server.close();
      await removeFolder(folder);
    },
  };
}

const hoversAPlace = 4;

/** Of each place, the fastest of its visits; of what is done several times there, of each time. */
function fastest(places: readonly (readonly Taken[])[], name: string): readonly number[] {
  return places.flatMap((visited) => {
    const times = visited.map((taken) => taken[name] ?? []);
    return (times[0] ?? []).map((_, index) => Math.min(...times.map((each) => each[index] ?? Number.NaN)));
  });
}

function every(places: readonly (readonly Taken[])[], name: string): readonly number[] {
  return places.flat().flatMap((taken) => taken[name] ?? []);
}

function inWords(times: Readonly<Record<string, number>>): string {
  return Object.entries(times)
    .map(([name, time]) => `${name} ${time.toFixed(1)}`)
    .join(', ');
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

/** @param least what the same takes without any work: below it nothing can be told apart, so that counts instead. */
function growth(name: string, value: number, floor: number, least: number): BenchResult {
  const ratio = Math.max(value, least) / Math.max(floor, least);
  return {
    name: `50,000 lines: ${name}, p95`,
    value,
    unit: 'ms',
    floor,
    ratio,
    goal: `≤ 2 × that at 10,000 lines, less than ${least.toFixed(1)} ms counted as so much`,
    ok: ratio <= 2,
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
