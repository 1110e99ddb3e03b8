import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { SourceError } from '../source-error.ts';
import type { FileOptions } from './read-settings.ts';
import type { PlanColumn } from './plan-types.ts';
import { call } from './reader-call.ts';

/** Location of declared types, and the database that knows type names. */
interface DeclaredTypeOptions {
  readonly session: DuckDbSession;
  readonly path: string;
  readonly options: FileOptions;
  readonly signal?: AbortSignal | undefined;
  readonly reader: 'read_csv' | 'read_json';
  /** The readable file. */
  readonly readFrom: string;
}

/**
 * Applies the declared `types` to the columns. Those of the source belong to the files that have the column, so that
 * other names are ignored here (`unusedTypes`). Rejects with `source-config` for an unknown type.
 */
export async function withDeclaredTypes(
  columns: readonly PlanColumn[],
  wishes: DeclaredTypeOptions,
): Promise<readonly PlanColumn[]> {
  const { options } = wishes;
  const types = Object.entries(options.types ?? {}).filter(([name]) => columns.some((column) => column.name === name));
  if (types.length === 0) return columns;
  const names = await typeNames(wishes, types);
  return columns.map((column) => {
    const type = names.get(column.name);
    if (type === undefined) return column;
    const { name, field } = column;
    return { name, type, isDeclared: true, ...(field !== undefined && { field }) };
  });
}

/** Canonical type names of DuckDB, because types have aliases and become part of SQL. */
async function typeNames(
  { session, reader, readFrom, path, signal }: DeclaredTypeOptions,
  types: readonly (readonly [name: string, type: string])[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [name, type] of types) {
    const typed = call(reader, readFrom, ['auto_detect = false', `columns = {'c': ${embeddedLiteral(type)}}`]);
    try {
      const [row] = await session.query(`DESCRIBE SELECT * FROM ${typed}`, { signal });
      found.set(name, String(row?.['column_type']));
    } catch (error) {
      signal?.throwIfAborted();
      throw new SourceError('source-config', `${path}: there is no such type as types names for ${name}.`, {
        file: path,
        remedy: 'Use a type of DuckDB, such as VARCHAR, BIGINT, DECIMAL(10,2), DATE or TIMESTAMP.',
        cause: error,
      });
    }
  }
  return found;
}
