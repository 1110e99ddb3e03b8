import { lstat, open } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { DraftAnswer, DraftChoice, DraftColumn } from '../../../../protocol/first-draft.ts';
import type { SourceKind } from '../../connectors/source-kind.ts';
import { sourceKinds } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { dataSourceNamed, entriesWithRows } from '../../model/data-sources-used.ts';
import { addDataSource } from '../../model/edits/add-data-source.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import { findSourcesFile, sourcesFileNames } from '../../project/find-sources.ts';
import { graphsBelow } from '../../project/find-source-uses.ts';
import {
  type ProjectContext,
  type SourcesFile,
  readGraphFile,
  readSourcesFile,
  workspaceFolderOf,
} from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { sourceFiles } from '../../project/source-files.ts';
import { OperationError } from '../operation-error.ts';
import { draftNewGraph } from './new-graph.ts';

/** What a graph of one file will consist of, or the graphs of the file that exist. Nothing is written. */
type GraphOfFile =
  { readonly kind: 'exists'; readonly graphs: readonly string[] } | ({ readonly kind: 'drafted' } & DraftOfFile);

interface DraftOfFile {
  /** Path of the sources file, and its text before and after; undefined before for a new file. */
  readonly sources: { readonly path: string; readonly before: string | undefined; readonly after: string };
  readonly dataSource: string;
  /** Path of the graph. */
  readonly graph: string;
  readonly text: string;
  readonly chosen: readonly DraftColumn[];
  /** The first choice between equally good columns for which there was no answer. */
  readonly choice?: DraftChoice | undefined;
}

interface GraphOfFileOptions {
  readonly answers: readonly DraftAnswer[];
  /** The graph that an earlier draft was written to: it is drafted again. */
  readonly graph?: string | undefined;
  /** A new graph of this name, beside those of the file that exist. */
  readonly named?: { readonly name: string; readonly fileName: string } | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((message: string) => void) | undefined;
}

/**
 * Drafts the graph of a file in the nearest sources file, which gets a source for it, or in a new one beside the file.
 * Rejects for a file that no kind of source reads.
 */
export async function graphOfFile(
  file: string,
  { graph: earlier, named, ...options }: GraphOfFileOptions,
  projectContext: ProjectContext,
): Promise<GraphOfFile> {
  const kind = await kindOfFile(file);
  const known = await findSourcesFile(file, await workspaceFolderOf(file, projectContext));
  const sourcesFile = known === undefined ? undefined : await readSourcesFile(known, projectContext);
  const readers = sourcesFile ? await sourcesOfFile(sourcesFile, file, projectContext) : [];
  if (sourcesFile && earlier === undefined && !named) {
    const graphs = await graphsOf(sourcesFile, file, readers, projectContext);
    if (graphs.length > 0) return { kind: 'exists', graphs };
  }
  const path = sourcesFile?.path ?? join(dirname(file), sourcesFileNames[0]);
  const own = readers.find(({ isOnly }) => isOnly)?.source.name.value;
  const dataSource = own ?? freeName(file, sourcesFile);
  const after = own === undefined ? withSource(path, file, kind, dataSource, sourcesFile) : (sourcesFile?.text ?? '');
  const future: SourcesFile = { path, text: after, ...parseDataSources(after) };
  const { name, fileName } = named ?? { name: nameOf(file), fileName: undefined };
  const wanted = fileName === undefined ? undefined : join(dirname(path), basename(fileName));
  const graph = earlier ?? wanted ?? (await freePath(dirname(path), name));
  const draft = await draftNewGraph(
    future,
    dataSource,
    { ...options, name, output: graph, isRepeated: earlier !== undefined },
    projectContext,
  );
  return { kind: 'drafted', sources: { path, before: sourcesFile?.text, after }, dataSource, graph, ...draft };
}

/** Read to tell kinds apart whose files have the same extension. */
const tellingBytes = 65_536;

async function kindOfFile(file: string): Promise<SourceKind> {
  const ends = (endings: readonly string[] = []): boolean =>
    endings.some((ending) => file.toLowerCase().endsWith(`.${ending}`));
  const possible = sourceKinds().filter(({ wholeFiles }) => ends(wholeFiles?.shared?.endings));
  const begin = possible.length > 0 ? await firstText(file) : '';
  const kind =
    possible.find(({ wholeFiles }) => wholeFiles?.shared?.begin.test(begin)) ??
    sourceKinds().find(({ wholeFiles }) => ends(wholeFiles?.endings));
  if (kind) return kind;
  const endings = sourceKinds().flatMap(({ wholeFiles }) => wholeFiles?.endings ?? []);
  throw new OperationError({
    code: 'file-name',
    message: `${basename(file)} is no file of which a graph can be drafted.`,
    remedy: `Possible are files that end with ${endings.map((ending) => `.${ending}`).join(', ')}.`,
  });
}

async function firstText(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(tellingBytes), 0, tellingBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await handle.close();
  }
}

interface FileReader {
  readonly source: DataSource;
  /** The source reads no other file. */
  readonly isOnly: boolean;
}

async function sourcesOfFile(
  { path, sources }: SourcesFile,
  file: string,
  { environment }: ProjectContext,
): Promise<readonly FileReader[]> {
  const readers = sources.sources.map(async (source): Promise<readonly FileReader[]> => {
    const { named, concerns } = await sourceFiles(source, path, environment);
    if (!concerns(file)) return [];
    const isOnly = named.length === 1 && named[0] === file;
    return [{ source, isOnly: isOnly && isPlain(source) }];
  });
  return (await Promise.all(readers)).flat();
}

/** Other settings, such as `files`, may give the rows of the file another meaning. */
function isPlain({ settings }: DataSource): boolean {
  return typeof settings['path'] === 'string';
}

/** The graphs that read a file: all of a source of this file only, else those whose data object is named after it. */
async function graphsOf(
  { path }: SourcesFile,
  file: string,
  readers: readonly FileReader[],
  projectContext: ProjectContext,
): Promise<readonly string[]> {
  const only = new Set(readers.filter(({ isOnly }) => isOnly).map(({ source }) => source.name.value));
  const others = new Set(readers.filter(({ isOnly }) => !isOnly).map(({ source }) => source.name.value));
  if (only.size + others.size === 0) return [];
  const found: string[] = [];
  for (const graph of await graphsBelow(path, projectContext.workspaceFolderOf)) {
    const text = await readGraphFile(graph, projectContext).catch(() => undefined);
    if (!text) continue;
    const { graph: model } = await readGraphText(text.text);
    const reads = entriesWithRows(model).some((entry) => {
      const source = dataSourceNamed(model, entry) ?? '';
      return only.has(source) || (others.has(source) && entry.dataObject?.value === nameOf(file));
    });
    if (reads) found.push(graph);
  }
  return found;
}

/** The name of a file without its extensions. */
function nameOf(file: string): string {
  const base = basename(file);
  return base.replace(/(.)(?:\.[^.]{1,10})?\.gz$/i, '$1').replace(/(.)\.[^.]+$/, '$1');
}

function withSource(
  path: string,
  file: string,
  kind: SourceKind,
  name: string,
  sourcesFile: SourcesFile | undefined,
): string {
  const text = sourcesFile?.text ?? '';
  const place = relative(dirname(path), file).split(sep).join('/');
  const outcome = addDataSource(text, name, { kind: kind.name, [kind.fileSetting?.name ?? 'path']: place });
  if ('edits' in outcome) return applyEdits(text, outcome.edits);
  throw new OperationError({ code: 'edit-refused', message: outcome.refusal, file: path });
}

/** Sources are named by letters, digits and some marks, a letter first. */
function freeName(file: string, sourcesFile: SourcesFile | undefined): string {
  const taken = new Set(sourcesFile?.sources.sources.map(({ name }) => name.value));
  const plain = nameOf(file).replaceAll(/[^\p{L}\p{N}_.-]+/gu, '-');
  const proposal = /^[\p{L}_]/u.test(plain) ? plain : `_${plain}`;
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? proposal : `${proposal}${count}`;
    if (!taken.has(name)) return name;
  }
}

async function freePath(folder: string, name: string): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(folder, `${name}${count === 1 ? '' : `-${count}`}.entity.yaml`);
    const isTaken = await lstat(path).then(
      () => true,
      () => false,
    );
    if (!isTaken) return path;
  }
}
