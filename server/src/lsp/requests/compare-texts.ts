import type { TextComparison } from '../../../../protocol/compared-canvas.ts';
import type { LanguageRequests } from '../../../../protocol/language-requests.ts';
import type { Failure, Outcome, TestQueryResult } from '../../../../protocol/query-results.ts';
import { sourceKind } from '../../connectors/source-kinds.ts';
import { dataSourcesNamed } from '../../model/data-sources-used.ts';
import type { ComparedTexts } from '../../engine/engine-methods.ts';
import type { GraphFile, SourcesFile } from '../../project/open-project.ts';
import { readGraphText } from '../../project/parse-in-slices.ts';
import { deleteStores } from '../kept-comparisons.ts';
import type { LanguageServer } from '../language-server.ts';
import { operateOnFile, untrusted } from './source-operations.ts';

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
      const keepsStores = proposed === undefined;
      return services.compareTexts(file, { base, isOffline, keepsStores }, { signal, onProgress });
    },
    { signal, prompt: reads },
  );
  // It may have been stopped, or the document closed, while the answer was under way.
  if (proposed === undefined) {
    if (outcome.ok) {
      const { effect, stores } = outcome.value;
      if (!signal.aborted && server.documents.isOpen(uri)) server.comparisons.set(uri, { effect, stores, text });
      else if (stores) await deleteStores(stores);
    }
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

/** The rows behind a number of the comparison of a file, or of what some of its edits do alone. */
export async function comparedRows(
  server: LanguageServer,
  { uri, edits, ...of }: LanguageRequests['entityGraph/comparedRows']['params'],
  signal: AbortSignal,
): Promise<Outcome<TestQueryResult>> {
  if (!server.isTrusted()) return { ok: false, error: untrusted };
  const { effect, stores } = server.comparisons.get(uri) ?? {};
  const store = edits === undefined ? stores?.after : stores?.parts[edits];
  if (!effect || !stores || store === undefined) return { ok: false, error: notCompared };
  const file = { path: effect.file, text: '' };
  const outcome = await server.graphs.changedRows({ stores: { store, previous: stores.before }, file, of }, signal);
  // The graph of the last import has been replaced by two later ones.
  return !outcome.ok && outcome.error.code === 'no-earlier-run' ? { ok: false, error: notCompared } : outcome;
}

const notCompared: Failure = {
  code: 'no-earlier-run',
  message: 'The graphs of this comparison are not there any more.',
  remedy: 'Compare again: Compare with…',
};

/** Removes the code lenses of the comparison, and its graphs. */
export function stopComparing({ comparisons, lensesChanged }: LanguageServer, uri: string): Promise<null> {
  comparisons.delete(uri);
  lensesChanged();
  return Promise.resolve(null);
}
