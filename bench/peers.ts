import assert from 'node:assert/strict';
import { rm, stat } from 'node:fs/promises';
import { freemem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openScratch } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import { python } from '../test/readers/tools.ts';
import type { BenchResult } from './bench-result.ts';
import { isQuick } from './bench-size.ts';
import { sourcesFile } from './csv-import-order.ts';
import { besideFloor, printResults, ratioBounds } from './measure.ts';
import { type ProcessCosts, wholeProcess } from './whole-process.ts';

const commandLine = fileURLToPath(new URL('../server/dist/cli.js', import.meta.url));
const byHandProgram = fileURLToPath(new URL('log-by-hand.mjs', import.meta.url));
const million = 1_000_000;

/**
 * From a log as a file to its process map, as a person waits for it: whole processes, beside pm4py (the same CSV) and
 * Rust4PM (the same log as XES, counts only). Their first use installs them. Statements by hand tell how little time and
 * memory the embedded engine needs for the same map, and for it and the tables of the graph.
 */
export async function run(): Promise<BenchResult[]> {
  const peers = await python();
  const versions = await wholeProcess(peers, ['-c', versionsProgram], '.');
  console.log(`  ${versions.stdout.trim()}`);
  const small = await compare(peers, million, { rounds: 5, aim: 0.6, xesRounds: 5 });
  if (isQuick) return [...small.results];
  // Rust4PM holds the whole log: its memory grows with the number of events.
  const needed = 10 * small.rustMegabytes;
  const available = freemem() / 1e6;
  const fits = needed < 0.8 * available;
  if (!fits)
    console.log(`  10 M events without Rust4PM: it would need ${inGigabytes(needed)} of ${inGigabytes(available)}`);
  const large = await compare(peers, 10 * million, { rounds: 5, aim: 0.5, xesRounds: fits ? 1 : 0 });
  return [...small.results, ...large.results];
}

interface Comparison {
  readonly rounds: number;
  /** Of the ratio of our time to that of pm4py. */
  readonly aim: number;
  /** In how many of the rounds Rust4PM is measured as well. */
  readonly xesRounds: number;
}

interface Compared {
  readonly results: readonly BenchResult[];
  /** Peak resident memory of Rust4PM; 0 where it was not measured. */
  readonly rustMegabytes: number;
}

async function compare(peers: string, events: number, { rounds, aim, xesRounds }: Comparison): Promise<Compared> {
  const folder = await folderWith({ 'entity-sources.yaml': sourcesFile, 'log.entity.yaml': graph, 'data/.keep': '' });
  try {
    const scratch = await openScratch();
    await scratch.run(`COPY (${logRows(events)}) TO '${join(folder, 'data', 'log.csv')}'`);
    await scratch.close();
    if (xesRounds > 0) await writeXes(folder);
    const [ours, pm4py, rust]: [ProcessCosts[], ProcessCosts[], ProcessCosts[]] = [[], [], []];
    const [mapByHand, tablesByHand]: [ProcessCosts[], ProcessCosts[]] = [[], []];
    // In turns, so that other load affects all.
    for (let round = 0; round < rounds; round += 1) {
      pm4py.push(await wholeProcess(peers, ['-c', pm4pyProgram], folder));
      if (round < xesRounds) rust.push(await wholeProcess(peers, ['-c', rustProgram], folder));
      mapByHand.push(await byHand(folder, 'map'));
      tablesByHand.push(await byHand(folder, 'tables'));
      ours.push(await importAndMap(folder));
    }
    await compareMaps(folder, [pm4py[0], mapByHand[0], tablesByHand[0]], rust[0]);
    const name = `log of ${events / million} M events as CSV → process map`;
    const results = [
      ...comparisons(name, ours, pm4py, { name: 'pm4py', seconds: [aim, 0.9], megabytes: [0.5, 1] }),
      ...comparisons(name, ours, rust, { name: 'Rust4PM, from the same log as XES', seconds: [1, 1.4] }),
      ...comparisons(name, ours, mapByHand, { name: 'statements by hand, which keep nothing' }),
      ...comparisons(name, ours, tablesByHand, { name: 'statements by hand, which keep the tables of the graph' }),
    ];
    const rustMegabytes = Math.max(0, ...rust.map(({ megabytes = 0 }) => megabytes));
    if (rustMegabytes > 0) console.log(`  Rust4PM: ${Math.round(rustMegabytes)} MB of memory`);
    return { results, rustMegabytes };
  } finally {
    await removeFolder(folder);
  }
}

/** Imports the log and draws its map. Files of the previous round are deleted first. */
async function importAndMap(folder: string): Promise<ProcessCosts> {
  await rm(join(folder, '.entity-graph'), { recursive: true, force: true });
  const imported = await ourCommand(folder, 'import');
  const drawn = await ourCommand(folder, 'map', '--output', 'map.svg');
  assert.ok((await stat(join(folder, 'map.svg'))).size > 0);
  const megabytes = Math.max(imported.megabytes ?? 0, drawn.megabytes ?? 0);
  return {
    seconds: imported.seconds + drawn.seconds,
    megabytes: megabytes > 0 ? megabytes : undefined,
    stdout: drawn.stdout,
  };
}

/** The file of the previous round is deleted first. */
async function byHand(folder: string, work: 'map' | 'tables'): Promise<ProcessCosts> {
  await rm(join(folder, 'by-hand.duckdb'), { force: true });
  return wholeProcess(process.execPath, [byHandProgram, folder, work], folder);
}

function ourCommand(folder: string, command: string, ...args: readonly string[]): Promise<ProcessCosts> {
  return wholeProcess(
    process.execPath,
    [commandLine, command, 'log.entity.yaml', '--workspace', folder, ...args],
    folder,
  );
}

/** The same log for Rust4PM. */
async function writeXes(folder: string): Promise<void> {
  await ourCommand(folder, 'import');
  await ourCommand(folder, 'export', '--as', 'xes', '--type', 'case', '--output', 'log.xes');
  const [xes, csv] = await Promise.all(['log.xes', 'data/log.csv'].map((name) => stat(join(folder, name))));
  console.log(`  the log: ${megabytes(csv?.size)} as CSV, ${megabytes(xes?.size)} as XES`);
}

function megabytes(bytes = 0): string {
  return `${Math.round(bytes / 1e6)} MB`;
}

function inGigabytes(megabytes: number): string {
  return `${(megabytes / 1000).toFixed(1)} GB`;
}

interface MapOutput {
  readonly paths: readonly {
    readonly source: string;
    readonly target: string;
    readonly count: number;
    readonly median: number;
  }[];
}

/** Rejects when a peer finds other paths or other medians. */
async function compareMaps(
  folder: string,
  withMedians: readonly (ProcessCosts | undefined)[],
  rust?: ProcessCosts,
): Promise<void> {
  const printed = await ourCommand(folder, 'map', '--paths', '1', '--output', 'all.svg', '--format', 'json');
  const { paths } = JSON.parse(printed.stdout) as MapOutput;
  const names = ({ source, target }: MapOutput['paths'][number]): string => `${source} → ${target}`;
  // Ours are milliseconds.
  const medians = Object.fromEntries(paths.map((path) => [names(path), Math.round(path.median / 1000)]));
  const counts = Object.fromEntries(paths.map((path) => [names(path), path.count]));
  for (const each of withMedians) if (each) assert.deepEqual(JSON.parse(lastLine(each.stdout)), medians);
  if (rust) assert.deepEqual(JSON.parse(lastLine(rust.stdout)), counts);
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}

interface Peer {
  readonly name: string;
  /** Aim and limit of the ratio; for comparison only, if absent. */
  readonly seconds?: readonly [number, number];
  readonly megabytes?: readonly [number, number];
}

/** Time and, where it is known, memory; nothing for a peer that was not measured. */
function comparisons(
  name: string,
  ours: readonly ProcessCosts[],
  theirs: readonly ProcessCosts[],
  peer: Peer,
): readonly BenchResult[] {
  const compare = (kind: 'seconds' | 'megabytes'): BenchResult => {
    const of = (all: readonly ProcessCosts[]): number[] => all.map((each) => each[kind] ?? 0);
    const both = besideFloor(of(ours), of(theirs));
    const bounds = peer[kind];
    return {
      name: kind === 'seconds' ? name : `${name}, peak resident memory`,
      unit: kind === 'seconds' ? 's' : 'MB',
      ...both,
      ...(bounds
        ? ratioBounds(both.ratio, { aim: bounds[0], limit: bounds[1] }, peer.name)
        : { goal: `for comparison: ${peer.name}`, ok: true }),
    };
  };
  if (theirs.length === 0) return [];
  return [compare('seconds'), ...(ours[0]?.megabytes === undefined ? [] : [compare('megabytes')])];
}

/** Ten events a case, of ten activities; the times of a case rise strictly, as peers order ties in other ways. */
const logRows = (events: number): string => `
SELECT 'C' || lpad(CAST(i % ${events / 10} AS VARCHAR), 7, '0') AS case_id,
  ['Register', 'Check', 'Ask', 'Answer', 'Decide', 'Approve', 'Reject', 'Pay', 'Inform', 'Close'][
    CAST((i // ${events / 10}) * 3 % 10 + CASE WHEN i % 7 = 0 THEN 1 ELSE 0 END AS INTEGER) % 10 + 1] AS activity,
  TIMESTAMP '2020-01-01' + to_seconds(i * 37 + i * 7919 % 31) AS time,
  'user ' || i * 31 % 200 AS resource,
  (i * 125 % 1000000) / 100 AS cost
FROM range(${events}) AS r(i)`;

const graph = `version: 1
name: Log
dataSource: files
dataObjects: [log]
elements:
  - activityName: Step
    dataObject: log
    key: case_id
    entityType: case
    startTimestamp: time
    activityColumn: activity
    properties: [resource, cost]
`;

const versionsProgram = `
import importlib.metadata as m, platform
print('Python', platform.python_version() + ', ' + ', '.join(n + ' ' + m.version(n) for n in ['pm4py', 'pandas', 'r4pm']))`;

const pm4pyProgram = `
import json, pandas, pm4py
log = pm4py.format_dataframe(pandas.read_csv('data/log.csv'), case_id='case_id', activity_key='activity', timestamp_key='time')
paths, _, _ = pm4py.discover_performance_dfg(log)
print(json.dumps({f'{source} → {target}': round(float(each['median'])) for (source, target), each in paths.items()}))`;

const rustProgram = `
import json, r4pm
from r4pm import bindings
paths = bindings.discover_dfg(r4pm.import_item('EventLog', 'log.xes'))['directly_follows_relations']
print(json.dumps({f'{source} → {target}': count for (source, target), count in paths}))`;

if (process.argv[1] === fileURLToPath(import.meta.url)) printResults(await run());
