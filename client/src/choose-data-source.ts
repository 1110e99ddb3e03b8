import { Uri, l10n, window, workspace } from 'vscode';
import type { DataSourceView } from '../../protocol/language-requests.ts';
import type { DataSourceNode } from './data-source-items.ts';
import type { GraphLanguage } from './language-client.ts';

/**
 * The data source of the row that a command was called on, the only one, else one that the user chooses; undefined when there is none or
 * it is dismissed.
 * @param kinds those that the command is for; all when not given.
 */
export async function chooseDataSource(
  language: GraphLanguage,
  given: unknown,
  kinds?: readonly string[],
): Promise<DataSourceView | undefined> {
  const node = given as DataSourceNode | undefined;
  if (node && 'source' in node) return node.source;
  const all = await language.request('entityGraph/allDataSources', {});
  const sources = all.sources.filter(({ kind }) => kinds?.includes(kind) ?? true);
  if (sources.length === 0) {
    void window.showInformationMessage(
      kinds
        ? l10n.t('There is no data source of kind {0}.', kinds.join(', '))
        : l10n.t('There is no data source in this workspace yet: add one first.'),
    );
    return undefined;
  }
  if (sources.length === 1) return sources[0];
  const options = { placeHolder: l10n.t('Data source'), matchOnDescription: true };
  return (await window.showQuickPick(sources.map(sourceItem), options))?.source;
}

/** A source as it is chosen from several: files of a workspace may have sources of one name. */
export function sourceItem(source: DataSourceView): {
  readonly label: string;
  readonly description: string;
  readonly source: DataSourceView;
} {
  const place = workspace.asRelativePath(Uri.parse(source.uri));
  return { label: source.name, description: `${source.kind} · ${place}`, source };
}
