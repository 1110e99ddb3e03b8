import { type CodedView, codedViews } from '../../graph-schema/coded-views.ts';
import { storeVersion } from '../../graph-schema/graph-schema.ts';
import type { PlanStatement } from '../../query/compiled-query.ts';
import {
  type ScratchOptions,
  type StoreReader,
  isDuckDbError,
  openStore,
  openStoreDatabase,
} from '../../store/duckdb-store.ts';
import { lockDatabase } from '../../store/sandbox.ts';
import { OperationError } from '../operation-error.ts';

/** Memory limit of queries of a stored graph; DuckDB spills to disk. */
export const graphMemoryLimit = '1500MB';

/**
 * Opens the store of an imported graph read-only. Rejects with `DuckDbError`, with `graph-version` for an unsupported
 * version, or with `store-unreadable` for a file that is missing or no store.
 */
export async function openGraphStore(path: string, options: ScratchOptions = {}): Promise<StoreReader> {
  const store = await openStore(path, options).catch((error: unknown) => {
    throw unreadable(path, error) ?? error;
  });
  try {
    await checkVersion(store, path);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A graph for SQL of users: each connection has temporary tables, transactions and settings of its own. */
export interface ConfinedGraphStore {
  /** The caller closes it. */
  connect(): Promise<StoreReader>;
  /** After the connections are closed. */
  close(): void;
}

/** Opens a store like `openGraphStore`, in a sandbox that reads no other file. */
export async function openConfinedGraphStore(path: string, options: ScratchOptions = {}): Promise<ConfinedGraphStore> {
  const database = await openStoreDatabase(path, options).catch((error: unknown) => {
    throw unreadable(path, error) ?? error;
  });
  try {
    const connection = await database.connectWithoutProgress();
    await checkVersion(connection, path);
    await lockDatabase(connection, { files: [], folders: [] });
    await connection.close();
    return { connect: () => database.connectWithoutProgress(), close: () => database.close() };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * Opens a store for the product's own queries, which read names in `event` and `relation` as codes if the store has
 * these (`coded-views.ts`). SQL of users and exported files need the texts.
 */
export async function openCodedGraphStore(path: string, options: ScratchOptions = {}): Promise<StoreReader> {
  const store = await openGraphStore(path, options);
  try {
    await showCodes(store);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

const versionSql = 'SELECT format_version AS version FROM run';

function rowsSql(table: string): string {
  return `SELECT * FROM ${table}`;
}

/**
 * The statements of `openCodedGraphStore`, for the plan of an import.
 * @param columnsOf the columns behind a view that may be missing; undefined if the view is a table
 */
export function openingStatements(
  columnsOf: (view: CodedView['name']) => ReadonlySet<string> | undefined,
): readonly PlanStatement[] {
  return [
    { title: 'The format of the store', sql: versionSql },
    ...codedViews.flatMap(({ name, table, strangeRowSql, createSql }) => {
      const described = { title: 'Described, but not executed', sql: rowsSql(table) };
      const columns = columnsOf(name);
      if (columns === undefined) return [described];
      const strange = strangeRowSql(columns);
      const created = { title: 'Names are read as codes', sql: createSql(columns) };
      return strange === undefined
        ? [described, created]
        : [
            described,
            { title: 'Whether a name has no code', sql: strange },
            { ...created, title: 'If none: names are read as codes' },
          ];
    }),
  ];
}

/** Lets a session of a store read names as codes, as in `openCodedGraphStore`. */
export async function showCodes(store: StoreReader): Promise<void> {
  for (const { table, strangeRowSql, createSql } of codedViews) {
    const columns = await columnsOf(store, table);
    if (columns === undefined) continue;
    const strange = strangeRowSql(columns);
    if (strange !== undefined && (await store.query(strange)).length > 0) continue;
    await store.run(createSql(columns));
  }
}

/** Undefined for a table that the store does not have. Reading the catalogue takes ten times as long. */
async function columnsOf(store: StoreReader, table: string): Promise<ReadonlySet<string> | undefined> {
  try {
    return new Set((await store.describe(rowsSql(table))).map(({ name }) => name));
  } catch (error) {
    if (isDuckDbError(error) && error.failure.kind === 'table-missing') return undefined;
    throw error;
  }
}

async function checkVersion(store: StoreReader, path: string): Promise<void> {
  const [run] = await store.query(versionSql);
  if (Number(run?.['version']) !== storeVersion) throw otherVersion(path, run?.['version']);
}

/** Why a file is no store, in words; undefined for other errors. */
function unreadable(path: string, error: unknown): OperationError | undefined {
  if (!isDuckDbError(error)) return undefined;
  const { kind } = error.failure;
  if (kind !== 'file-missing' && kind !== 'not-a-database') return undefined;
  return unreadableStore(path, kind === 'file-missing' ? 'is missing' : 'is damaged, or is no graph', error);
}

export function unreadableStore(path: string, what: string, cause?: unknown): OperationError {
  const message = `The graph of the last import, ${path}, ${what}.`;
  return new OperationError({ code: 'store-unreadable', message, remedy: 'Import the entity graph again.' }, cause);
}

function otherVersion(path: string, version: unknown): OperationError {
  return new OperationError({
    code: 'graph-version',
    message: `The graph in ${path} has format ${String(version ?? 'unknown')}, which this version of Entity Graph does not read.`,
    remedy: 'Import the entity graph again, or use the version that imported it.',
  });
}
