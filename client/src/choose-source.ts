import { l10n, window } from 'vscode';
import type { DataSourceView } from '../../protocol/language-requests.ts';
import type { DataSourceNode } from './data-sources-view.ts';
import type { GraphLanguage } from './language-client.ts';

/** The data source that the caller passes, the only one, else the user's choice; undefined when there is none or it is dismissed. */
export async function chooseSource(language: GraphLanguage, given: unknown): Promise<DataSourceView | undefined> {
  const node = given as DataSourceNode | undefined;
  if (node && 'source' in node) return node.source;
  const sources = await language.request('entityGraph/allDataSources', {});
  if (sources.length === 0) {
    void window.showInformationMessage(l10n.t('There is no data source in this workspace yet: add one first.'));
    return undefined;
  }
  if (sources.length === 1) return sources[0];
  const items = sources.map((source) => ({ label: source.name, description: source.kind, source }));
  return (await window.showQuickPick(items, { placeHolder: l10n.t('Data source') }))?.source;
}
