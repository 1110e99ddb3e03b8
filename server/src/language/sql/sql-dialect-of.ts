import type { SqlDialect } from '../../catalog/catalog.ts';

const duckdbKinds = new Set(['csv', 'rest', 'servicenow']);

/** The dialect that the SQL of a kind of source is written in: its own, or that of the engine that its rows are read with. */
export function sqlDialectOf(kind: string): SqlDialect | undefined {
  if (kind === 'postgresql') return 'postgresql';
  return duckdbKinds.has(kind) ? 'duckdb' : undefined;
}
