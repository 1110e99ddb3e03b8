import { totalmem } from 'node:os';

const megabyte = 1_000_000;

/**
 * What an import may keep in memory before it spills to disk, as DuckDB writes it: a quarter of the machine's memory, at
 * least 1 GB and at most 4 GB. A ten-million-row graph still builds with less.
 */
export function importMemoryLimit(memory: number = totalmem()): string {
  const quarter = memory / 4;
  return `${Math.round(Math.min(Math.max(quarter, 1000 * megabyte), 4000 * megabyte) / megabyte)}MB`;
}
