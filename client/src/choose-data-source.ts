import { window } from 'vscode';
import type { DataSourceView } from '../../protocol/language-requests.ts';
import type { DataSourceNode } from './data-sources-view.ts';
import type { GraphLanguage } from './language-client.ts';

/** The data source of the row that a command was called on, else one that the user chooses; undefined when dismissed. */
export async function chooseDataSource(
  language: GraphLanguage,
  given: unknown,
  kinds: readonly string[] = ['servicenow', 'rest'],
): Promise<DataSourceView | undefined> {
  const node = given as DataSourceNode | undefined;
  if (node && 'source' in node) return node.source;
  const all = await language.request('entityGraph/allDataSources', {});
  const sources = all.filter(({ kind }) => kinds.includes(kind));
  if (sources.length <= 1) {
    if (sources.length === 0)
      void window.showInformationMessage(`There is no data source of kind ${kinds.join(' or ')}.`);
    return sources[0];
  }
  const items = sources.map((source) => ({ label: source.name, description: source.kind, source }));
  return (await window.showQuickPick(items, { title: 'Data Source' }))?.source;
}
