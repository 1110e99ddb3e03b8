import type { GraphKnowledge } from '../../language/graph-notes.ts';
import type { ValidatedGraphs } from '../diagnostics/validated-graphs.ts';
import type { GraphContexts } from '../diagnostics/graph-contexts.ts';
import type { OpenGraph } from '../documents/open-documents.ts';

export interface KnownGraph {
  readonly document: OpenGraph;
  readonly knowledge: GraphKnowledge;
}

/** The problems of the latest version of an open graph and its last import; undefined when not open. */
export async function graphKnowledge(
  uri: string,
  validatedGraphs: ValidatedGraphs,
  contexts: Pick<GraphContexts, 'sourceOf'>,
): Promise<KnownGraph | undefined> {
  const diagnosed = await validatedGraphs.of(uri);
  if (!diagnosed) return undefined;
  const { document, problems } = diagnosed;
  const { importedText } = await import('../../operations/imports/imported-counts.ts');
  const sourcesFile = contexts.sourceOf(document)?.sourcesFile;
  const last = sourcesFile && document.path !== undefined ? await importedText(document.path, sourcesFile) : undefined;
  if (!last) return { document, knowledge: { problems } };
  const { text, counts } = last;
  const isModifiedSince = text !== undefined && text !== document.text;
  return { document, knowledge: { problems, imported: { isModifiedSince, counts } } };
}
