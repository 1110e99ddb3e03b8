import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { firstBytes } from '../../event-logs/log-bytes.ts';
import { stampOf } from '../../files/file-stamp.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import { type DuckDbSession, openScratch } from '../../store/duckdb-store.ts';
import type { Cells } from '../fetched/record-source.ts';
import { isSourceError } from '../source-error.ts';
import { columnMissing, emptyLog, logFileError, objectMissing } from './log-file-error.ts';
import type { LogFileConfig } from './log-file-settings.ts';
import type { LogContent, LogLoader, LogTable } from './log-tables.ts';

/** An event log file, which is read once, on first use. */
interface LogFile {
  /** A text that stays equal while the file is unchanged. Rejects with a `SourceError`. */
  stamp(): Promise<string>;
  content(signal: AbortSignal | undefined): Promise<LogContent & { readonly stamp: string }>;
  /** The rows of a data object in batches, each a list of texts in the order of `columns`. Rejects with a `SourceError`. */
  rows(
    dataObject: string,
    columns: readonly string[],
    signal: AbortSignal | undefined,
  ): AsyncIterable<readonly Cells[]>;
  /** Deletes temporary files; idempotent. */
  close(): Promise<void>;
}

interface OpenLog {
  readonly stamp: string;
  readonly database: DuckDbSession;
  readonly folder: string;
  readonly content: LogContent;
  /** Names of the tables with the rows of data objects. */
  readonly filled: Map<string, Promise<string>>;
}

/** Larger logs spill to the temporary folder. */
const memoryLimit = '1GB';
const batchSize = 2000;

/** Reads nothing until a method is called. */
export function createLogFile(config: LogFileConfig, load: LogLoader): LogFile {
  let opening: Promise<OpenLog> | undefined;
  const never = new AbortController().signal;

  const stamp = async (): Promise<string> => {
    const found = await stat(config.file).catch((error: unknown) => {
      throw logFileError(config, error);
    });
    return stampOf(found);
  };

  async function open(signal: AbortSignal): Promise<OpenLog> {
    const folder = await mkdtemp(join(tmpdir(), 'entity-graph-log-'));
    let database: DuckDbSession | undefined;
    try {
      const before = await stamp();
      if ((await firstBytes(config.file, 1)).length === 0) throw emptyLog(config);
      database = await openScratch({ temporaryFolder: folder, memoryLimit });
      const content = await load(config, database, folder, signal);
      return { stamp: before, database, folder, content, filled: new Map() };
    } catch (error) {
      await database?.close();
      await rm(folder, { recursive: true, force: true });
      if (signal.aborted) throw signal.reason;
      throw logFileError(config, error);
    }
  }

  /** One version of the file for all that a connector reads: its data objects belong together. */
  async function opened(signal: AbortSignal | undefined): Promise<OpenLog> {
    for (;;) {
      signal?.throwIfAborted();
      const mine = (opening ??= open(signal ?? never));
      try {
        return await mine;
      } catch (error) {
        if (opening === mine) opening = undefined;
        // Any other error is the cancellation of the first caller.
        if (signal?.aborted || isSourceError(error) || !isCancelled(error)) throw error;
      }
    }
  }

  return {
    stamp,
    async content(signal) {
      const { content, stamp: read } = await opened(signal);
      return { ...content, stamp: read };
    },
    async *rows(dataObject, columns, signal) {
      const log = await opened(signal);
      const table = log.content.tables.find(({ object }) => object.name === dataObject);
      if (!table) throw objectMissing(config, dataObject, log.content);
      const missing = columns.find((name) => !table.object.columns.some((column) => column.name === name));
      if (missing !== undefined) throw columnMissing(config, dataObject, missing);
      try {
        const name = quoteIdentifier(await fill(log, table));
        const cells = columns.map((column) => `CAST(${quoteIdentifier(column)} AS VARCHAR)`);
        for (let from = 0; ; from += batchSize) {
          signal?.throwIfAborted();
          const { rows } = await log.database.table(
            `SELECT ${cells.join(', ') || "''"} FROM ${name} WHERE rowid >= ${from} AND rowid < ${from + batchSize} ORDER BY rowid`,
          );
          if (rows.length > 0) yield rows as readonly Cells[];
          if (rows.length < batchSize) return;
        }
      } catch (error) {
        if (signal?.aborted) throw signal.reason;
        throw logFileError(config, error);
      }
    },
    async close() {
      const last = opening;
      opening = undefined;
      const log = await last?.catch(() => undefined);
      await log?.database.close();
      if (log) await rm(log.folder, { recursive: true, force: true });
    },
  };
}

/** Fills the table of a data object when it is first read. */
function fill({ database, filled }: OpenLog, { object, sql }: LogTable): Promise<string> {
  const known = filled.get(object.name);
  if (known) return known;
  const name = `rows ${filled.size + 1}`;
  const filling = database.run(`CREATE TABLE ${quoteIdentifier(name)} AS ${sql}`).then(() => name);
  filled.set(object.name, filling);
  filling.catch(() => filled.delete(object.name));
  return filling;
}

function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
