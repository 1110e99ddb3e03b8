import { dirname, resolve } from 'node:path';
import type { ExportedGraph } from '../../../../protocol/event-graph.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import type { ExportFormat, WriteOptions } from '../../export/export-format.ts';
import { ExportError } from '../../export/export-error.ts';
import { exportFormat } from '../../export/export-formats.ts';
import type { GraphFile, ProjectContext } from '../../project/open-project.ts';
import { fileErrorOf } from '../../files/file-error.ts';
import { checkFileTarget, checkFolderTarget } from '../../files/write-target.ts';
import { createExportFolder, workFolderOf } from './export-folder.ts';
import { noteExport, removeKilledExports } from './export-notes.ts';
import { toGraphFailure } from '../imports/import-failure.ts';
import { openGraphStore } from './open-graph-store.ts';
import { OperationError, fileFailure } from '../operation-error.ts';
import { storedGraph } from './stored-graph.ts';

export interface ExportGraphOptions {
  /** A name in `exportFormats`. */
  readonly format: string;
  /** The output folder, created if missing; for a single-file format, the file. */
  readonly output: string;
  /** Prefixes an apostrophe to texts that spreadsheets would evaluate, if the format supports it. */
  readonly guardFormulas?: boolean | undefined;
  /** Writes `+00:00` instead of `Z` after times, if the format supports it. */
  readonly utcOffset?: boolean | undefined;
  /** For event logs: the entity type of their cases. */
  readonly entityType?: string | undefined;
  readonly signal: AbortSignal;
}

/** Memory limit of sorting and grouping before spilling beside the output. */
const memoryLimit = '512MB';

/**
 * Exports the graph of the last import. Replaces an earlier export atomically.
 * Rejects with an `OperationError`.
 */
export async function exportGraph(
  file: GraphFile,
  projectContext: ProjectContext,
  options: ExportGraphOptions,
): Promise<ExportedGraph> {
  return exportStore(await storedGraph(file, projectContext), file, options);
}

/** Exports a store with a known path; failures name `file`. */
export async function exportStore(
  store: string,
  file: GraphFile,
  { format, output, guardFormulas = false, utcOffset = false, entityType, signal }: ExportGraphOptions,
): Promise<ExportedGraph> {
  const chosen = exportFormat(format);
  if (!chosen) throw new OperationError({ code: 'unknown-format', message: `Graphs cannot be exported as ${format}.` });
  try {
    const target = await checkOutput(resolve(output), chosen);
    const notes: string[] = [];
    const writing = { guardFormulas, utcOffset, entityType, onNote: (note: string): void => void notes.push(note) };
    return { files: await write({ store, format: chosen, output: target, options: writing, signal }), notes };
  } catch (error) {
    throw error instanceof OperationError ? error : exportFailure(error, file, output, signal);
  }
}

interface Output {
  /** The path as given, for messages. */
  readonly path: string;
  /** The path written to: a link to a file is followed. */
  readonly real: string;
}

/** Checked before the graph is read, which may take long. */
async function checkOutput(path: string, { singleFile }: ExportFormat): Promise<Output> {
  if (singleFile !== undefined) return { path, real: (await checkFileTarget(path, { example: singleFile })).real };
  await checkFolderTarget(path);
  return { path, real: path };
}

interface ExportWork {
  /** Absolute path. */
  readonly store: string;
  readonly format: ExportFormat;
  readonly output: Output;
  readonly options: WriteOptions;
  readonly signal: AbortSignal;
}

async function write(work: ExportWork): Promise<readonly string[]> {
  const { store, format, output } = work;
  const graphsFolder = dirname(store);
  await removeKilledExports(graphsFolder);
  const folder = format.singleFile !== undefined ? dirname(output.real) : await workFolderOf(output.real);
  const forget = await noteExport(graphsFolder, folder);
  try {
    return await writeIn(folder, work);
  } finally {
    await forget();
  }
}

/** @param parent of the temporary folder of the export. */
async function writeIn(
  parent: string,
  { store: storePath, format, output: { path, real }, options, signal }: ExportWork,
): Promise<readonly string[]> {
  const folder = await createExportFolder(parent);
  try {
    const store = await openGraphStore(storePath, { temporaryFolder: folder.temporary, memoryLimit });
    const names = await format.write(store, folder.path, signal, options).finally(() => store.close());
    signal.throwIfAborted();
    if (format.singleFile === undefined) return await folder.publishInto(names, real);
    await folder.publishFile(names[0] ?? '', real);
    return [path];
  } finally {
    await folder.remove();
  }
}

function notExported(said: string): Failure {
  return { code: 'export-failed', message: `The graph could not be exported: ${said}` };
}

function exportFailure(error: unknown, file: GraphFile, output: string, signal: AbortSignal): OperationError {
  if (error instanceof ExportError) {
    const { code, message, remedy } = error;
    return new OperationError({ code, message, remedy }, error);
  }
  const ofFiles = fileErrorOf(error);
  const failure = ofFiles && !signal.aborted ? fileFailure(ofFiles) : toGraphFailure(error, file, signal, notExported);
  if (failure.code !== 'disk-full') return new OperationError(failure, error);
  const message = `The disk is full, or files on it may not grow any further: ${output} was not written.`;
  return new OperationError({ ...failure, message, remedy: `Make space on the disk that holds ${output}.` }, error);
}
