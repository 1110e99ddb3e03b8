import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { DocumentLink, DocumentLinkParams } from 'vscode-languageserver/node';
import type { LinkCache } from '../../language/document-links.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { computeInSlices } from '../documents/compute-in-slices.ts';
import type { OpenGraph } from '../documents/open-documents.ts';
import type { LanguageServer } from '../language-server.ts';
import type { RequestWork } from '../request-guard.ts';

/** `textDocument/documentLink` */
export function createDocumentLinks({
  documents,
  contexts,
  abilities,
}: LanguageServer): RequestWork<DocumentLinkParams, DocumentLink[]> {
  const cache: LinkCache = new WeakMap();

  /** Links the data source name to its line in the sources file. */
  function sourceLink(graph: OpenGraph): DocumentLink[] {
    const { dataSource } = graph.parsed.graph;
    const found = contexts.sourceOf(graph);
    if (!dataSource || !found) return [];
    const { path, text } = found.sourcesFile;
    const { line, character } = createLineIndex(text).position(found.source.name.range.start);
    // Line and column in a URI fragment are 1-based; clients without support open the file.
    const target = `${pathToFileURL(path).href}#L${line + 1},${character + 1}`;
    const link = { range: graph.lines.range(dataSource.range), target };
    return [abilities().forms.linkTooltips ? { ...link, tooltip: 'Go to its settings' } : link];
  }

  return async ({ textDocument }, signal) => {
    const { findingLinks } = await import('../../language/document-links.ts');
    const opened = documents.get(textDocument.uri);
    if (opened?.kind === 'graph') await contexts.searched(opened);
    // The text may have changed while the sources file was searched.
    const links = await computeInSlices(documents, textDocument.uri, signal, function* (document) {
      const folder = document.path === undefined ? undefined : dirname(document.path);
      const written = (yield* findingLinks(document.parsed.yaml, cache)).flatMap(({ range, target }) => {
        const shown = { range: document.lines.range(range) };
        if (target.kind === 'url') return { ...shown, target: target.value };
        // In an entity graph, path-like texts are columns.
        return folder === undefined || document.kind === 'graph'
          ? []
          : { ...shown, target: pathToFileURL(resolve(folder, target.value)).href };
      });
      return document.kind === 'graph' ? [...sourceLink(document), ...written] : written;
    });
    return links ?? [];
  };
}
