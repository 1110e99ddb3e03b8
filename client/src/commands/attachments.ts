import { homedir } from 'node:os';
import { join } from 'node:path';
import { Uri, l10n, window, workspace } from 'vscode';
import { askForRecord, chooseTable, type PlatformTable } from '../platform/platform-place.ts';
import { runAction, showResult } from '../platform/run-action.ts';
import type { GraphLanguage } from '../language-client.ts';
import type { Command } from './command.ts';

/** Lists the attachments of a record, to save, delete or add one. */
export const attachments: Command = async ({ language }, [given]) => {
  const place = await chooseTable(language, given);
  const id = place && (await askForRecord(place.source));
  if (!place || id === undefined) return;
  const { source, table } = place;
  const listed = await runAction(language, source, { kind: 'list attachments', table, id });
  if (!listed) return;
  const upload = { label: l10n.t('$(cloud-upload) Attach a File…'), description: '', name: '', attachment: '' };
  const items = (listed.attachments ?? []).map(({ id: attachment, file: name, bytes }) => ({
    label: `$(file) ${name}`,
    name,
    description: l10n.t('{0} bytes', bytes || '?'),
    attachment,
  }));
  const chosen = await window.showQuickPick([upload, ...items], { title: l10n.t('Attachments of {0}', id) });
  if (chosen === upload) await attach(language, place, id);
  else if (chosen) await useAttachment(language, place, chosen.attachment, chosen.name);
};

async function attach(language: GraphLanguage, { source, table }: PlatformTable, id: string): Promise<void> {
  const [file] = (await window.showOpenDialog({ openLabel: l10n.t('Attach') })) ?? [];
  const result =
    file && (await runAction(language, source, { kind: 'upload attachment', table, id, file: file.fsPath }));
  if (result) await showResult(result);
}

async function useAttachment(
  language: GraphLanguage,
  { source }: PlatformTable,
  attachment: string,
  name: string,
): Promise<void> {
  const [save, remove] = [l10n.t('$(cloud-download) Save…'), l10n.t('$(trash) Delete')];
  const chosen = await window.showQuickPick([save, remove], { title: name });
  if (chosen === remove) {
    const result = await runAction(language, source, { kind: 'delete attachment', attachment });
    if (result) await showResult(result);
  }
  if (chosen !== save) return;
  const folder = workspace.workspaceFolders?.[0]?.uri.fsPath ?? homedir();
  // The name comes from the instance and must not lead out of the folder.
  const safe = name.replaceAll(/[/\\:]/g, '_');
  const target = await window.showSaveDialog({ defaultUri: Uri.file(join(folder, safe)) });
  if (!target) return;
  // The dialog has already confirmed overwriting.
  const action = { kind: 'download attachment', attachment, target: target.fsPath, overwrite: true } as const;
  const result = await runAction(language, source, action);
  if (result) await showResult(result);
}
