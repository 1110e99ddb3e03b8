import type { SqlDialect } from '../catalog/catalog.ts';
import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { mysql } from './mysql.ts';
import { sqlite } from './sqlite.ts';
import { postgresql } from './postgresql.ts';
import { trino } from './trino.ts';

/** All dialects. A new dialect is one object and an entry in this list, which tests extend. */
let dialects: readonly Dialect[] = [duckdb, mysql, postgresql, sqlite, trino];

/** The dialect of the engine that comes with the product; also assumed where a source kind is unknown. */
export const embeddedDialect: SqlDialect = 'duckdb';

/** The dialect of a catalog or query. Throws for an unknown name. */
export function dialectNamed(name: SqlDialect): Dialect {
  const found = dialects.find((dialect) => dialect.name === name);
  if (!found) throw new Error(`There is no SQL dialect "${name}".`);
  return found;
}

/** Whether the dialect of a catalog is known; a cached catalog of another version may have another one. */
export function isDialectName(name: unknown): name is SqlDialect {
  return dialects.some((dialect) => dialect.name === name);
}

export function allDialects(): readonly Dialect[] {
  return dialects;
}

/** Registers a dialect for a test; returns a function that removes it. */
export function addDialect(dialect: Dialect): () => void {
  if (isDialectName(dialect.name)) throw new Error(`There is an SQL dialect ${dialect.name} already.`);
  dialects = [...dialects, dialect];
  return () => {
    dialects = dialects.filter((each) => each !== dialect);
  };
}
