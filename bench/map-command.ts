import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { BenchResult } from './bench-result.ts';
import { median, printResults } from './measure.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const commandLine = join(project, 'server/dist/cli.js');
const runs = 7;
const goal = 300;

/**
 * Whole processes of `entity-graph map`, beside a bare Node: of a graph whose map was drawn before, and of one whose
 * map has to be laid out.
 */
export async function run(): Promise<readonly BenchResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'entity-graph-bench-'));
  try {
    cpSync(join(project, 'samples/order-to-cash'), folder, { recursive: true });
    const graph = join(folder, 'order-to-cash.entity.yaml');
    const command = (...args: readonly string[]): number => timeOf([commandLine, ...args, '--workspace', folder]);
    command('import', graph);
    const [graphs = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
      path.endsWith('.duckdb'),
    );
    const layouts = join(folder, graphs, '../layouts.kept');
    const map = (): number => command('map', graph, '--output', join(folder, 'map.svg'));
    const [bare, first, again]: [number[], number[], number[]] = [[], [], []];
    // In turns, so that other load affects all.
    for (let index = 0; index < runs; index += 1) {
      bare.push(timeOf(['-e', '0']));
      rmSync(layouts, { force: true });
      first.push(map());
      again.push(map());
    }
    const floor = median(bare);
    return [
      result('map of a graph that is there, drawn before', median(again), floor),
      result('map of a graph that is there, laid out anew', median(first), floor),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function result(name: string, value: number, floor: number): BenchResult {
  const more = value - floor;
  return {
    ...{ name, value, unit: 'ms', floor, ratio: value / floor },
    goal: `≤ ${goal} ms more than a bare Node start (${Math.round(more)} ms more)`,
    ok: more <= goal,
  };
}

/** Milliseconds of a whole process. Throws when it fails. */
function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
  return performance.now() - start;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
