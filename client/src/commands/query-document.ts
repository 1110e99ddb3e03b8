import { env, l10n, window, workspace } from 'vscode';
import type { Command } from './command.ts';

/** Copies the displayed query. */
export const copyQuery: Command = async () => {
  const document = window.activeTextEditor?.document;
  if (!document) return;
  await env.clipboard.writeText(document.getText());
  void window.setStatusBarMessage(l10n.t('Copied.'), 3000);
};

/** Opens the displayed query as a new, editable file. */
export const openQueryAsFile: Command = async () => {
  const document = window.activeTextEditor?.document;
  if (!document) return;
  const { languageId: language } = document;
  await window.showTextDocument(await workspace.openTextDocument({ language, content: document.getText() }));
};
