import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { DuckDbSession } from '../../store/duckdb-store.ts';
import { openSharedScratch } from '../../store/shared-scratch.ts';
import { type SourceError, errorOfSource } from '../source-error.ts';
import { valueFunctionsOf } from './cell-values.ts';
import { optionsOf, type FileSourceConfig } from './read-settings.ts';
import { fileFormat } from './file-format.ts';
import { findFiles } from './find-files.ts';
import { needsCopy, readFileSql } from './read-plan.ts';
import { hasMixedLineEnds } from './mixed-line-ends.ts';
import { castFailurePlace } from './cast-failure-place.ts';
import { inspectFile } from './inspect-file.ts';
import type { InspectedFile, SourceFile, AttachedFile } from './inspected-file.ts';

/** The files of a source; each version of a file is inspected once. */
export interface FileSource {
  readonly config: FileSourceConfig;
  /** All files. Rejects with `file-missing` when there is none, `source-config` for conflicting names. */
  list(): Promise<readonly SourceFile[]>;
  inspect(file: SourceFile, signal?: AbortSignal): Promise<InspectedFile>;
  /**
   * Inspects failed files again: files with mixed line endings, which may appear late, are read through a copy from
   * then on. Resolves to these. Rejects if a more precise error is found.
   */
  learn(files: readonly InspectedFile[], error: unknown, signal?: AbortSignal): Promise<readonly InspectedFile[]>;
  /** Position of a text that does not fit its column type, for such an error. */
  castFailure(attached: readonly AttachedFile[], error: unknown): Promise<SourceError | undefined>;
  /** The first rows of a file as texts in column order; empty if not readable at once. */
  firstRows(file: InspectedFile, signal?: AbortSignal): Promise<readonly (readonly unknown[])[]>;
  /** A temporary folder, deleted when the source is closed. */
  temporaryFolder(): Promise<string>;
  /** Deletes temporary files; idempotent. */
  close(): Promise<void>;
}

/** Reads nothing until a method is called. */
export function openFileSource(config: FileSourceConfig): FileSource {
  const inspected = new Map<string, InspectedFile>();
  let scratch: Promise<DuckDbSession> | undefined;
  let folder: Promise<string> | undefined;
  const openSession = async (): Promise<DuckDbSession> => {
    const session = await openSharedScratch();
    await session.runAll(valueFunctionsOf().map(({ sql }) => sql));
    return session;
  };
  const temporaryFolder = (): Promise<string> => (folder ??= mkdtemp(join(tmpdir(), 'entity-graph-')));
  return {
    config,
    list: async () => namedFiles(config, await findFiles(config.folder, config.paths)),
    async inspect(file, signal) {
      const known = inspected.get(file.path);
      if (known && !(await hasChanged(known))) return known;
      const session = await (scratch ??= openSession());
      const found = await inspectFile(file, {
        session,
        options: optionsOf(config, basename(file.path)),
        temporaryFolder,
        signal,
      });
      inspected.set(file.path, found);
      return found;
    },
    async learn(files, error, signal) {
      const learnt: InspectedFile[] = [];
      for (const file of files) {
        const { plan, path } = file;
        if (plan.kind !== 'csv' || !(await hasMixedLineEnds(path, plan, error, signal))) continue;
        inspected.set(path, { ...file, plan: { ...plan, mixedLineEnds: true } });
        learnt.push(file);
      }
      return learnt;
    },
    castFailure: async (attached, error) => castFailurePlace(await (scratch ??= openSession()), attached, error),
    async firstRows({ plan, path }, signal) {
      // Only queries need a copy.
      if (needsCopy(plan)) return [];
      const session = await (scratch ??= openSession());
      const sql = `SELECT COLUMNS(*)::VARCHAR FROM (${readFileSql(plan, path)}) LIMIT ${shownRows}`;
      try {
        return (await session.table(sql, { signal })).rows;
      } catch (error) {
        if (signal?.aborted) throw error;
        // Errors of the file are reported when its rows are read.
        return [];
      }
    },
    temporaryFolder,
    async close() {
      const [session, openFolder] = [scratch, folder];
      scratch = undefined;
      folder = undefined;
      await (await session)?.close();
      if (openFolder) await rm(await openFolder, { recursive: true, force: true });
    },
  };
}

/** Number of example rows. */
const shownRows = 20;

/** Whether a file has changed since its inspection. */
export async function hasChanged(file: InspectedFile): Promise<boolean> {
  const now = await stat(file.path).catch(() => undefined);
  return (
    now?.mtimeMs !== file.modified || now.size !== file.size || now.ctimeMs !== file.changed || now.ino !== file.inode
  );
}

function namedFiles(config: FileSourceConfig, paths: readonly string[]): readonly SourceFile[] {
  if (paths.length === 0) {
    const said = `no file in ${config.folder} matches ${config.paths.join(', ')}.`;
    throw errorOfSource(config.name, 'file-missing', said, {
      remedy: 'Correct path in the data sources file, or put the files there.',
    });
  }
  const files = paths.map((path) => {
    const { objectName, format } = fileFormat(path);
    return { name: objectName, path, format };
  });
  const seen = new Map<string, SourceFile>();
  for (const file of files) {
    // SQL names that differ by case only are equal.
    const key = file.name.toLowerCase();
    const other = seen.get(key);
    if (other) throw nameCollision(config, other, file);
    seen.set(key, file);
  }
  return files;
}

function nameCollision(config: FileSourceConfig, one: SourceFile, other: SourceFile): SourceError {
  const what =
    one.name === other.name
      ? `are both the data object ${one.name}`
      : 'give data objects whose names differ only by case';
  return errorOfSource(config.name, 'source-config', `${one.path} and ${other.path} ${what}.`, {
    file: other.path,
    remedy: 'Rename one of the files, or let path leave one out.',
  });
}
