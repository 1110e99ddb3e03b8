import { open } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileReadError } from '../file-read-error.ts';
import { SourceError, errorOfSource } from '../source-error.ts';
import { entityIdOf } from '../../state/entity-id.ts';
import { insideStateFolder } from '../../state/inside-state-folder.ts';
import { statePaths } from '../../state/state-folder.ts';
import { readStatus } from '../../state/status-file.ts';
import type { DuckdbConfig } from './read-settings.ts';

/**
 * The path of the database file, after checking that it exists and has a DuckDB header. For `graph`, the store of the
 * last import. Rejects with `file-missing`, `file-unreadable` or `file-malformed`.
 */
export async function findDatabase(config: DuckdbConfig, stateFolder: string | undefined): Promise<string> {
  const { database } = config;
  const path = 'path' in database ? database.path : await storeOfGraph(config, database.graph, stateFolder);
  const header = await readHeader(path);
  const fault = headerFault(header);
  if (fault === undefined) return path;
  throw new SourceError('file-malformed', `${path} ${fault.what}.`, { file: path, remedy: fault.remedy });
}

async function readHeader(path: string): Promise<Buffer> {
  try {
    const file = await open(path, 'r');
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
      return buffer.subarray(0, bytesRead);
    } finally {
      await file.close();
    }
  } catch (error) {
    throw fileReadError(path, error);
  }
}

function headerFault(header: Buffer): { readonly what: string; readonly remedy: string } | undefined {
  if (header.toString('latin1', 8, 12) === 'DUCK') return undefined;
  if (header.length === 0) return { what: 'is empty', remedy: 'Point path at a DuckDB database file.' };
  if (header.toString('latin1') === 'SQLite format 3\0') {
    return { what: 'is an SQLite database', remedy: 'Set kind: sqlite for this data source.' };
  }
  if (header.toString('latin1', 0, 4) === 'PAR1') {
    return { what: 'is a Parquet file', remedy: 'Set kind: csv, which reads Parquet as well.' };
  }
  return { what: 'is not a DuckDB database file', remedy: 'Correct path in the data sources file.' };
}

/** The store of the last import of an entity graph, which the state folder names. */
async function storeOfGraph(
  { name, folder }: DuckdbConfig,
  graph: string,
  stateFolder: string | undefined,
): Promise<string> {
  const entity = entityIdOf(graph, folder);
  const { store } = stateFolder === undefined ? {} : await readStatus(stateFolder, entity);
  if (stateFolder !== undefined && store !== undefined) {
    return insideStateFolder(stateFolder, join(statePaths.graphs(stateFolder, entity), basename(store)));
  }
  throw errorOfSource(name, 'file-missing', `${relative(folder, graph)} has no imported graph.`, {
    remedy: `Import ${basename(graph)} first; it must use the same data sources file.`,
  });
}
