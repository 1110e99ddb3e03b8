import { totalmem } from 'node:os';

const megabyte = 1_000_000;
const least = 1000 * megabyte;
/** More than twice as much made ten million rows five in a hundred faster, and the process twice as large. */
const most = 1400 * megabyte;

/** What DuckDB may keep in memory during an import before it spills to disk, as it writes it: a quarter of the machine's memory within bounds. */
export function importMemoryLimit(memory: number = totalmem()): string {
  return `${Math.round(Math.min(Math.max(memory / 4, least), most) / megabyte)}MB`;
}
