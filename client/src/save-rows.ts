import { Uri, l10n, window, workspace } from 'vscode';
import type { FromWebview, RowsFormat } from '../../protocol/webview-messages.ts';
import { showInformationMessage } from './messages.ts';
import { type FileRequests, chooseAndSave, clockText } from './save-file.ts';

const endings: Readonly<Record<RowsFormat, string>> = { csv: 'csv', json: 'json', markdown: 'md' };

/**
 * Asks for a path and writes rows to a file, which can be opened then. @param beside file whose folder is suggested.
 */
export async function saveRows(
  language: FileRequests,
  { name, format, text }: Omit<Extract<FromWebview, { type: 'saveRows' }>, 'type'>,
  beside: Uri | undefined,
): Promise<void> {
  const folder = beside ? Uri.joinPath(beside, '..') : workspace.workspaceFolders?.[0]?.uri;
  const file = `${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')}.${endings[format]}`;
  const target = await chooseAndSave(
    language,
    {
      title: l10n.t('Export Rows'),
      filters: { [format]: [endings[format]] },
      ...(folder ? { defaultUri: Uri.joinPath(folder, file) } : {}),
    },
    new TextEncoder().encode(text),
    (path) => l10n.t('The rows could not be written to {0}.', path),
  );
  if (!target) return;
  const open = l10n.t('Open');
  const saved = l10n.t('The rows were saved at {0} in {1}.', clockText(), workspace.asRelativePath(target));
  const chosen = await showInformationMessage(saved, open);
  if (chosen === open) await window.showTextDocument(target);
}
