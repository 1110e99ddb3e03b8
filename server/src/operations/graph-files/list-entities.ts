import type { Stats } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { ImportSlice } from '../../../../protocol/import-request.ts';
import type { KeptRowsView } from '../../../../protocol/kept-rows.ts';
import type { Failure } from '../../../../protocol/query-results.ts';
import type { LastImportView } from '../../../../protocol/requests/lifecycle-requests.ts';
import { SourceError, isSourceError } from '../../connectors/source-error.ts';
import { type FileError, isFileError } from '../../files/file-error.ts';
import type { DataSources } from '../../model/data-sources.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import { withoutLists } from '../../model/yaml-chunks.ts';
import type { ParsedEntityGraph } from '../../model/parse-model.ts';
import { listEntityFiles } from '../../project/list-entity-files.ts';
import { defaultWorkspaceFolder, findSourcesAbove, findSourcesFile } from '../../project/find-sources.ts';
import { type ProjectContext, stateFolderOf } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import type { CommittedDefinitions, GitReader } from '../../project/committed-definitions.ts';
import { cannotRead, readTextFile, readTextFileAndStats } from '../../project/read-text-file.ts';
import { definitionHash } from '../../state/definition-history.ts';
import { entityIdOf } from '../../state/entity-id.ts';
import { type EntityStatus, interruptedProgress, isRunning, neverImported } from '../../state/entity-status.ts';
import { importerOf } from '../../state/entity-lock.ts';
import { statePaths } from '../../state/state-folder.ts';
import { createStatusReader } from '../../state/status-file.ts';
import { type DefinitionOnDisk, definitionTimes, recordDefinitions } from './definition-times.ts';
import { followRenames } from './follow-renames.ts';
import { graphBasics, graphProblem } from './graph-problem.ts';
import type { GraphFacts, KnownGraphFacts } from './known-graph-facts.ts';
import { unreadableStore } from '../stored-graphs/open-graph-store.ts';
import { type OperationError, toFailure } from '../operation-error.ts';

/** An entity graph with its status, as `status` prints it. Times are ISO 8601 in UTC. */
export interface EntityRow {
  readonly file: string;
  readonly name: string;
  readonly dataSource: string | null;
  /** All data sources that the graph names; that of the file comes first. */
  readonly dataSources: readonly string[];
  /** Path of its sources file. */
  readonly sourcesFile: string | null;
  readonly status: EntityStatus['status'];
  readonly progress: string | null;
  /** The last import failed or was interrupted; `progress` says why. */
  readonly hasFailed?: true;
  /** The code of that failure. */
  readonly failedWith?: string;
  /** Times of the definition, not of its file (docs/semantics.md#147-created-and-modified). */
  readonly created: string;
  readonly modified: string;
  readonly imported: string | null;
  readonly modifiedSinceImport: boolean;
  /** Data sources that the last import could not reach, so that it used their kept rows. */
  readonly keptRows?: readonly KeptRowsView[];
  /** What the last import was limited to; absent for the whole graph. */
  readonly slice?: ImportSlice;
  /** Facts of the last import. */
  readonly lastImport?: LastImportView;
  /** Why it cannot be imported. */
  readonly problem?: Failure;
}

/** Cache by path: unchanged files are not read again. */
export type EntityCache = Map<string, ReadEntity>;

interface ReadEntity extends GraphFacts {
  /** Modification time of the file. */
  readonly modifiedMs: number;
  readonly size: number;
  /** The unsaved text, if the file is open. */
  readonly text: string;
  readonly isOpen: boolean;
  readonly textOnDisk: string;
  /** Hash of the text on disk. */
  readonly hash: string;
}

/** Number of files read concurrently. */
const atOnce = 16;

/** The graphs of a folder. */
export interface EntityListing {
  readonly rows: readonly EntityRow[];
  /** Unreadable files, with the reason. */
  readonly unreadable: readonly { readonly file: string; readonly error: SourceError | FileError }[];
}

/** Options of listing. */
export interface EntityReading {
  /** The outermost workspace folder of a file. */
  readonly workspaceFolderOf?: ((file: string) => string | undefined) | undefined;
  readonly memory?: EntityCache;
  /** Facts of files that an earlier run parsed. */
  readonly known?: KnownGraphFacts | undefined;
  /** Unsaved text of a file, which determines whether it is modified since its import. */
  readonly openText?: ProjectContext['openText'] | undefined;
  /** An open graph, which is then not parsed again. */
  readonly openGraph?: ProjectContext['openGraph'] | undefined;
  /** Reads the Git history; absent in untrusted workspaces. */
  readonly git?: GitReader | undefined;
  /** Whether nothing is written, as in untrusted workspaces. */
  readonly isReadOnly?: boolean;
}

/**
 * The entity graphs in and below a folder, by path; those renamed outside keep their state. Rejects with `file-missing`
 * when the folder cannot be read.
 */
export async function listEntities(folder: string, reading: EntityReading = {}): Promise<EntityListing> {
  const files = await listEntityFiles(folder).catch((cause: unknown) => {
    throw new SourceError('file-missing', `The folder ${folder} cannot be read.`, { remedy: 'Check its path.', cause });
  });
  const sourcesFileOf = sourcesFinder();
  const places = await concurrently(files, (file) => placeOf(file, reading.workspaceFolderOf?.(file), sourcesFileOf));
  for (const stateFolder of new Set(places.flatMap((place) => place.stateFolder ?? []))) {
    const present = places.filter((place) => place.stateFolder === stateFolder);
    await followRenames(stateFolder, dirname(stateFolder), present);
  }
  const readers = { sourcesOf: sourcesReader(reading), statusOf: statusesReader() };
  const committed = reading.git?.(files);
  const unreadable: EntityListing['unreadable'][number][] = [];
  const described = await concurrently(places, async (place) => {
    try {
      return { place, ...(await describe(place, reading, readers)) };
    } catch (cause) {
      const { file } = place;
      // A file may be deleted after it was listed.
      if (await isThere(file))
        unreadable.push({ file, error: isSourceError(cause) || isFileError(cause) ? cause : cannotRead(file, cause) });
      return undefined;
    }
  });
  const present = described.filter((each) => each !== undefined);
  const times = await timesOf(present, (await committed) ?? new Map(), reading);
  if (!reading.isReadOnly) reading.known?.keep(files);
  return { rows: present.map(({ row, place }) => ({ ...row, ...times.get(place.file) })), unreadable };
}

/** One entity graph with its status. Rejects when the file cannot be read. */
export async function describeEntity(file: string, reading: EntityReading = {}): Promise<EntityRow> {
  const place = await placeOf(file, reading.workspaceFolderOf?.(file), findSourcesFile);
  const readers = { sourcesOf: sourcesReader(reading), statusOf: statusesReader() };
  const { row, definition } = await describe(place, reading, readers);
  return { ...row, ...(await timesOf([{ place, definition }], new Map(), { ...reading, isReadOnly: true })).get(file) };
}

/** The times of definitions by file; remembered in their state folders. */
async function timesOf(
  described: readonly { readonly place: Place; readonly definition: DefinitionOnDisk }[],
  committed: CommittedDefinitions,
  { isReadOnly = false }: EntityReading,
): Promise<ReadonlyMap<string, Pick<EntityRow, 'created' | 'modified'>>> {
  const times = new Map<string, Pick<EntityRow, 'created' | 'modified'>>();
  for (const stateFolder of new Set(described.map(({ place }) => place.stateFolder))) {
    const own = described.filter(({ place }) => place.stateFolder === stateFolder);
    const sights = new Map(own.map(({ place, definition }) => [place.entity, definition]));
    const history = stateFolder === undefined ? undefined : await recordDefinitions(stateFolder, sights, isReadOnly);
    for (const { place, definition } of own) {
      times.set(place.file, definitionTimes(definition, history?.[place.entity], committed.get(place.file)));
    }
  }
  return times;
}

interface Place {
  readonly file: string;
  readonly entity: string;
  readonly sourcesFile: string | undefined;
  /** Without a sources file: one above the workspace folder. */
  readonly sourcesAbove: string | undefined;
  /** Absent without a sources file. */
  readonly stateFolder: string | undefined;
}

async function placeOf(
  file: string,
  workspaceFolder: string | undefined,
  sourcesFileOf: typeof findSourcesFile,
): Promise<Place> {
  const workspace = workspaceFolder ?? (await defaultWorkspaceFolder(file, process.cwd()));
  const sourcesFile = await sourcesFileOf(file, workspace);
  const sourcesAbove = sourcesFile === undefined ? await findSourcesAbove(workspace) : undefined;
  const stateFolder = sourcesFile === undefined ? undefined : stateFolderOf(sourcesFile);
  return { file, sourcesFile, sourcesAbove, stateFolder, entity: entityIdOf(file, dirname(stateFolder ?? file)) };
}

/** Searches once for the files of a folder. */
function sourcesFinder(): typeof findSourcesFile {
  const known = new Map<string, Promise<string | undefined>>();
  return (file, workspaceFolder) => {
    const key = JSON.stringify([dirname(file), workspaceFolder]);
    const found = known.get(key) ?? findSourcesFile(file, workspaceFolder);
    known.set(key, found);
    return found;
  };
}

type SourcesReader = (sourcesFile: string) => Promise<DataSources>;

/** Reads each sources file once. */
function sourcesReader({ openText }: EntityReading): SourcesReader {
  const known = new Map<string, Promise<DataSources>>();
  const readSources = async (path: string): Promise<DataSources> =>
    parseDataSources(openText?.(path) ?? (await readTextFile(path))).sources;
  return (path) => {
    const sources = known.get(path) ?? readSources(path);
    known.set(path, sources);
    return sources;
  };
}

async function problemOf(
  entity: ReadEntity,
  { sourcesFile, sourcesAbove }: Pick<Place, 'sourcesFile' | 'sourcesAbove'>,
  sourcesOf: SourcesReader,
): Promise<Failure | undefined> {
  try {
    const sources = sourcesFile === undefined ? undefined : await sourcesOf(sourcesFile);
    return graphProblem(entity, entity.text, sources, sourcesAbove);
  } catch (error) {
    // The sources file exists but cannot be read.
    return toFailure(error);
  }
}

type StatusReader = (place: Place) => Promise<{ readonly status: EntityStatus; readonly problem?: Failure }>;

/** A state behind a link is not read, because the link may lead anywhere. */
function statusesReader(): StatusReader {
  const readers = new Map<string, ReturnType<typeof createStatusReader>>();
  return async ({ stateFolder, entity }) => {
    if (stateFolder === undefined) return { status: neverImported };
    const readStatus = readers.get(stateFolder) ?? createStatusReader(stateFolder);
    readers.set(stateFolder, readStatus);
    try {
      const status = await readStatus(entity);
      if (!(await missingStore(status, stateFolder, entity))) return { status };
      // An import may have replaced it meanwhile.
      const next = await readStatus(entity);
      const missing = await missingStore(next, stateFolder, entity);
      return missing ? { status: neverImported, problem: missing.failure } : { status: next };
    } catch (error) {
      return { status: neverImported, problem: toFailure(error) };
    }
  };
}

/** Without its file, a graph counts as not imported. */
async function missingStore(
  { store }: EntityStatus,
  stateFolder: string,
  entity: string,
): Promise<OperationError | undefined> {
  if (store === undefined) return undefined;
  const path = join(statePaths.graphs(stateFolder, entity), basename(store));
  return (await isThere(path)) ? undefined : unreadableStore(path, 'is missing');
}

/** The readers of one listing, which read what files share once. */
interface Readers {
  readonly sourcesOf: SourcesReader;
  readonly statusOf: StatusReader;
}

async function describe(
  place: Place,
  reading: EntityReading,
  { sourcesOf, statusOf }: Readers,
): Promise<{ readonly row: EntityRow; readonly definition: DefinitionOnDisk }> {
  const { file, entity, sourcesFile, stateFolder } = place;
  const { status, problem: stateProblem } = await statusOf(place);
  const { found, times } = await read(file, reading, status.text);
  const { text, textOnDisk, hash, name, dataSource } = found;
  const problem = (await problemOf(found, place, sourcesOf)) ?? stateProblem;
  const [created, modified] = [times.birthtime.toISOString(), times.mtime.toISOString()];
  const row: EntityRow = {
    file,
    name: name ?? entity,
    dataSource: dataSource?.value ?? null,
    dataSources: found.dataSources,
    sourcesFile: sourcesFile ?? null,
    status: status.status,
    ...(stateFolder === undefined ? { progress: null } : await lastImport(status, stateFolder, entity)),
    created,
    modified,
    imported: status.imported ?? null,
    modifiedSinceImport: status.text !== undefined && status.text !== text,
    ...(status.keptRows ? { keptRows: status.keptRows } : {}),
    ...(status.slice ? { slice: status.slice } : {}),
    ...(await factsOfImport(status, stateFolder, entity)),
    ...(problem ? { problem } : {}),
  };
  return { row, definition: { created, modified, hash, text: textOnDisk, status } };
}

async function factsOfImport(
  { counts, durationMs, store }: EntityStatus,
  stateFolder: string | undefined,
  entity: string,
): Promise<Pick<EntityRow, 'lastImport'>> {
  if (!counts) return {};
  const { rules, totals } = counts;
  const path = store && stateFolder && join(statePaths.graphs(stateFolder, entity), basename(store));
  const bytes = path ? (await stat(path).catch(() => undefined))?.size : undefined;
  return {
    lastImport: {
      events: totals.events,
      ...(rules && { rules: { kept: rules.filter(({ holds }) => holds).length, all: rules.length } }),
      ...(durationMs !== undefined && { durationMs }),
      ...(bytes !== undefined && { bytes }),
    },
  };
}

async function read(
  file: string,
  { memory, known, openText, openGraph }: EntityReading,
  importedText: string | undefined,
): Promise<{ readonly found: ReadEntity; readonly times: Stats }> {
  const open = openText?.(file);
  const before = memory?.get(file);
  // A file that must be read in any case tells its times when it is opened.
  const unread = open === undefined && !before ? await readTextFileAndStats(file) : undefined;
  const times = unread?.stats ?? (await stat(file));
  const { mtimeMs, size } = times;
  const isSame = before?.modifiedMs === mtimeMs && before.size === size;
  if (isSame && (open === undefined ? !before.isOpen : before.text === open)) return { found: before, times };
  const opened = open === undefined ? undefined : await openGraph?.(file);
  const openFacts = opened && factsOf(opened.parsed);
  const text = opened?.text ?? open ?? unread?.text ?? (await readTextFile(file));
  const textOnDisk = open === undefined ? text : await readTextFile(file).catch(() => open);
  const hash = definitionHash(textOnDisk);
  // The hash ignores line ends, on which the places in the facts depend.
  const mayBeKnown = text === textOnDisk && !text.includes('\r');
  const factsBefore = mayBeKnown ? known?.of(file, hash) : undefined;
  const facts = factsBefore ?? openFacts ?? (await readFacts(text, importedText));
  if (mayBeKnown && !factsBefore) known?.remember(file, hash, facts);
  const entity = { modifiedMs: mtimeMs, size, text, isOpen: open !== undefined, textOnDisk, hash, ...facts };
  memory?.set(file, entity);
  return { found: entity, times };
}

async function readFacts(text: string, importedText: string | undefined): Promise<GraphFacts> {
  // The imported text is known to be valid, so only the displayed part is parsed.
  const parsed = await readGraphText(text === importedText && !mayNameOthers(text) ? withoutLists(text) : text);
  return factsOf(parsed);
}

function factsOf(parsed: ParsedEntityGraph): GraphFacts {
  return {
    name: parsed.graph.name?.value,
    dataSources: dataSourcesNamed(parsed.graph),
    ...graphBasics(parsed),
  };
}

/** Whether entries or groups may name data sources besides that of the file. */
function mayNameOthers(text: string): boolean {
  const [, ...more] = text.matchAll(/\bdataSource\b/g);
  return more.length > 0 || /\bobjects\b["']?\s*:/.test(text);
}

/** Works on a few items at a time; the results are in the order of the items. */
async function concurrently<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  const waiting = items.entries();
  async function workOn(): Promise<void> {
    for (const [index, item] of waiting) results[index] = await work(item);
  }
  await Promise.all(Array.from({ length: atOnce }, workOn));
  return results;
}

/** Includes dangling links. */
async function isThere(file: string): Promise<boolean> {
  return lstat(file).then(
    () => true,
    () => false,
  );
}

async function lastImport(
  { progress, hasFailed, failedWith }: EntityStatus,
  stateFolder: string,
  entity: string,
): Promise<Pick<EntityRow, 'progress' | 'hasFailed' | 'failedWith'>> {
  if (progress === undefined) return { progress: null };
  if (!isRunning(progress))
    return { progress, ...(hasFailed && { hasFailed }), ...(failedWith !== undefined && { failedWith }) };
  const running = (await importerOf(stateFolder, entity)) !== undefined;
  return running ? { progress } : { progress: interruptedProgress(progress), hasFailed: true };
}
