import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ElkNode } from 'elkjs/lib/elk-api.js';
import { wholeMap } from '../server/src/event-graph/answer-question.ts';
import { defaultEntityType } from '../server/src/event-graph/default-entity-type.ts';
import { layoutMap } from '../server/src/event-graph/layout-map.ts';
import { reduceMap } from '../server/src/event-graph/process-map.ts';
import { createSelections } from '../server/src/analysis/selections.ts';
import { openCodedGraphStore } from '../server/src/operations/stored-graphs/open-graph-store.ts';
import type { BenchResult } from './bench-result.ts';
import { besideFloor, excessBounds, printResults } from './measure.ts';

const project = fileURLToPath(new URL('..', import.meta.url));
const commandLine = join(project, 'server/dist/cli.js');
const elkAlone = fileURLToPath(new URL('elk-alone.mjs', import.meta.url));
const elkProgram = createRequire(import.meta.url).resolve('elkjs/lib/elk-worker.min.js');
const runs = 7;
const bounds = { aim: 300, limit: 400 };

/**
 * Whole processes of `entity-graph map`, beside a bare Node: of a graph whose map was drawn before, and of one whose
 * map has to be laid out; and elkjs alone in a process, with cached code, for the same map.
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
    const [elkGraph, elkCode] = [join(folder, 'graph.json'), join(folder, 'elk.code')];
    writeFileSync(elkGraph, JSON.stringify(await elkGraphOf(join(folder, graphs))));
    const elk = (): number => timeOf([elkAlone, elkProgram, elkGraph, elkCode]);
    // Compiles the code that the next ones use.
    elk();
    const [bare, first, again, alone]: [number[], number[], number[], number[]] = [[], [], [], []];
    // In turns, so that other load affects all.
    for (let index = 0; index < runs; index += 1) {
      bare.push(timeOf(['-e', '0']));
      rmSync(layouts, { force: true });
      first.push(map());
      again.push(map());
      alone.push(elk());
    }
    return [
      result('map of a graph that is there, drawn before', again, bare),
      result('map of a graph that is there, laid out anew', first, bare),
      {
        ...{ name: 'elkjs alone, loaded and with one layout of the same map', unit: 'ms', ...besideFloor(alone, bare) },
        ...{ goal: 'no goal', ok: true },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The graph that the command gives to ELK. */
async function elkGraphOf(path: string): Promise<ElkNode> {
  const store = await openCodedGraphStore(path);
  try {
    const { signal } = new AbortController();
    const entityType = await defaultEntityType(store, { signal });
    const params = { lifecycle: false, filter: entityType === undefined ? {} : { entityType } };
    const map = await wholeMap(params, { store, maps: new Map(), selections: createSelections(store) }, { signal });
    let given: ElkNode | undefined;
    await layoutMap(reduceMap(map, {}), async (graph) => (given = graph));
    if (!given) throw new Error('The map has nothing to lay out.');
    return given;
  } finally {
    await store.close();
  }
}

function result(name: string, times: readonly number[], bare: readonly number[]): BenchResult {
  const both = besideFloor(times, bare);
  return { ...{ name, unit: 'ms', ...both }, ...excessBounds(both.value - both.floor, bounds, 'a bare Node start') };
}

/** Milliseconds of a whole process. Throws when it fails. */
function timeOf(args: readonly string[]): number {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr.toString()}`);
  return performance.now() - start;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
