import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { exportFormats } from '../export/index.ts';
import { type GraphFile, type ProjectSurroundings, findSources, stateFolderOf } from '../project/open-project.ts';
import { entityIdOf } from '../state/entity-id.ts';
import { statePaths } from '../state/state-folder.ts';
import { readStatus } from '../state/status-file.ts';
import { type StoreReader, openStore } from '../store/duckdb-store.ts';
import { toImportFailure } from './import-failure.ts';
import { OperationError } from './operation-error.ts';

export interface ExportGraphOptions {
  /** A name of `exportFormats`. */
  readonly format: string;
  /** The folder to write into, made when it does not exist; of a format with a single file, that file. */
  readonly output: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the graph of the last import; returns the absolute paths of the files. Files of the same names are replaced,
 * each as a whole and only when all could be written. Rejects with an `OperationError`.
 */
export async function exportGraph(
  file: GraphFile,
  surroundings: ProjectSurroundings,
  { format, output, signal }: ExportGraphOptions,
): Promise<readonly string[]> {
  const store = await openStore(await storeOf(file, surroundings)).catch((error: unknown) => {
    throw new OperationError(toImportFailure(error, file, signal), error);
  });
  try {
    return await write(store, format, resolve(output), signal);
  } catch (error) {
    throw error instanceof OperationError ? error : new OperationError(toImportFailure(error, file, signal), error);
  } finally {
    await store.close();
  }
}

async function write(
  store: StoreReader,
  format: string,
  output: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const chosen = exportFormats.find(({ name }) => name === format);
  if (!chosen) throw new OperationError({ code: 'unknown-format', message: `Graphs cannot be exported as ${format}.` });
  await mkdir(dirname(output), { recursive: true });
  const temporary = await mkdtemp(join(dirname(output), '.entity-graph-export-'));
  try {
    const names = await chosen.write(store, temporary, signal);
    if (chosen.singleFile) {
      await rename(join(temporary, names[0] ?? ''), output);
      return [output];
    }
    await mkdir(output, { recursive: true });
    for (const name of names) await rename(join(temporary, name), join(output, name));
    return names.map((name) => join(output, name));
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The store of the last successful import. Rejects with `not-imported`. */
async function storeOf(file: GraphFile, surroundings: ProjectSurroundings): Promise<string> {
  const sourcesFile = await findSources(file.path, surroundings);
  if (sourcesFile) {
    const stateFolder = stateFolderOf(sourcesFile.path);
    const entity = entityIdOf(file.path, dirname(stateFolder));
    const { store } = await readStatus(stateFolder, entity);
    if (store !== undefined) return join(statePaths.graphs(stateFolder, entity), store);
  }
  throw new OperationError({
    code: 'not-imported',
    message: `${file.path} has not been imported yet, so there is no graph to export.`,
    file: file.path,
    remedy: 'Import it first.',
  });
}
