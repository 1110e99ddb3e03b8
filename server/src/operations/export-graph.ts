import { dirname, resolve } from 'node:path';
import type { ExportFormat } from '../export/export-format.ts';
import { ExportError } from '../export/export-error.ts';
import { exportFormats } from '../export/index.ts';
import type { GraphFile, ProjectSurroundings } from '../project/open-project.ts';
import { openStore } from '../store/duckdb-store.ts';
import { createExportFolder } from './export-folder.ts';
import { noteExport, removeKilledExports } from './export-notes.ts';
import { toImportFailure } from './import-failure.ts';
import { OperationError } from './operation-error.ts';
import { storedGraph } from './stored-graph.ts';

export interface ExportGraphOptions {
  /** A name of `exportFormats`. */
  readonly format: string;
  /** The folder to write into, made when it does not exist; of a format with a single file, that file. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/** What sorting and grouping may keep in memory before they spill beside the output. */
const memoryLimit = '512MB';

/**
 * Writes the graph of the last import; returns the absolute paths of the files. What an earlier export has left there is
 * replaced, and only when all could be written. Rejects with an `OperationError`.
 */
export async function exportGraph(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  options: ExportGraphOptions,
): Promise<readonly string[]> {
  return exportStore(await storedGraph(file, surroundings), file, options);
}

/** The same for a store whose path is known; `file` is what failures name. */
export async function exportStore(
  store: string,
  file: GraphFile,
  { format, output, signal }: ExportGraphOptions,
): Promise<readonly string[]> {
  const chosen = exportFormats.find(({ name }) => name === format);
  if (!chosen) throw new OperationError({ code: 'unknown-format', message: `Graphs cannot be exported as ${format}.` });
  try {
    return await write(store, chosen, resolve(output), signal);
  } catch (error) {
    throw error instanceof OperationError ? error : exportFailure(error, file, output, signal);
  }
}

async function write(
  storePath: string,
  format: ExportFormat,
  output: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const graphsFolder = dirname(storePath);
  await removeKilledExports(graphsFolder);
  const forget = await noteExport(graphsFolder, dirname(output));
  try {
    return await writeBeside(storePath, format, output, signal);
  } finally {
    await forget();
  }
}

async function writeBeside(
  storePath: string,
  format: ExportFormat,
  output: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const folder = await createExportFolder(output);
  try {
    const store = await openStore(storePath, { temporaryFolder: folder.temporary, memoryLimit });
    const names = await format.write(store, folder.path, signal).finally(() => store.close());
    signal.throwIfAborted();
    if (format.singleFile) {
      await folder.publishFile(names[0] ?? '', output);
      return [output];
    }
    return await folder.publishInto(names, output);
  } finally {
    await folder.remove();
  }
}

function exportFailure(error: unknown, file: GraphFile, output: string, signal: AbortSignal): OperationError {
  if (error instanceof ExportError) {
    const { code, message, remedy } = error;
    return new OperationError({ code, message, remedy }, error);
  }
  const failure = toImportFailure(error, file, signal);
  if (failure.code === 'build-failed') {
    const message = failure.message.replace('The graph could not be built', 'The graph could not be exported');
    return new OperationError({ ...failure, code: 'export-failed', message }, error);
  }
  if (failure.code !== 'disk-full') return new OperationError(failure, error);
  const message = `The disk is full, or files on it may not grow any further: ${output} was not written.`;
  return new OperationError({ ...failure, message, remedy: `Make space on the disk that holds ${output}.` }, error);
}
