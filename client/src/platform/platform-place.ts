import { Uri, l10n, window } from 'vscode';
import type { ColumnView } from '../../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../../protocol/requests/source-requests.ts';
import { chooseDataSource } from '../choose-data-source.ts';
import type { DataSourceNode } from '../data-source-items.ts';
import type { GraphLanguage } from '../language-client.ts';
import { showFailure } from '../show-failure.ts';

/** The target of a command: an instance and a table. */
export interface PlatformTable {
  readonly source: DataSourceView;
  readonly table: string;
}

/** The instance of the selected row, else the user's choice; undefined when dismissed. */
export function chooseInstance(language: GraphLanguage, given: unknown): Promise<DataSourceView | undefined> {
  return chooseDataSource(language, given, { ability: 'writeRecords' });
}

/** The table of the selected row, else one chosen or typed by the user. */
export async function chooseTable(language: GraphLanguage, given: unknown): Promise<PlatformTable | undefined> {
  const source = await chooseInstance(language, given);
  if (!source) return undefined;
  const node = given as DataSourceNode | undefined;
  if (node?.kind === 'object') return { source, table: node.object.name };
  const outcome = await language.request('entityGraph/sourceObjects', { uri: source.uri, dataSource: source.name });
  const objects = outcome.ok ? outcome.value.objects.filter(({ kind }) => kind === 'table') : [];
  const other = { label: l10n.t('$(edit) Another Table…'), description: '' };
  const items = objects.map(({ name, comment }) => ({ label: name, description: comment ?? '' }));
  const chosen = await window.showQuickPick([...items, other], { title: l10n.t('Table of {0}', source.name) });
  const table = chosen === other ? await askFor(l10n.t('Name of the table'), /^\w+$/) : chosen?.label;
  return table === undefined ? undefined : { source, table };
}

/** The known columns of a table. */
export async function columnsOf(
  language: GraphLanguage,
  { source, table }: PlatformTable,
): Promise<readonly ColumnView[]> {
  const params = { uri: source.uri, dataSource: source.name, dataObject: table };
  const outcome = await language.request('entityGraph/sourceColumns', params);
  return outcome.ok ? outcome.value : [];
}

/** A text typed by the user; undefined when dismissed. */
export async function askFor(prompt: string, shape = /\S/): Promise<string | undefined> {
  const text = await window.showInputBox({
    prompt,
    ignoreFocusOut: true,
    validateInput: (value) => (shape.test(value.trim()) ? undefined : l10n.t('This is not valid.')),
  });
  return text?.trim();
}

export function askForRecord({ recordKey = '' }: DataSourceView): Promise<string | undefined> {
  return askFor(l10n.t('{0} of the record', recordKey), /^\w+$/);
}

/** Shows a failure with its remedy. */
export function showPlatformFailure(source: DataSourceView, error: Parameters<typeof showFailure>[0]): Promise<void> {
  return showFailure(error, Uri.parse(source.uri));
}
