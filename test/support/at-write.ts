import { readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { type CliRun, type CliOptions, runCli } from './run-cli.ts';

export interface WriteMoment {
  /** Of what a program does to files, counted from 0. */
  readonly at: number;
  readonly action: 'die' | 'fill' | 'limit';
  /** The file that fills the disk. */
  readonly filler?: string;
}

/** The environment of a program to which something happens at a certain moment of its writing. */
export function atWrite(moment: WriteMoment | { readonly trace: string }): Readonly<Record<string, string>> {
  const preload = new URL('at-write.mjs', import.meta.url).href;
  return { NODE_OPTIONS: `--import=${preload}`, ENTITY_GRAPH_AT_WRITE: JSON.stringify(moment) };
}

/** The moments that a program has written into its trace; none without one. */
export async function readTrace(trace: string): Promise<readonly string[]> {
  const text = await readFile(trace, 'utf8').catch(() => '');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as string);
}

/** What a run of the command line does to files, one line a moment. */
export async function traceWrites(
  args: readonly string[],
  options: CliOptions,
): Promise<{ readonly run: CliRun; readonly moments: readonly string[] }> {
  const trace = join(tmpdir(), `entity-graph-trace-${randomUUID()}`);
  try {
    const run = await runCli(args, { ...options, env: { ...options.env, ...atWrite({ trace }) } });
    return { run, moments: await readTrace(trace) };
  } finally {
    await rm(trace, { force: true });
  }
}
