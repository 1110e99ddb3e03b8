import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { randomUUID } from 'node:crypto';
import type { EffectBase, GraphEffect } from '../../../../protocol/graph-effect.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import type { ImportProgress } from '../../../../protocol/import-progress.ts';
import { allRows } from '../../graph-changes/compare-graphs.ts';
import { createProgress } from '../../import/progress.ts';
import { type GraphFile, type Project, type ProjectContext, openProject } from '../../project/open-project.ts';
import { dataSourcesRead } from '../../model/data-sources-used.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { compareStores } from '../stored-graphs/compared-stores.ts';
import { toImportFailure } from '../imports/import-failure.ts';
import { OperationError } from '../operation-error.ts';
import { type EditInWork, type TextEdits, textEdits } from './attribute-changes.ts';
import { refuseUnreadable } from '../imports/import-plan.ts';
import { type BuiltBase, type BuiltText, buildBase, buildText } from './build-text.ts';
import { type FailCondition, evaluateConditions } from './fail-conditions.ts';
import { type BaseText, readBase } from './read-base.ts';
import { createSharedRead } from './shared-read.ts';

export interface EffectOptions {
  /** `last`, a file or a commit. */
  readonly base: string;
  readonly isOffline: boolean;
  readonly conditions: readonly FailCondition[];
  /** Rows of each number; none without it. */
  readonly rows?: number | undefined;
  /** A base that cannot be built is a result with the numbers of the file, not a failure. */
  readonly toleratesBrokenBase?: boolean;
  readonly signal: AbortSignal;
  /** Builds each edit alone, too, to tell which one causes what. */
  readonly attributes: boolean;
  /** Takes the graphs, and deletes their folder when their rows are not needed any more; without it, they are deleted. */
  readonly keep?: ((stores: ComparedStores) => void) | undefined;
  readonly onProgress: (progress: ImportProgress, text: 'base' | 'file' | EditInWork) => void;
}

/** The graphs of a comparison; all paths are absolute. */
export interface ComparedStores {
  readonly folder: string;
  /** That of the base may be the graph of the last import, outside the folder. */
  readonly before: string;
  readonly after: string;
  /** The base with the edits of each part of the attribution alone. */
  readonly parts: readonly string[];
}

/**
 * What a text of an entity graph does, compared with another text over the same data. Both graphs are built in a
 * temporary folder. Rejects with an `OperationError`.
 */
export async function graphEffect(
  file: GraphFile,
  projectContext: ProjectContext,
  options: EffectOptions,
): Promise<GraphEffect> {
  return effectOfTexts(file, await readBase(file, options.base, projectContext), projectContext, options);
}

/** The same for a base that was read. */
export async function effectOfTexts(
  file: GraphFile,
  { base, text }: BaseText,
  projectContext: ProjectContext,
  options: Omit<EffectOptions, 'base'>,
): Promise<GraphEffect> {
  const found = { file: file.path, base };
  if (text === undefined) return { ...found, state: 'new' };
  if (text === file.text) return { ...found, state: 'same text' };
  refuseUnreadable(file);
  const folder = await mkdtemp(join(tmpdir(), 'entity-graph-effect-')).catch((error: unknown) => {
    throw new OperationError(toImportFailure(error, file, options.signal), error);
  });
  let isKept = false;
  const keep = options.keep && {
    keep(stores: ComparedStores): void {
      isKept = true;
      options.keep?.(stores);
    },
  };
  try {
    return await comparedTexts({ file, base, text }, projectContext, folder, { ...options, ...keep });
  } catch (error) {
    const failure = toImportFailure(error, file, options.signal);
    const remedy = `Both graphs are built in ${tmpdir()}: make space there, then compare again.`;
    throw new OperationError(failure.code === 'disk-full' ? { ...failure, remedy } : failure, error);
  } finally {
    if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
}

interface BothTexts {
  readonly file: GraphFile;
  readonly base: EffectBase;
  readonly text: string;
}

async function comparedTexts(
  texts: BothTexts,
  projectContext: ProjectContext,
  folder: string,
  options: Omit<EffectOptions, 'base'>,
): Promise<GraphEffect> {
  const { file, base, text } = texts;
  const { signal } = options;
  const builder = textBuilder(projectContext, folder, options);
  const edits = options.attributes ? textEdits(text, file, projectContext, signal) : undefined;
  const others = (catalogs: ReadonlyMap<string, Catalog>): Promise<readonly Project[]> =>
    otherTexts(file, edits, catalogs, projectContext);
  const before = await builtBase(texts, builder, { ...options, others });
  if ('failure' in before) {
    const { totals } = await builder.text(file, { place: 'file', rows: [], of: 'file' });
    return { file: file.path, base, state: 'broken base', brokenBase: { failure: before.failure, totals } };
  }
  const kept = before.rows === undefined ? [] : [before.rows];
  const after = await builder.text(file, { place: 'file', rows: kept, of: 'file', others });
  const stores = { before: before.store, after: after.store };
  const compared = await compareStores(stores, signal, async (found, schema) => ({
    changes: found.changes,
    schema,
    ...(options.rows !== undefined && { rows: await allRows(found, options.rows) }),
    ...(options.conditions.length > 0 && { conditions: evaluateConditions(options.conditions, found) }),
  }));
  const { changes, schema, ...rest } = compared;
  const rows = [before.rows, after.rows].filter((each) => each !== undefined);
  const attributed = await edits?.attribute({
    file,
    before,
    after,
    total: { changes, schema },
    folder,
    signal,
    keepsStores: options.keep !== undefined,
    build: (each, place, edit) => builder.text(each, { place, rows, of: edit }),
  });
  if (options.keep) {
    for (const each of rows) await rm(each, { force: true });
    options.keep({ folder, ...stores, parts: attributed?.stores ?? [] });
  }
  return {
    file: file.path,
    base,
    state: 'compared',
    changes,
    schema,
    ...(attributed && { attribution: attributed.attribution }),
    ...rest,
  };
}

/** All texts that are built later, if they read data sources that are known; they are then read in the same snapshots. */
async function otherTexts(
  file: GraphFile,
  edits: TextEdits | undefined,
  catalogs: ReadonlyMap<string, Catalog>,
  projectContext: ProjectContext,
): Promise<readonly Project[]> {
  const opened = async (each: GraphFile): Promise<readonly Project[]> =>
    openProject(each, projectContext).then(
      (project) => [project],
      // Told when the text is built.
      () => [],
    );
  const [project] = await opened(file);
  if (!project || dataSourcesRead(project.parsed.graph).some((name) => !catalogs.has(name))) return [];
  const texts = (await edits?.textsOf([catalogs])) ?? [];
  return [project, ...(await Promise.all(texts.map(opened))).flat()];
}

/** Where and from what a text is built. */
interface BuildWork {
  readonly place: string;
  readonly rows: readonly string[];
  readonly of: 'base' | 'file' | EditInWork;
  /** See `buildText`. */
  readonly others?: (catalogs: ReadonlyMap<string, Catalog>) => Promise<readonly Project[]>;
}

/** Builds texts that share what is read. */
interface TextBuilder {
  base(file: GraphFile, work: BuildWork): Promise<BuiltBase>;
  text(file: GraphFile, work: BuildWork): Promise<BuiltText>;
}

function textBuilder(
  projectContext: ProjectContext,
  folder: string,
  { isOffline, signal, onProgress }: Omit<EffectOptions, 'base'>,
): TextBuilder {
  const shared = createSharedRead(randomUUID());
  const using =
    <T>(build: (file: GraphFile, work: Parameters<typeof buildText>[1]) => Promise<T>) =>
    (file: GraphFile, { place, rows, of, others = () => Promise.resolve([]) }: BuildWork): Promise<T> => {
      const progress = createProgress((reached) => onProgress(reached, of));
      const work = { projectContext, progress, signal, folder: resolve(folder, place), shared, isOffline, others };
      return build(file, { ...work, rows: isOffline ? [] : rows }).finally(() => progress.end());
    };
  return { base: using(buildBase), text: using(buildText) };
}

/**
 * The base is built first: its rows are those of the last import more often. Resolves with the failure where a broken
 * base is tolerated.
 */
async function builtBase(
  { file, base, text }: BothTexts,
  build: TextBuilder,
  { signal, toleratesBrokenBase, others }: Omit<EffectOptions, 'base'> & Pick<BuildWork, 'others'>,
): Promise<BuiltBase | { readonly failure: Failure }> {
  const earlier = { path: file.path, text };
  return build
    .base(earlier, { place: 'base', rows: [], of: 'base', ...(others && { others }) })
    .catch((error: unknown) => {
      const { range, ...failure } = toImportFailure(error, earlier, signal);
      if (failure.code === 'cancelled' || failure.code === 'fetch-first') throw new OperationError(failure, error);
      const line = range && failure.file === file.path ? `line ${range.start.line + 1}: ` : '';
      const place = placeInBase(failure, { file, base, range });
      if (toleratesBrokenBase === true)
        return { failure: { ...place, message: `${baseText(base)} cannot be built: ${line}${failure.message}` } };
      throw new OperationError({ ...place, message: `${baseText(base)}: ${line}${failure.message}` }, error);
    });
}

/** A failure of the base is one of its file; other texts of a base are no files to open. */
function placeInBase(
  { file: at, ...failure }: Failure,
  { file, base, range }: Pick<BothTexts, 'file' | 'base'> & { readonly range: Failure['range'] },
): Failure {
  if (at !== file.path) return { ...failure, ...(at !== undefined && { file: at }) };
  return base.kind === 'file' ? { ...failure, file: base.path, ...(range && { range }) } : failure;
}

/** The base in words. */
export function baseText({ kind, name, path, commit = '' }: EffectBase): string {
  if (kind === 'last') return 'The text of the last import';
  return kind === 'file' ? `The base ${path}` : `The base ${name} (${commit.slice(0, 10)})`;
}
