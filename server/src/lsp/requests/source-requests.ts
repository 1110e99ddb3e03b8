import { pathToFileURL } from 'node:url';
import type { LanguageRequests, RequestParams } from '../../../../protocol/language-requests.ts';
import type { UnreadableView } from '../../../../protocol/requests/lifecycle-requests.ts';
import type {
  ColumnUseView,
  DataSourceView,
  DataSourcesView,
  sourceRequests,
} from '../../../../protocol/requests/source-requests.ts';
import type { Failure, Outcome } from '../../../../protocol/query-results.ts';
import { type Catalog, findDataObject } from '../../catalog/catalog.ts';
import { abilitiesOf, sourceKindView } from '../../connectors/source-kind.ts';
import { sourceKind, sourceKinds } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import type { JsonObject } from '../../model/edits/json-value.ts';
import { applyEdits } from '../../model/edits/text-edit.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { parseDataSources } from '../../model/parse-data-sources.ts';
import type { Problem } from '../../model/problem.ts';
import { referenceNames } from '../../model/value-references.ts';
import { listSourcesFiles } from '../../project/list-entity-files.ts';
import { type SourcesFile, findSource, readSourcesFile } from '../../project/open-project.ts';
import { cannotRead, readTextFile } from '../../project/read-text-file.ts';
import { columnView, dataObjectsView } from './catalog-views.ts';
import { diskPath } from '../file-uri.ts';
import type { Handlers } from './request-handlers.ts';
import type { LanguageServer } from '../language-server.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { outputWords } from '../../lineage/output-words.ts';
import { namesColumn } from '../../lineage/trace.ts';
import { unlessAborted } from '../request-guard.ts';
import { prepareSource, untrusted } from './source-operations.ts';

/** Requests of the Data Sources view. */
export function createSourceRequests(
  server: LanguageServer,
  folders: () => readonly string[],
): Handlers<typeof sourceRequests> {
  return {
    'entityGraph/sourceKinds': () => Promise.resolve(sourceKinds().map(sourceKindView)),
    'entityGraph/allDataSources': () => allDataSources(server, folders),
    async 'entityGraph/secretUses'({ uri, dataSource, draft }) {
      if (!server.isTrusted()) return [];
      const sourcesFile = await sourcesFileAt(server, uri, draft).catch(() => undefined);
      const source = sourcesFile?.sources.sources.find(({ name }) => name.value === dataSource);
      return sourcesFile && source ? server.secrets.usesOf(sourcesFile, source) : [];
    },
    async 'entityGraph/signIn'({ uri, dataSource }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../../operations/operation-error.ts');
      return toOutcome(async () => {
        const sourcesFile = await readSourcesFile(diskPath(uri), server.project);
        const source = findSource(sourcesFile, dataSource);
        await server.secrets.askForMissing(sourcesFile, source, signal);
        return { signedIn: await server.logins.signIn(sourcesFile, source, { again: true }) };
      }, signal);
    },
    'entityGraph/sourceObjects': (params, signal) => withCatalog(server, params, signal, dataObjectsView),
    'entityGraph/sourceColumns': ({ dataObject, ...params }, signal) =>
      withCatalog(server, params, signal, (catalog) =>
        (findDataObject(catalog, dataObject)?.columns ?? []).map((column) => columnView({ name: column.name, column })),
      ),
    'entityGraph/columnUses': (params, signal) => columnUses(server, folders(), params, signal),
    async 'entityGraph/previewObject'({ uri, dataSource, dataObject, progressToken }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../../operations/operation-error.ts');
      const { previewObject } = await import('../../operations/queries/preview-object.ts');
      const { previewRows, queryTimeoutMs } = await server.settings(uri);
      return toOutcome(async () => {
        const sourcesFile = await readSourcesFile(diskPath(uri), server.project);
        await prepareSource(server, sourcesFile, findSource(sourcesFile, dataSource), signal);
        return previewObject(sourcesFile, dataSource, dataObject, server.project, {
          signal,
          limit: previewRows,
          timeoutMs: queryTimeoutMs,
          onProgress: server.reporting(progressToken),
        });
      }, signal);
    },
    async 'entityGraph/diagnoseSource'({ uri, dataSource, draft, progressToken }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../../operations/operation-error.ts');
      const { diagnoseSource } = await import('../../operations/sources/diagnose-source.ts');
      return toOutcome(async () => {
        const sourcesFile = await sourcesFileAt(server, uri, draft);
        const source = sourcesFile.sources.sources.find(({ name }) => name.value === dataSource);
        if (source) await prepareSource(server, sourcesFile, source, signal);
        return diagnoseSource(sourcesFile, dataSource, server.project, {
          signal,
          onProgress: server.reporting(progressToken),
        });
      }, signal);
    },
    async 'entityGraph/addDataSource'({ uri, name, settings }) {
      const { addDataSource } = await import('../../model/edits/add-data-source.ts');
      const { OperationError, toOutcome } = await import('../../operations/operation-error.ts');
      return toOutcome(async () => {
        const path = diskPath(uri);
        const open = server.documents.get(uri);
        const text = open?.text ?? (await readTextFile(path).catch(() => ''));
        const outcome = addDataSource(text, name, settings as JsonObject);
        if ('refusal' in outcome)
          throw new OperationError({ code: 'edit-refused', message: outcome.refusal, file: path });
        const lines = createLineIndex(text);
        const edits = outcome.edits.map(({ range, newText }) => ({ range: lines.range(range), newText }));
        return { version: open?.version ?? 0, edits, text: applyEdits(text, outcome.edits) };
      });
    },
  };
}

/** What a column feeds in the graphs of its sources file. */
async function columnUses(
  server: LanguageServer,
  folders: readonly string[],
  { uri, ...column }: RequestParams<'entityGraph/columnUses'>,
  signal: AbortSignal,
): Promise<Outcome<readonly ColumnUseView[]>> {
  const { toOutcome } = await import('../../operations/operation-error.ts');
  const { columnOutputs } = await import('../features/column-places.ts');
  return toOutcome(async () => {
    const sourcesFile = await readSourcesFile(diskPath(uri), server.project);
    const graphs = await columnOutputs(server, folders, sourcesFile, column, signal);
    return graphs.flatMap(({ places: { uri: graph, lines }, found }) =>
      found.map((output) => ({
        uri: graph,
        range: lines.range(output.range),
        words: outputWords(output),
        isDirect: namesColumn(output, column),
      })),
    );
  }, signal);
}

async function allDataSources(server: LanguageServer, folders: () => readonly string[]): Promise<DataSourcesView> {
  const unreadable: UnreadableView[] = [];
  const { toFailure } = await import('../../operations/operation-error.ts');
  const failed = (path: string, error: Failure): void => void unreadable.push({ uri: pathToFileURL(path).href, error });
  const listed = folders().map((folder) =>
    listSourcesFiles(folder).catch((error: unknown) => {
      failed(folder, toFailure(cannotRead(folder, error)));
      return [];
    }),
  );
  const files = [...new Set((await Promise.all(listed)).flat())];
  const views = files.map(async (path): Promise<readonly DataSourceView[]> => {
    try {
      const sourcesFile = await readSourcesFile(path, server.project);
      const [mistake] = sourcesFile.problems;
      if (mistake) failed(path, mistakeIn(sourcesFile, mistake));
      return await viewsOf(server, sourcesFile);
    } catch (error) {
      failed(path, toFailure(error));
      return [];
    }
  });
  return { sources: (await Promise.all(views)).flat(), unreadable };
}

/** The catalog of a source; read from it on request only, which may prompt for secrets. */
async function withCatalog<T>(
  server: LanguageServer,
  { uri, dataSource, refresh = false, progressToken }: LanguageRequests['entityGraph/sourceObjects']['params'],
  signal: AbortSignal,
  use: (catalog: Catalog) => T,
): Promise<Outcome<T>> {
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  const { OperationError, toOutcome } = await import('../../operations/operation-error.ts');
  const onStep = server.reporting(progressToken);
  return toOutcome(async () => {
    const sourcesFile = await readSourcesFile(diskPath(uri), server.project);
    const source = findSource(sourcesFile, dataSource);
    const catalog = await server.catalogs.withSteps(catalogKey(sourcesFile, source), onStep, () =>
      refresh ? readAnew(server, sourcesFile, source, signal) : known(server, sourcesFile, source, uri, signal),
    );
    if (catalog) return use(catalog);
    const { failure } = server.catalogs.known(catalogKey(sourcesFile, source));
    throw new OperationError(
      failure ?? { code: 'catalog-unknown', message: `The data objects of ${dataSource} are not known yet.` },
    );
  }, signal);
}

async function readAnew(
  server: LanguageServer,
  sourcesFile: SourcesFile,
  source: DataSource,
  signal: AbortSignal,
): Promise<Catalog> {
  await prepareSource(server, sourcesFile, source, signal);
  const catalog = await server.catalogs.refresh(catalogKey(sourcesFile, source), sourcesFile, source, signal);
  for (const document of server.documents.all()) server.diagnostics.contextChanged(document.uri);
  return catalog;
}

async function known(
  server: LanguageServer,
  sourcesFile: SourcesFile,
  source: DataSource,
  uri: string,
  signal: AbortSignal,
): Promise<Catalog | undefined> {
  const key = catalogKey(sourcesFile, source);
  const { readCatalogInBackground } = await server.settings(uri);
  const stop = (): void => server.catalogs.stop(key);
  signal.addEventListener('abort', stop, { once: true });
  try {
    await server.catalogs.load(key, sourcesFile, source, readCatalogInBackground);
    // While another view reads the source again, an earlier failure is outdated.
    if (!server.catalogs.known(key).catalog) await unlessAborted(server.catalogs.whenRead(key), signal);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  return server.catalogs.known(key).catalog;
}

async function viewsOf(server: LanguageServer, sourcesFile: SourcesFile): Promise<readonly DataSourceView[]> {
  const lines = createLineIndex(sourcesFile.text);
  const views = sourcesFile.sources.sources.map(async (source): Promise<DataSourceView> => {
    const { catalog } = server.catalogs.known(catalogKey(sourcesFile, source));
    const kind = sourceKind(source.kind?.value);
    return {
      uri: pathToFileURL(sourcesFile.path).href,
      name: source.name.value,
      kind: source.kind?.value ?? '',
      icon: kind?.icon ?? 'globe',
      abilities: kind ? abilitiesOf(kind) : [],
      recordKey: kind?.writer?.recordKey.name,
      range: lines.range(source.name.range),
      ...secretsOf(server, source),
      // A path may refer to another machine, which an untrusted workspace must not contact.
      uses: server.isTrusted() ? await server.secrets.usesOf(sourcesFile, source) : [],
      objectCount: catalog?.objects.length,
    };
  });
  return Promise.all(views);
}

function secretsOf(
  server: LanguageServer,
  { settings }: DataSource,
): Pick<DataSourceView, 'secrets' | 'secretVariables'> {
  const { secrets } = referenceNames(settings);
  // The environment is not for an untrusted workspace.
  const variables = server.isTrusted()
    ? secrets.flatMap((name) => {
        const variable = server.secrets.variableOf(name);
        return variable === undefined ? [] : [[name, variable] as const];
      })
    : [];
  return { secrets, secretVariables: variables.length > 0 ? Object.fromEntries(variables) : undefined };
}

/** The sources file with this URI; with a draft, its unsaved text. */
async function sourcesFileAt(
  { project }: LanguageServer,
  uri: string,
  draft: string | undefined,
): Promise<SourcesFile> {
  const path = diskPath(uri);
  if (draft === undefined) return readSourcesFile(path, project);
  return { path, text: draft, ...parseDataSources(draft) };
}

/** A syntax error, which may hide sources. */
function mistakeIn({ path, text }: SourcesFile, { code, message, range }: Problem): Failure {
  return { code, message, file: path, range: createLineIndex(text).range(range) };
}
