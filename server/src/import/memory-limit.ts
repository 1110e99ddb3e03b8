import { totalmem } from 'node:os';

const megabyte = 1_000_000;

/**
 * The import process needs some 400 MB in addition to DuckDB. With this limit, ten million rows need less than 1 GB, and
 * a tenth more time than with three times this limit.
 */
const first = 400 * megabyte;
/** Doubling it made ten million rows five percent faster. */
const most = 1400 * megabyte;

/**
 * Memory limits of DuckDB during an import in its notation: the initial one, and higher ones for statements that run
 * out of memory, for many cores or large user queries.
 */
export function importMemoryLimits(memory: number = availableMemory()): readonly [string, ...string[]] {
  const more = [Math.min(memory / 4, most), memory * 0.6].filter((limit) => limit > first);
  return [asDuckDb(first), ...more.map(asDuckDb)];
}

/** A container may have less memory than its machine. */
function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

function asDuckDb(bytes: number): string {
  return `${Math.round(bytes / megabyte)}MB`;
}
