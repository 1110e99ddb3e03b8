import type { SqlDialect } from '../catalog/catalog.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { postgresql } from './postgresql.ts';

/** All dialects: a new one is an object of its own and a place in this list. */
let dialects: readonly Dialect[] = [duckdb, postgresql];

/** The dialect of a catalog or query. Throws where there is none of this name. */
export function dialectNamed(name: SqlDialect): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (!found) throw new Error(`There is no SQL dialect "${name}".`);
  return found;
}

/** Whether a catalog of this dialect can be used: one that was kept by another version may have another. */
export function isDialectName(name: unknown): name is SqlDialect {
  return dialects.some((dialect) => dialect.name === name);
}

export function allDialects(): readonly Dialect[] {
  return dialects;
}

/** Adds a dialect at the end of the list. Returns a function that removes it again. */
export function addDialect(dialect: Dialect): () => void {
  if (isDialectName(dialect.name)) throw new Error(`There is an SQL dialect ${dialect.name} already.`);
  dialects = [...dialects, dialect];
  return () => {
    dialects = dialects.filter((each) => each !== dialect);
  };
}
