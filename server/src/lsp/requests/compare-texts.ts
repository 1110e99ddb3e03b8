import type { TextComparison } from '../../../../protocol/compared-canvas.ts';
import type { LanguageRequests } from '../../../../protocol/language-requests.ts';
import type { Outcome } from '../../../../protocol/query-results.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import type { ComparedTexts } from '../../engine/engine-methods.ts';
import type { GraphFile, SourcesFile } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import type { LanguageServer } from '../language-server.ts';
import { operateOnFile } from './source-operations.ts';

/** Compares the text of a file with another one, and keeps the result for its code lenses; that of a proposed text is only given. */
export async function compareTexts(
  server: LanguageServer,
  { uri, base, reads = false, proposed, progressToken }: LanguageRequests['entityGraph/compareTexts']['params'],
  signal: AbortSignal,
): Promise<Outcome<TextComparison>> {
  const onProgress = server.reporting(progressToken);
  let text = '';
  const outcome = await operateOnFile(
    server,
    uri,
    async (saved, sourcesFile) => {
      const file = proposed === undefined ? saved : { ...saved, text: proposed };
      text = file.text;
      const services = await server.services();
      const isOffline = !reads && !(await readsFilesOnly(file, sourcesFile));
      return services.compareTexts(file, { base, isOffline }, { signal, onProgress });
    },
    { signal, prompt: reads },
  );
  // It may have been stopped, or the document closed, while the answer was under way.
  if (proposed === undefined) {
    if (outcome.ok && !signal.aborted && server.documents.isOpen(uri))
      server.comparisons.set(uri, { effect: outcome.value.effect, text });
    server.lensesChanged();
  }
  return outcome.ok ? { ok: true, value: await withCanvas(outcome.value, text) } : outcome;
}

async function withCanvas({ effect, baseText }: ComparedTexts, text: string): Promise<TextComparison> {
  const { comparedCanvas } = await import('../../language/compared-canvas.ts');
  const now = await readGraphText(text);
  const base = baseText === undefined ? undefined : await readGraphText(baseText);
  return { effect, canvas: comparedCanvas(effect, now, base, new Date().toISOString()) };
}

async function readsFilesOnly(file: GraphFile, sourcesFile: SourcesFile | undefined): Promise<boolean> {
  const { graph } = await readGraphText(file.text);
  const named = dataSourcesNamed(graph).map((name) =>
    sourcesFile?.sources.sources.find((source) => source.name.value === name),
  );
  return named.every((source) => sourceKind(source?.kind?.value)?.capabilities.isAtHand === true);
}

/** Removes the code lenses of the comparison. */
export function stopComparing({ comparisons, lensesChanged }: LanguageServer, uri: string): Promise<null> {
  comparisons.delete(uri);
  lensesChanged();
  return Promise.resolve(null);
}
