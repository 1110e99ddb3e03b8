import type { LensCounts } from '../../language/code-lens.ts';
import type { GraphContexts } from '../diagnostics/graph-contexts.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';

/**
 * What the last import of a graph brought; no counts when it was never imported. Not current when the graph was typed in
 * while they were read: the places would be those of another text.
 */
export async function lastImport(
  graph: OpenGraph,
  documents: OpenDocuments,
  contexts: GraphContexts,
): Promise<{ readonly isCurrent: boolean; readonly counts?: LensCounts }> {
  const { importedCounts } = await import('../../operations/imports/imported-counts.ts');
  const sourcesFile = contexts.sourceOf(graph)?.sourcesFile;
  const counts = sourcesFile && graph.path !== undefined ? await importedCounts(graph.path, sourcesFile) : undefined;
  const isCurrent = documents.get(graph.uri)?.version === graph.version;
  return { isCurrent, ...(counts ? { counts } : {}) };
}
