import { pathToFileURL } from 'node:url';
import type { DataSourceView } from '../../../protocol/language-requests.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { type Catalog, findDataObject } from '../catalog/catalog.ts';
import type { DataSource } from '../model/data-sources.ts';
import { createLineIndex } from '../model/line-index.ts';
import { listSourcesFiles } from '../project/list-entity-files.ts';
import { type SourcesFile, findSource, readSourcesFile } from '../project/open-project.ts';
import { columnView, dataObjectsView } from './catalog-views.ts';
import { pathOfUri } from './file-uri.ts';
import type { GraphRequests } from './graph-requests.ts';
import type { LanguageServer } from './language-server.ts';
import { catalogKey } from './source-catalogs.ts';
import { prepareSource, untrusted } from './source-operations.ts';

type SourceMethod =
  'entityGraph/allDataSources' | 'entityGraph/sourceObjects' | 'entityGraph/sourceColumns' | 'entityGraph/signIn';

/** What the view of data sources asks for. */
export function createSourceRequests(
  server: LanguageServer,
  folders: () => readonly string[],
): Pick<GraphRequests, SourceMethod> {
  /** The catalog of a source; read from it only when asked, which may ask for secrets. */
  async function withCatalog<T>(
    { uri, dataSource, refresh = false }: { uri: string; dataSource: string; refresh?: boolean },
    signal: AbortSignal,
    use: (catalog: Catalog) => T,
  ): Promise<Outcome<T>> {
    if (!server.isTrusted()) return { ok: false, error: untrusted };
    const { OperationError, toOutcome } = await import('../operations/operation-error.ts');
    return toOutcome(async () => {
      const sourcesFile = await readSourcesFile(pathOfUri(uri) ?? '', server.project);
      const source = findSource(sourcesFile, dataSource);
      const catalog = refresh ? await readAnew(sourcesFile, source, signal) : await known(sourcesFile, source, uri);
      if (catalog) return use(catalog);
      const { unknownBecause } = server.catalogs.known(catalogKey(sourcesFile, source));
      throw new OperationError({
        code: 'catalog-unknown',
        message: unknownBecause ?? `The tables of ${dataSource} are not known yet.`,
      });
    }, signal);
  }

  async function readAnew(sourcesFile: SourcesFile, source: DataSource, signal: AbortSignal): Promise<Catalog> {
    await prepareSource(server, sourcesFile, source);
    const catalog = await server.catalogs.refresh(catalogKey(sourcesFile, source), sourcesFile, source, signal);
    for (const document of server.documents.all()) server.diagnostics.contextChanged(document.uri);
    return catalog;
  }

  async function known(sourcesFile: SourcesFile, source: DataSource, uri: string): Promise<Catalog | undefined> {
    const key = catalogKey(sourcesFile, source);
    const { readCatalogInBackground } = await server.settings(uri);
    await server.catalogs.load(key, sourcesFile, source, readCatalogInBackground);
    return server.catalogs.known(key).catalog;
  }

  return {
    async 'entityGraph/allDataSources'() {
      const found = await Promise.all(folders().map((folder) => listSourcesFiles(folder).catch(() => [])));
      const files = [...new Set(found.flat())];
      const views = files.map(async (path): Promise<readonly DataSourceView[]> => {
        const { text, sources } = await readSourcesFile(path, server.project);
        const lines = createLineIndex(text);
        return sources.sources.map(({ name, kind }) => ({
          uri: pathToFileURL(path).href,
          name: name.value,
          kind: kind?.value ?? '',
          range: lines.range(name.range),
        }));
      });
      // A file that cannot be read has no sources; the Problems view says why.
      return (await Promise.all(views.map((view) => view.catch(() => [])))).flat();
    },
    async 'entityGraph/signIn'({ uri, dataSource }, signal) {
      if (!server.isTrusted()) return { ok: false, error: untrusted };
      const { toOutcome } = await import('../operations/operation-error.ts');
      return toOutcome(async () => {
        const sourcesFile = await readSourcesFile(pathOfUri(uri) ?? '', server.project);
        const source = findSource(sourcesFile, dataSource);
        await server.secrets.askForMissing(source);
        return { signedIn: await server.logins.signIn(sourcesFile, source, { again: true }) };
      }, signal);
    },
    'entityGraph/sourceObjects': (params, signal) => withCatalog(params, signal, dataObjectsView),
    'entityGraph/sourceColumns': ({ dataObject, ...params }, signal) =>
      withCatalog(params, signal, (catalog) =>
        (findDataObject(catalog, dataObject)?.columns ?? []).map((column) => columnView({ name: column.name, column })),
      ),
  };
}
