import { type SaveDialogOptions, Uri, l10n, window, workspace } from 'vscode';
import type { FromWebview, RowsFormat } from '../../protocol/webview-messages.ts';
import { showErrorMessage, showInformationMessage } from './messages.ts';

const endings: Readonly<Record<RowsFormat, string>> = { csv: 'csv', json: 'json', markdown: 'md' };

/** Asks where to and writes rows into a file, which can be opened then. @param beside a file whose folder is proposed. */
export async function saveRows(
  { name, format, text }: Omit<Extract<FromWebview, { type: 'saveRows' }>, 'type'>,
  beside: Uri | undefined,
): Promise<void> {
  const folder = beside ? Uri.joinPath(beside, '..') : workspace.workspaceFolders?.[0]?.uri;
  const file = `${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-')}.${endings[format]}`;
  const target = await chooseAndWrite(
    {
      title: l10n.t('Export Rows'),
      filters: { [format]: [endings[format]] },
      ...(folder ? { defaultUri: Uri.joinPath(folder, file) } : {}),
    },
    new TextEncoder().encode(text),
  );
  if (!target) return;
  const open = l10n.t('Open');
  const chosen = await showInformationMessage(l10n.t('The rows are in {0}.', workspace.asRelativePath(target)), open);
  if (chosen === open) await window.showTextDocument(target);
}

/** Where it cannot be written, somewhere else may do; undefined when the person gives up. */
async function chooseAndWrite(options: SaveDialogOptions, content: Uint8Array): Promise<Uri | undefined> {
  for (;;) {
    const target = await window.showSaveDialog(options);
    if (!target) return undefined;
    try {
      await workspace.fs.writeFile(target, content);
      return target;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const again = l10n.t('Choose Another Place');
      const text = l10n.t('The rows could not be written to {0}. {1}', workspace.asRelativePath(target), reason);
      if ((await showErrorMessage(text, again)) !== again) return undefined;
    }
  }
}
