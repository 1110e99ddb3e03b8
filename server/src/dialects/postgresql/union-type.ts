import { postgresqlTypes } from './types.ts';

/** The type in which columns of these types are united as DuckDB does it by itself; PostgreSQL refuses most unions. */
export function unionType([first, ...others]: readonly string[]): string | undefined {
  if (first === undefined || others.every((type) => type === first)) return first;
  const types = [first, ...others];
  const senses = new Set(types.map((type) => postgresqlTypes.sense(type)));
  const areAll = (...expected: readonly string[]): boolean => [...senses].every((sense) => expected.includes(sense));
  if (areAll('integer', 'number')) return types.some(isFloat) ? 'double precision' : 'numeric';
  return areAll('date', 'timestamp') ? 'timestamp' : 'text';
}

function isFloat(type: string): boolean {
  return type === 'real' || type === 'double precision';
}
