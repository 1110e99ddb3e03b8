import type { Failure, Outcome } from '../../../../protocol/query-results.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { dataSourcesRead } from '../../model/data-sources-used.ts';
import {
  type GraphFile,
  type Project,
  type SourcesFile,
  findSources,
  openProject,
  projectOf,
  sourcesAbove,
  readGraphFile,
  sourcesRead,
} from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { pathOfUri } from '../file-uri.ts';
import type { LanguageServer } from '../language-server.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { usesBrowserLogin } from '../../project/value-uses.ts';
import { unlessAborted } from '../request-guard.ts';

export const untrusted: Failure = {
  code: 'workspace-untrusted',
  message: 'This workspace is not trusted: queries and imports are off.',
  remedy: 'Trust the workspace to connect to its data sources.',
};

const notOnDisk: Failure = {
  code: 'file-not-saved',
  message: 'This file is not saved yet, so its data source cannot be found.',
  remedy: 'Save it beside entity-sources.yaml or in a folder below.',
};

/**
 * Runs a user action on a data source: rejected in an untrusted workspace, prompts for missing secrets first, and uses
 * the catalog that it has read.
 * @param operation gets the data sources file too, if it contains the file's source. @param conditions the signal closes
 * prompts and ends waits. Without `prompt`, the operation fails for a missing secret instead of prompting. With
 * `afterReading`, it waits for running reads of the catalogs that it needs, and fails as they did, because a new
 * connection would take as long again.
 */
export async function operateOnFile<T>(
  server: LanguageServer,
  uri: string,
  operation: (file: GraphFile, sourcesFile: SourcesFile | undefined) => Promise<Outcome<T>>,
  { signal, prompt = true, afterReading = false, onStep }: OperationConditions,
): Promise<Outcome<T>> {
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  const path = pathOfUri(uri);
  if (path === undefined) return { ok: false, error: notOnDisk };
  try {
    const file = await readGraphFile(path, server.project);
    // Without a source there are no prompts; the operation reports the problem.
    const project = await sourceOfFile(server, uri, file).catch(() => undefined);
    for (const source of project && prompt ? sourcesRead(project) : []) {
      if (project) await prepareSource(server, project.sourcesFile, source, signal);
    }
    const unread = project && afterReading && (await failureOfReading(server, project, signal, onStep));
    if (unread) return { ok: false, error: unread };
    const outcome = await operation(file, project?.sourcesFile);
    if (project) await useCatalogsOf(server, uri, project);
    return outcome;
  } catch (error) {
    return { ok: false, error: await failureOf(error, signal) };
  }
}

interface OperationConditions {
  readonly signal: AbortSignal;
  readonly prompt?: boolean | undefined;
  readonly afterReading?: boolean;
  /** Called with each step of the reads that it waits for. */
  readonly onStep?: (step: string) => void;
}

async function failureOfReading(
  { catalogs }: LanguageServer,
  project: SourceOfFile,
  signal: AbortSignal,
  onStep: OperationConditions['onStep'],
): Promise<Failure | undefined> {
  const { sourcesFile } = project;
  const reads = sourcesRead(project).map(async (source) => {
    const key = catalogKey(sourcesFile, source);
    const ended = (): Promise<Failure | undefined> => catalogs.whenRead(key);
    const failure = await (onStep ? catalogs.withSteps(key, onStep, ended) : ended());
    // The read may have begun before the user logged in.
    return failure?.code === 'authentication-failed' && usesBrowserLogin(source) ? undefined : failure;
  });
  const failures = await unlessAborted(Promise.all(reads), signal);
  return failures.find((failure) => failure !== undefined);
}

type SourceOfFile = Pick<Project, 'parsed' | 'sourcesFile' | 'source'>;

/** Parses the file unless an open document is already parsed. */
async function sourceOfFile(server: LanguageServer, uri: string, file: GraphFile): Promise<SourceOfFile> {
  const sourcesFile = await findSources(file.path, server.project);
  const open = await server.documents.whenRead(uri);
  const isOpen = open?.kind === 'graph' && open.text === file.text;
  const above = sourcesFile ? undefined : await sourcesAbove(file.path, server.project);
  return projectOf(file, isOpen ? open.parsed : await readGraphText(file.text), sourcesFile, above);
}

/** Prompts for what a source needs: consent, missing secrets, and a browser login. An aborted signal ends the prompts. */
export async function prepareSource(
  server: LanguageServer,
  sourcesFile: SourcesFile,
  source: DataSource,
  signal: AbortSignal,
): Promise<void> {
  await server.secrets.askForMissing(sourcesFile, source, signal);
  if (signal.aborted) return;
  await server.logins.signIn(sourcesFile, source, { again: false });
}

/** Reads the catalog of the file's source again and validates its open graphs. */
export function refreshCatalog(
  server: LanguageServer,
  uri: string,
  signal: AbortSignal,
  onStep: (step: string) => void,
): Promise<Outcome<{ objects: number }>> {
  const read = async (file: GraphFile): Promise<Outcome<{ objects: number }>> => {
    try {
      const { sourcesFile, source } = await openProject(file, server.project);
      const key = catalogKey(sourcesFile, source);
      const catalog = await server.catalogs.withSteps(key, onStep, () =>
        server.catalogs.refresh(key, sourcesFile, source, signal),
      );
      for (const document of server.documents.all()) server.diagnostics.contextChanged(document.uri);
      return { ok: true, value: { objects: catalog.objects.length } };
    } catch (error) {
      return { ok: false, error: await failureOf(error, signal) };
    }
  };
  return operateOnFile(server, uri, read, { signal });
}

async function useCatalogsOf(server: LanguageServer, uri: string, project: SourceOfFile): Promise<void> {
  const { sourcesFile, parsed } = project;
  const read = dataSourcesRead(parsed.graph);
  for (const source of sourcesFile.sources.sources) {
    if (source !== project.source && !read.includes(source.name.value)) continue;
    const key = catalogKey(sourcesFile, source);
    if (server.catalogs.known(key).catalog) continue;
    await server.catalogs.reload(key, sourcesFile, source);
    if (server.catalogs.known(key).catalog) server.diagnostics.contextChanged(uri);
  }
}

async function failureOf(error: unknown, signal?: AbortSignal): Promise<Failure> {
  const { toFailure } = await import('../../operations/operation-error.ts');
  return toFailure(error, signal);
}
