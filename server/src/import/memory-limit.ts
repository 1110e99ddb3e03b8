import { totalmem } from 'node:os';

const megabyte = 1_000_000;

/**
 * The process of an import takes some 400 MB more than DuckDB: with this, ten million rows stay below 1 GB, and take a tenth longer than with
 * three times as much.
 */
const first = 400 * megabyte;
/** More than twice as much made ten million rows five in a hundred faster. */
const most = 1400 * megabyte;

/**
 * What DuckDB may keep in memory during an import before it spills to disk, as it writes it, and what a statement may have that cannot be
 * run with less: what a machine of many cores needs for each of them, or a query of a user.
 */
export function importMemoryLimits(memory: number = availableMemory()): readonly [string, ...string[]] {
  const more = [Math.min(memory / 4, most), memory * 0.6].filter((limit) => limit > first);
  return [asDuckDb(first), ...more.map(asDuckDb)];
}

/** A container may have less than its machine. */
function availableMemory(): number {
  const constrained = process.constrainedMemory();
  return constrained > 0 ? Math.min(constrained, totalmem()) : totalmem();
}

function asDuckDb(bytes: number): string {
  return `${Math.round(bytes / megabyte)}MB`;
}
