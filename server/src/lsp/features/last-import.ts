import type { LensCounts } from '../../language/code-lens.ts';
import type { GraphContexts } from '../diagnostics/graph-contexts.ts';
import type { OpenDocuments, OpenGraph } from '../documents/open-documents.ts';

/**
 * Totals of a graph's last import; none without one. Not current if the graph was edited while they were read, because
 * ranges would be outdated.
 */
export async function lastImport(
  graph: OpenGraph,
  documents: OpenDocuments,
  contexts: GraphContexts,
): Promise<{ readonly isCurrent: boolean; readonly counts?: LensCounts | undefined }> {
  const { importedCounts } = await import('../../operations/imports/imported-counts.ts');
  const sourcesFile = contexts.sourceOf(graph)?.sourcesFile;
  const counts = sourcesFile && graph.path !== undefined ? await importedCounts(graph.path, sourcesFile) : undefined;
  const isCurrent = documents.get(graph.uri)?.version === graph.version;
  return { isCurrent, counts };
}
