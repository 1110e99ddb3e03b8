import { Uri, l10n, window, workspace } from 'vscode';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import type { SourceAbility } from '../../protocol/source-kinds.ts';
import type { DataSourceNode } from './data-source-items.ts';
import type { GraphLanguage } from './language-client.ts';
import { showInformationMessage } from './messages.ts';

interface SourceChoice {
  /** Required capability of the source; any source when undefined. */
  readonly ability?: SourceAbility;
  /** Title of the picker: the command's name. */
  readonly title?: string;
}

/**
 * The data source of the selected row, the only one, else the user's choice; undefined when there is none or the choice
 * is dismissed.
 */
export async function chooseDataSource(
  language: GraphLanguage,
  given: unknown,
  { ability, title }: SourceChoice = {},
): Promise<DataSourceView | undefined> {
  const node = given as DataSourceNode | undefined;
  if (node && 'source' in node) return node.source;
  const all = await language.request('entityGraph/allDataSources', {});
  const sources = all.sources.filter(({ abilities }) => ability === undefined || abilities.includes(ability));
  if (sources.length === 0) {
    void showInformationMessage(
      ability
        ? l10n.t('There is no data source of kind {0}.', await kindsWith(language, ability))
        : l10n.t('There is no data source in this workspace yet: add one first.'),
    );
    return undefined;
  }
  if (sources.length === 1) return sources[0];
  const placeHolder = l10n.t('Data source');
  const options = { placeHolder, matchOnDescription: true, ...(title === undefined ? {} : { title }) };
  return (await window.showQuickPick(sources.map(sourceItem), options))?.source;
}

async function kindsWith(language: GraphLanguage, ability: SourceAbility): Promise<string> {
  const kinds = await language.request('entityGraph/sourceKinds', {});
  const able = kinds.filter(({ abilities }) => abilities.includes(ability));
  return able.map(({ name }) => name).join(', ');
}

/** A picker item; its file is shown because several sources files may use the same name. */
export function sourceItem(source: DataSourceView): {
  readonly label: string;
  readonly description: string;
  readonly source: DataSourceView;
} {
  const place = workspace.asRelativePath(Uri.parse(source.uri));
  return { label: source.name, description: `${source.kind} · ${place}`, source };
}
