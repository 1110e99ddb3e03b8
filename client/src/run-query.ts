import type { Uri } from 'vscode';
import type { Query } from './query-history.ts';
import type { ResultsPanel } from './results-panel.ts';
import { offerRemedy } from './show-failure.ts';

/**
 * Runs a query in the results panel, and offers the remedy of a failure; once the secret is set, the query runs again.
 * @param graph entity graph of the query
 */
export async function runQuery(results: ResultsPanel, query: Query, graph?: Uri): Promise<void> {
  const outcome = await results.run(query);
  if (outcome && !outcome.ok) await offerRemedy(outcome.error, graph, () => runQuery(results, query, graph));
}
