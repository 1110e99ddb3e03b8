import type { OtherSourceView } from '../../../../protocol/canvas-intents.ts';
import type { Failure, Outcome } from '../../../../protocol/query-results.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import type { SourcesFile } from '../../project/open-project.ts';
import type { LanguageServer } from '../language-server.ts';
import { unlessAborted } from '../request-guard.ts';
import { dataObjectsView } from './catalog-views.ts';
import { prepareSource, untrusted } from './source-operations.ts';

/**
 * The other data sources of the sources file of an open graph, with their known data objects. Opening a canvas
 * contacts only the data sources that the graph names; others are read on request.
 * @param read the data source to read, which may ask for its secrets
 */
export async function otherSources(
  server: LanguageServer,
  { uri, read }: { readonly uri: string; readonly read?: string | undefined },
  signal: AbortSignal,
): Promise<Outcome<readonly OtherSourceView[]>> {
  const document = await server.documents.whenRead(uri);
  if (document?.kind !== 'graph') return { ok: true, value: [] };
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  await unlessAborted(server.contexts.follow(document), signal);
  const main = server.contexts.sourceOf(document);
  if (!main) return { ok: true, value: [] };
  const { sourcesFile } = main;
  const named = new Set(dataSourcesNamed(document.parsed.graph));
  const others = sourcesFile.sources.sources.filter((source) => source !== main.source);
  const views = others.map(async (source): Promise<OtherSourceView> => {
    const dataSource = source.name.value;
    const failure = dataSource === read ? await readFailure(server, sourcesFile, source, signal) : undefined;
    const catalog = failure ? { ok: false as const, error: failure } : await knownObjects(server, sourcesFile, source);
    const kind = sourceKind(source.kind?.value)?.label ?? source.kind?.value ?? '';
    return { dataSource, kind, isNamed: named.has(dataSource), catalog };
  });
  return { ok: true, value: await Promise.all(views) };
}

/** Reads a source unless it is known; returns why it could not be read. */
async function readFailure(
  server: LanguageServer,
  sourcesFile: SourcesFile,
  source: DataSource,
  signal: AbortSignal,
): Promise<Failure | undefined> {
  const key = catalogKey(sourcesFile, source);
  if (server.catalogs.known(key).catalog) return undefined;
  const { toOutcome } = await import('../../operations/operation-error.ts');
  const outcome = await toOutcome(async () => {
    await prepareSource(server, sourcesFile, source, signal);
    await server.catalogs.refresh(key, sourcesFile, source, signal);
  }, signal);
  if (!outcome.ok) return outcome.error;
  for (const { uri } of server.documents.all()) server.diagnostics.contextChanged(uri);
  return undefined;
}

/** The catalog in memory, else the one cached on disk. */
async function knownObjects(
  server: LanguageServer,
  sourcesFile: SourcesFile,
  source: DataSource,
): Promise<OtherSourceView['catalog']> {
  const key = catalogKey(sourcesFile, source);
  // A failure to read the cache leaves the source unknown.
  await server.catalogs.reload(key, sourcesFile, source).catch(() => undefined);
  const { catalog, failure, reading } = server.catalogs.known(key);
  if (catalog) return { ok: true, value: dataObjectsView(catalog) };
  // While the source is read again, an earlier failure is outdated.
  if (reading) {
    server.catalogs.repeatState(key);
    return undefined;
  }
  return failure && { ok: false, error: failure };
}
