import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { version } from '../../../package.json';
import type { Connector } from '../connectors/connector.ts';
import { type BuildFolder, removeOldRuns } from '../import/build-folder.ts';
import type { ImportPlan } from '../import/plan-import.ts';
import { type ImportResult, runImport } from '../import/run-import.ts';
import type { Project } from '../project/open-project.ts';
import { importDone } from '../state/entity-status.ts';
import { readStatus, writeStatus } from '../state/status-file.ts';
import { type EntityPlace, recordStep } from './entity-place.ts';
import type { ImportWork } from './import-locked.ts';

export interface GraphBuild {
  readonly project: Project;
  readonly place: EntityPlace;
  readonly connector: Connector;
  readonly plan: ImportPlan;
  readonly run: string;
  readonly folder: BuildFolder;
}

export interface PublishedGraph {
  readonly result: ImportResult;
  /** Absolute path of the store. */
  readonly store: string;
}

/** Builds a graph and puts it in the place of the earlier one: the store first, then the status that points to it. */
export async function buildAndPublish(work: ImportWork, build: GraphBuild): Promise<PublishedGraph> {
  const { file, progress, slice, started, signal } = work;
  const { project, place, connector, plan, run, folder } = build;
  await recordStep(place, progress.step);
  const result = await runImport({
    plan,
    connector,
    folder,
    slice,
    progress,
    signal,
    run: {
      id: run,
      entity: place.entity,
      config: file.text,
      configHash: createHash('sha256').update(file.text).digest('hex'),
      dataSource: project.source.name.value,
      started: started.toISOString(),
      versions: { entityGraph: version, node: process.versions.node },
    },
  });
  // Not the order of their names: the clock may have been set back in between.
  const { store: previous } = await readStatus(place.stateFolder, place.entity);
  const store = await folder.publish();
  try {
    const done = importDone({
      at: new Date().toISOString(),
      run,
      store: basename(store),
      text: file.text,
      ...(previous === undefined ? {} : { previous }),
    });
    await writeStatus(place.stateFolder, place.entity, done);
  } catch (error) {
    // Nothing points to this store: the earlier one stays in use.
    await rm(store, { force: true });
    throw error;
  }
  await removeOldRuns(dirname(store), [basename(store), previous]);
  return { result, store };
}
