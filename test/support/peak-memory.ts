import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CliOptions, type CliRun, runCli } from './run-cli.ts';

/** Runs the command line and measures its peak memory, with DuckDB and code. */
export interface MeasuredRun extends CliRun {
  readonly peakBytes: number;
}

export async function runCliMeasured(
  args: readonly string[],
  options: CliOptions & { readonly cwd: string },
): Promise<MeasuredRun> {
  const file = join(options.cwd, 'peak-memory.txt');
  const env = {
    ...options.env,
    NODE_OPTIONS: `--import=${new URL('peak-memory.mjs', import.meta.url).href}`,
    ENTITY_GRAPH_PEAK_MEMORY: file,
  };
  const run = await runCli(args, { ...options, env });
  return { ...run, peakBytes: Number(await readFile(file, 'utf8')) };
}
