import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { createBuildFolder, runId } from '../../import/build-folder.ts';
import type { ImportSources } from '../../import/import-source.ts';
import type { ProgressReporter } from '../../import/progress.ts';
import { runImport } from '../../import/run-import.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { storeTables } from '../../process-rules/judged-graph-tables.ts';
import { type GraphFile, type ProjectContext, openProject } from '../../project/open-project.ts';
import { statePaths } from '../../state/state-folder.ts';
import { placeOfFile } from '../graph-files/entity-files.ts';
import { builtGraphTables } from '../imports/built-graph-tables.ts';
import { firstMistake, validPlan } from '../imports/import-plan.ts';
import { judgeStore } from '../imports/judge-store.ts';
import { openSources } from '../imports/open-sources.ts';
import { runVersions } from '../imports/run-versions.ts';
import { OperationError, problemFailure } from '../operation-error.ts';
import type { SharedRead } from './shared-read.ts';

export interface TextBuild {
  readonly projectContext: ProjectContext;
  readonly progress: ProgressReporter;
  readonly signal: AbortSignal;
  /** A temporary folder of this build. */
  readonly folder: string;
  readonly shared: SharedRead;
  /** The rows of an earlier build; default: those of the last import. */
  readonly rows?: string | undefined;
  /** Contacts no data source. */
  readonly isOffline: boolean;
}

/** A graph that is not published. */
export interface BuiltText {
  /** Absolute path. */
  readonly store: string;
  /** The file of the rows that were read, for the next build. */
  readonly rows: string | undefined;
}

/** Throws an `OperationError` with the first syntax error: what an unreadable text lacks says little. */
export function refuseUnreadable(file: GraphFile): void {
  const mistakes = parseEntityGraph(file.text).problems.filter(({ severity }) => severity === 'error');
  if (mistakes.length > 0) throw problemFailure(mistakes, file);
}

/**
 * Builds a text of an entity graph in a temporary folder, as an import would. Takes no lock, publishes nothing and notes
 * no state. Rejects like `runImport`, and with `fetch-first`.
 */
export async function buildText(file: GraphFile, build: TextBuild): Promise<BuiltText> {
  const { projectContext, progress, signal, shared, isOffline } = build;
  refuseUnreadable(file);
  const project = await openProject(file, projectContext);
  const mistake = firstMistake(file, project.parsed, project.sourcesFile);
  if (mistake) throw mistake;
  if (project.parsed.graph.import.engine === 'source') throw builtInSource(file);
  const place = await placeOfFile(file.path, projectContext);
  const onProgress = (message: string): void => progress.report('schema discovery', message, 0.5);
  const opened = await openSources(
    project,
    projectContext,
    { signal, onProgress, mayReuse: true, usesKeptRows: isOffline, isOffline },
    async (name) => progress.report('schema discovery', `Reading the tables of ${name}`),
  );
  try {
    progress.report('validation', 'Checking the entity graph');
    const plan = validPlan(project, opened.catalog);
    const started = new Date();
    const run = runId(started, randomBytes(2).toString('hex'));
    const folder = await createBuildFolder(build.folder, run);
    const [first, ...others] = opened.sources;
    const sources: ImportSources = isOffline
      ? opened.sources
      : [shared.source(first), ...others.map((source) => shared.source(source))];
    const kept = place ? statePaths.rows(place.stateFolder, place.entity) : join(build.folder, 'none');
    const { hasRows, source } = await runImport({
      plan,
      sources,
      folder,
      request: { kind: 'build' },
      progress,
      rowCache: build.rows ?? kept,
      signal,
      run: {
        id: run,
        entity: place?.entity ?? file.path,
        config: file.text,
        configHash: createHash('sha256').update(file.text).digest('hex'),
        dataSource: project.source.name.value,
        started: started.toISOString(),
        versions: runVersions,
      },
    });
    await judgeStore(file, folder.store, progress, signal, builtGraphTables(source, storeTables));
    return { store: folder.store, rows: hasRows ? folder.rows : undefined };
  } finally {
    await opened.close();
  }
}

function builtInSource(file: GraphFile): OperationError {
  return new OperationError({
    code: 'fetch-first',
    message: `The graph of ${file.path} is built inside its data source (engine: source), where its effect cannot be compared.`,
    file: file.path,
    remedy:
      'Import it and fetch it before and after the edit, then compare both: entity-graph fetch, entity-graph diff.',
  });
}
