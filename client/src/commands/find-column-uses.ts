import { type QuickPickItem, QuickPickItemKind, Uri, l10n, window, workspace } from 'vscode';
import type { ColumnUseView } from '../../../protocol/requests/source-requests.ts';
import { chooseDataObject } from '../choose-data-object.ts';
import type { DataSourceNode } from '../data-source-items.ts';
import { showInformationMessage } from '../messages.ts';
import { revealRange } from '../reveal-range.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';

/** Lists what the entity graphs of the open folders make of a column, and shows the chosen place. */
export const findColumnUses: Command = async (context, [given]) => {
  const chosen = await chosenColumn(context, given);
  if (!chosen) return;
  const { source, dataObject, column } = chosen;
  const params = { uri: source.uri, dataSource: source.name, dataObject, column };
  const outcome = await context.language.request('entityGraph/columnUses', params);
  if (!outcome.ok) return showFailure(outcome.error, Uri.parse(source.uri));
  const uses = outcome.value;
  const name = `${dataObject}.${column}`;
  if (uses.length === 0) {
    void showInformationMessage(l10n.t('No entity graph uses the column {0}.', name));
    return;
  }
  const picked = await window.showQuickPick(usesByGraph(uses), {
    title: l10n.t('Uses of {0}', name),
    placeHolder: l10n.t('What the entity graphs make of this column'),
    matchOnDescription: true,
  });
  if (picked?.use) await revealRange(Uri.parse(picked.use.uri), picked.use.range);
};

/** The column of the row on which the command was called; else the user chooses. */
async function chosenColumn({ language }: Pick<ClientParts, 'language'>, given: unknown) {
  const node = given as DataSourceNode | undefined;
  if (node?.kind === 'column') return { source: node.source, dataObject: node.object.name, column: node.column.name };
  const chosen = await chooseDataObject(language, given, l10n.t('Find Uses of Column'));
  if (!chosen) return undefined;
  const { source, object } = chosen;
  const params = { uri: source.uri, dataSource: source.name, dataObject: object.name };
  const outcome = await language.request('entityGraph/sourceColumns', params);
  if (!outcome.ok) {
    await showFailure(outcome.error, Uri.parse(source.uri));
    return undefined;
  }
  const column = await window.showQuickPick(
    outcome.value.map(({ name, type }) => ({ label: name, description: type })),
    { title: l10n.t('Find Uses of Column'), placeHolder: l10n.t('A column of {0}', object.name) },
  );
  return column && { source, dataObject: object.name, column: column.label };
}

interface UseItem extends QuickPickItem {
  readonly use?: ColumnUseView;
}

function usesByGraph(uses: readonly ColumnUseView[]): readonly UseItem[] {
  return [...new Set(uses.map(({ uri }) => uri))].flatMap((uri): readonly UseItem[] => {
    const path = workspace.asRelativePath(Uri.parse(uri));
    const ofGraph = uses.filter((use) => use.uri === uri);
    return [
      ...group(
        path,
        ofGraph.filter(({ isDirect }) => isDirect),
      ),
      ...group(
        l10n.t('{0}: through filters, joins and other parts', path),
        ofGraph.filter(({ isDirect }) => !isDirect),
      ),
    ];
  });
}

function group(label: string, uses: readonly ColumnUseView[]): readonly UseItem[] {
  if (uses.length === 0) return [];
  const items = uses.map((use) => ({
    label: use.words,
    description: l10n.t('line {0}', use.range.start.line + 1),
    use,
  }));
  return [{ label, kind: QuickPickItemKind.Separator }, ...items];
}
