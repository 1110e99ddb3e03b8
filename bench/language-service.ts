import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import type { BenchResult } from './bench-result.ts';
import { type ServerCommand, type TimedServer, startTimedServer } from './language-service-client.ts';
import { largeGraph, lineOfKey, placeOfEnd } from './language-service-file.ts';
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
  readonly megabytes: number;
  /** Processor time of a round: four keystrokes, two completions, four hovers, and all problems told after them. */
  readonly processor: number;
}

/** Keystroke to problems, completion and hover on large files, beside the YAML language server on the same file. */
export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const small = await measureOurs(300, 60, 30);
  const timer = await timerOf(ourRest);
  const large = await measureBoth(10_000, 30);
  const huge = await measureOurs(50_000, 30);
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

async function measureBoth(
  lines: number,
  rounds: number,
): Promise<{ readonly ours: Measured; readonly peer: Measured }> {
  return {
    ours: await measureOurs(lines, rounds),
    peer: await inFolder(lines, (folder, text) => measure(peer(folder), folder, text, rounds)),
  };
}

function measureOurs(lines: number, rounds: number, warmUp?: number): Promise<Measured> {
  return inFolder(lines, (folder, text) => measure(ours, folder, text, rounds, warmUp));
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

async function inFolder<T>(lines: number, work: (folder: string, text: string) => Promise<T>): Promise<T> {
  const text = largeGraph(lines);
  const folder = await folderWith({
    [graphFile]: text,
    'entity-sources.yaml': 'version: 1\ndataSources:\n  files: { kind: csv, path: "*.csv" }\n',
    'orders.csv': 'id,customer_id,note,placed_at\n1,1,x,2024-01-01 08:00:00\n',
    'customers.csv': 'id,since\n1,2024-01-01\n',
  });
  try {
    return await work(folder, text);
  } finally {
    await removeFolder(folder);
  }
}

async function measure(
  command: ServerCommand,
  folder: string,
  text: string,
  rounds: number,
  warmUp = 3,
): Promise<Measured> {
  const server = await startTimedServer(command, folder, join(folder, graphFile), text);
  try {
    const keystrokes: number[] = [];
    const completions: number[] = [];
    const afterTyping: number[] = [];
    const hovers: number[] = [];
    const key = 'entityType';
    let processorBefore = 0;
    for (let round = -warmUp; round < rounds; round += 1) {
      if (round === 0) processorBefore = server.processorTime();
      const line = lineOfKey(text, key, round + warmUp);
      const broken = await server.change(line, key, `${key}x`, (problems) => problems.length > 0);
      const mended = await server.change(line, `${key}x`, key, (problems) => problems.length === 0);
      const completion = await server.request('textDocument/completion', line, 4);
      const hovered: number[] = [];
      for (let place = 0; place < hoversARound; place += 1) {
        const elsewhere = lineOfKey(text, key, (round + warmUp) * hoversARound + place);
        hovered.push(await server.request('textDocument/hover', elsewhere, 6));
      }
      server.type(line, 'order', 'orders');
      const typing = await server.request('textDocument/completion', line, 4);
      server.type(line, 'orders', 'order');
      // What that edit sets off must not be counted with the next round.
      await pause(peerRest * 2);
      // The first rounds warm up.
      if (round < 0) continue;
      keystrokes.push(broken, mended);
      completions.push(completion);
      afterTyping.push(typing);
      hovers.push(...hovered);
    }
    const processor = (server.processorTime() - processorBefore) / rounds;
    const megabytes = server.memory() / 1024 / 1024;
    return {
      ...(await measureFarReaching(server, text, rounds, warmUp)),
      keystroke: p95(keystrokes),
      completion: p95(completions),
      completionAfterTyping: p95(afterTyping),
      hover: p95(hovers),
      megabytes,
      medians: {
        keystroke: median(keystrokes),
        completion: median(completions),
        completionAfterTyping: median(afterTyping),
        hover: median(hovers),
      },
      processor,
    };
  } finally {
    await server.close();
  }
}

async function measureFarReaching(
  server: TimedServer,
  text: string,
  rounds: number,
  warmUp: number,
): Promise<FarReaching> {
  const atMargin: number[] = [];
  const ofEnds: number[] = [];
  const ofEndsAfterTyping: number[] = [];
  for (let round = -warmUp; round < rounds; round += 1) {
    const line = lineOfKey(text, 'key', round + warmUp);
    server.type(line, '    key: id', 'da');
    const margin = await server.request('textDocument/completion', line, 2);
    server.type(line, 'da', '    key: id');
    await pause(peerRest * 2);
    const end = round % 2 === 0 ? 'source' : 'target';
    const [endLine, character] = placeOfEnd(text, end, round + warmUp);
    const unchanged = await server.request('textDocument/completion', endLine, character);
    server.type(endLine, `${end}: P`, `${end}: XP`);
    const typing = await server.request('textDocument/completion', endLine, character);
    server.type(endLine, `${end}: XP`, `${end}: P`);
    await pause(peerRest * 2);
    if (round < 0) continue;
    atMargin.push(margin);
    ofEnds.push(unchanged);
    ofEndsAfterTyping.push(typing);
  }
  return { atMargin: p95(atMargin), ofEnds: p95(ofEnds), ofEndsAfterTyping: p95(ofEndsAfterTyping) };
}

/** The second slowest of thirty would say more about the machine than about the server. */
const hoversARound = 4;

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
