import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { SourceError } from '../connectors/source-error.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import { listEntityFiles } from '../project/list-entity-files.ts';
import { defaultWorkspaceFolder, findSourcesFile } from '../project/find-sources.ts';
import { stateFolderOf } from '../project/open-project.ts';
import { readTextFile } from '../project/read-text-file.ts';
import { entityIdOf } from '../state/entity-id.ts';
import { type EntityStatus, interruptedProgress, neverImported } from '../state/entity-status.ts';
import { lockOwner } from '../state/import-lock.ts';
import { statePaths } from '../state/state-folder.ts';
import { readStatus } from '../state/status-file.ts';

/** An entity graph with its status, as `status` prints it. Times are ISO 8601 in UTC. */
export interface EntityRow {
  readonly file: string;
  readonly name: string;
  readonly dataSource: string | null;
  readonly status: EntityStatus['status'];
  readonly progress: string | null;
  readonly created: string;
  readonly modified: string;
  readonly imported: string | null;
  readonly modifiedSinceImport: boolean;
}

/** The entity graphs in a folder and below it, by path. Rejects with `file-missing` when the folder cannot be read. */
export async function listEntities(folder: string, workspaceFolder?: string): Promise<readonly EntityRow[]> {
  const rows: EntityRow[] = [];
  const files = await listEntityFiles(folder).catch((cause: unknown) => {
    throw new SourceError('file-missing', `The folder ${folder} cannot be read.`, { remedy: 'Check its path.', cause });
  });
  for (const file of files) rows.push(await describeEntity(file, workspaceFolder));
  return rows;
}

/** One entity graph with its status. */
export async function describeEntity(file: string, workspaceFolder?: string): Promise<EntityRow> {
  const workspace = workspaceFolder ?? (await defaultWorkspaceFolder(file, process.cwd()));
  const [text, times, sourcesFile] = await Promise.all([
    readTextFile(file),
    stat(file),
    findSourcesFile(file, workspace),
  ]);
  const { graph } = parseEntityGraph(text);
  const stateFolder = sourcesFile === undefined ? undefined : stateFolderOf(sourcesFile);
  const entity = entityIdOf(file, dirname(stateFolder ?? file));
  const status = stateFolder === undefined ? neverImported : await readStatus(stateFolder, entity);
  return {
    file,
    name: graph.name?.value ?? entity,
    dataSource: graph.dataSource?.value ?? null,
    status: status.status,
    progress: stateFolder === undefined ? null : await shownProgress(status, stateFolder, entity),
    created: times.birthtime.toISOString(),
    modified: times.mtime.toISOString(),
    imported: status.imported ?? null,
    modifiedSinceImport: status.text !== undefined && status.text !== text,
  };
}

async function shownProgress(status: EntityStatus, stateFolder: string, entity: string): Promise<string | null> {
  const { progress } = status;
  if (progress === undefined) return null;
  if (progress === 'Import Done' || progress.startsWith('Import ')) return progress;
  const running = (await lockOwner(statePaths.lock(stateFolder, entity))) !== undefined;
  return running ? progress : interruptedProgress(progress);
}
