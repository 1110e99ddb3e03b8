import { Range, WorkspaceEdit, l10n, window, workspace } from 'vscode';
import { chooseGraph } from '../active-graph.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage } from '../messages.ts';

/** Restores the text of the last import through the editor, so that it can be undone. */
export const resetGraph: Command = async ({ language, entities }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const outcome = await language.request('entityGraph/importedText', { uri: uri.toString() });
  if (!outcome.ok) return showFailure(outcome.error, uri);
  const document = await workspace.openTextDocument(uri);
  const { text } = outcome.value;
  if (document.getText() === text) {
    void showInformationMessage(l10n.t('Nothing has changed since the last import.'));
    return;
  }
  const edit = new WorkspaceEdit();
  edit.replace(uri, new Range(0, 0, document.lineCount, 0), text);
  await workspace.applyEdit(edit);
  await window.showTextDocument(document, { preview: false });
  entities.refresh();
};
