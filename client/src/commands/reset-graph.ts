import { Range, type TextDocument, WorkspaceEdit, commands, l10n, window, workspace } from 'vscode';
import type { LineChange } from '../../../protocol/line-changes.ts';
import { chooseGraph } from '../active-graph.ts';
import { fileName } from '../import-messages.ts';
import { lineChanges } from '../line-changes.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';
import { showInformationMessage, showWarningMessage } from '../messages.ts';

/** Restores the text of the last import, after showing what will be lost. The table, if visible, stays in front. */
export const resetGraph: Command = async ({ language, entities, entitiesPanel }, [file]) => {
  const uri = await chooseGraph(file);
  if (!uri) return;
  const outcome = await language.request('entityGraph/importedText', { uri: uri.toString() });
  if (!outcome.ok) return showFailure(outcome.error, uri);
  const document = await workspace.openTextDocument(uri);
  const { text } = outcome.value;
  const before = document.getText();
  if (before === text) {
    void showInformationMessage(l10n.t('Nothing has changed since the last import.'));
    return;
  }
  const changes = lineChanges(before, text);
  const staysInTable = entitiesPanel.visible;
  const isAgreed = staysInTable
    ? await entitiesPanel.confirmReset(uri, fileName(uri), changes)
    : await askToReset(document, text, changes);
  if (!isAgreed) return;
  await replaceText(document, text);
  // Saved, so that the file equals the imported text.
  await document.save();
  if (!staysInTable) await window.showTextDocument(document, { preview: false });
  entities.refresh();
  const undo = l10n.t('Undo');
  const told = l10n.t('{0} was reset to its last import.', fileName(uri));
  if ((await showInformationMessage(told, undo)) !== undo) return;
  const reopened = await workspace.openTextDocument(uri);
  await replaceText(reopened, before);
  await reopened.save();
  entities.refresh();
};

async function replaceText(document: TextDocument, text: string): Promise<void> {
  const edit = new WorkspaceEdit();
  edit.replace(document.uri, new Range(0, 0, document.lineCount, 0), text);
  await workspace.applyEdit(edit);
}

/** Asks with the number of lines, and shows the lines in a diff editor on request. */
async function askToReset(document: TextDocument, imported: string, changes: readonly LineChange[]): Promise<boolean> {
  const [reset, show] = [l10n.t('Reset'), l10n.t('Show Changes')];
  const name = fileName(document.uri);
  const question = l10n.t('Reset {0} to its last import?', name);
  const count = (kind: LineChange['kind']): number => changes.filter((each) => each.kind === kind).length;
  const detail = l10n.t('Lines that will be lost: {0}. Lines that come back: {1}.', count('lost'), count('restored'));
  const chosen = await showWarningMessage(question, { modal: true, detail }, reset, show);
  if (chosen !== show) return chosen === reset;
  const left = document.uri.with({ scheme: importedScheme, query: '', fragment: '' });
  const provider = workspace.registerTextDocumentContentProvider(importedScheme, {
    provideTextDocumentContent: () => imported,
  });
  try {
    const title = l10n.t('{0}: last import ↔ now', name);
    await commands.executeCommand('vscode.diff', left, document.uri, title, { preview: true });
    return (await showWarningMessage(question, reset)) === reset;
  } finally {
    provider.dispose();
  }
}

/** Scheme of the read-only text of the last import. */
const importedScheme = 'entity-graph-imported';
