import type { PlatformAction } from '../../../../protocol/platform-actions.ts';
import type { Outcome } from '../../../../protocol/query-results.ts';
import type { platformRequests } from '../../../../protocol/requests/platform-requests.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { createLineIndex } from '../../model/line-index.ts';
import {
  type SourcesFile,
  findSource,
  openProject,
  readGraphFile,
  readSourcesFile,
} from '../../project/open-project.ts';
import { diskPath } from '../file-uri.ts';
import type { Handlers } from './request-handlers.ts';
import type { LanguageServer } from '../language-server.ts';
import { catalogKey } from '../../project/catalog-freshness.ts';
import { prepareSource, untrusted } from './source-operations.ts';

const explorer = () => import('../../operations/platform/api-explorer.ts');

/** Staged rows may come from a query, whose source may need secrets too. */
async function prepareRows(server: LanguageServer, action: PlatformAction, signal: AbortSignal): Promise<void> {
  if (action.kind !== 'stage rows' || action.rows.kind !== 'query') return;
  const { sourcesFile, source } = await openProject(
    await readGraphFile(action.rows.graph, server.project),
    server.project,
  );
  await prepareSource(server, sourcesFile, source, signal);
}

/** Actions on a data source. */
export function createPlatformRequests(server: LanguageServer): Handlers<typeof platformRequests> {
  async function atSource<T>(
    { uri, dataSource }: { readonly uri: string; readonly dataSource: string },
    signal: AbortSignal,
    work: (sourcesFile: SourcesFile, source: DataSource) => Promise<T>,
  ): Promise<Outcome<T>> {
    if (!server.isTrusted()) return { ok: false, error: untrusted };
    const { toOutcome } = await import('../../operations/operation-error.ts');
    return toOutcome(async () => {
      const sourcesFile = await readSourcesFile(diskPath(uri), server.project);
      return work(sourcesFile, findSource(sourcesFile, dataSource));
    }, signal);
  }

  return {
    'entityGraph/previewAction': (params, signal) =>
      atSource(params, signal, async (sourcesFile, source) => {
        await prepareRows(server, params.action, signal);
        const { previewAction } = await import('../../operations/platform/platform-actions.ts');
        const { action, progressToken } = params;
        const onProgress = server.reporting(progressToken);
        return previewAction(sourcesFile, source, action, server.project, { signal, onProgress });
      }),
    'entityGraph/runAction': (params, signal) =>
      atSource(params, signal, async (sourcesFile, source) => {
        await prepareSource(server, sourcesFile, source, signal);
        await prepareRows(server, params.action, signal);
        const { runAction } = await import('../../operations/platform/platform-actions.ts');
        const { action, progressToken } = params;
        const onProgress = server.reporting(progressToken);
        return runAction(sourcesFile, source, action, server.project, { signal, onProgress });
      }),
    'entityGraph/apiView': (params, signal) =>
      atSource(params, signal, async (sourcesFile, source) => {
        const { uri, dataSource } = params;
        await prepareSource(server, sourcesFile, source, signal);
        const { catalog } = server.catalogs.known(catalogKey(sourcesFile, source));
        const view = await (await explorer()).exploreSource(sourcesFile, source, server.project, catalog);
        return { uri, dataSource, ...view };
      }),
    'entityGraph/apiText': (params, signal) =>
      atSource(params, signal, async (sourcesFile, source) =>
        (await explorer()).exploreText(sourcesFile, source, params.request, server.project),
      ),
    'entityGraph/apiSend': (params, signal) =>
      atSource(params, signal, async (sourcesFile, source) => {
        await prepareSource(server, sourcesFile, source, signal);
        return (await explorer()).exploreSend(sourcesFile, source, params.request, server.project, signal);
      }),
    'entityGraph/apiEntry': (params, signal) =>
      atSource(params, signal, async (sourcesFile, source) => {
        const { catalog } = server.catalogs.known(catalogKey(sourcesFile, source));
        const { entryEdit } = await explorer();
        const { edits, notes } = await entryEdit(sourcesFile, source, params.request, params.list, catalog);
        const open = server.documents.get(params.uri);
        const lines = createLineIndex(sourcesFile.text);
        // Edits for an outdated document version are requested again.
        const version = open?.text === sourcesFile.text ? open.version : -1;
        return { version, notes, edits: edits.map(({ range, newText }) => ({ range: lines.range(range), newText })) };
      }),
  };
}
