/**
 * Limits V8's young generation, which would otherwise take 32 MB. It has two halves of this size; with 4 MB nothing is
 * faster.
 */
export const serverFlags: readonly string[] = ['--max-semi-space-size=2'];

/**
 * Settings of glibc's allocator, which other systems ignore. By default each thread keeps memory of its own, and freed
 * memory is returned late: after a large file was opened, a fifth of the server's memory would hold nothing.
 */
const allocator: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_TRIM_THRESHOLD_: '65536',
  MALLOC_MMAP_THRESHOLD_: '65536',
};

/** Names the settings that are not the user's own. */
const marker = 'ENTITY_GRAPH_ALLOCATOR_SETTINGS';

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables added to the environment of the language server. Settings of the user take precedence. */
export function serverEnvironment(environment: Environment): Readonly<Record<string, string>> {
  const own = Object.entries(allocator).filter(([name]) => environment[name] === undefined);
  return { ...Object.fromEntries(own), [marker]: own.map(([name]) => name).join(',') };
}

/** Removes these settings once the server runs: its own processes, DuckDB's among them, work in many threads. */
export function forgetServerEnvironment(environment: Record<string, string | undefined>): void {
  for (const name of (environment[marker] ?? '').split(',')) if (name in allocator) delete environment[name];
  delete environment[marker];
}
