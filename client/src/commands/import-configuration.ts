import { type Uri, commands, l10n, window, workspace } from 'vscode';
import type { ExistingFile, FileResult } from '../../../protocol/language-requests.ts';
import { commandIds } from '../command-ids.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { showErrorMessage, showInformationMessage, showWarningMessage } from '../messages.ts';

/** Imports several configuration files, with a report for each; overwrites none without consent. */
export const importConfiguration: Command = async (parts) => {
  const [first] = workspace.workspaceFolders ?? [];
  if (!first) {
    void showErrorMessage(l10n.t('Open a folder first: the configurations are written into it.'));
    return;
  }
  const files = await window.showOpenDialog({
    title: l10n.t('Import Configuration'),
    openLabel: l10n.t('Import'),
    canSelectMany: true,
    filters: { [l10n.t('Configurations')]: ['yaml', 'yml', 'json'] },
  });
  if (!files || files.length === 0) return;
  const [folder] =
    (await window.showOpenDialog({
      title: l10n.t('Import into Folder'),
      openLabel: l10n.t('Import Here'),
      canSelectFolders: true,
      canSelectFiles: false,
      defaultUri: first.uri,
    })) ?? [];
  if (folder) await importFiles(parts, files, folder);
};

/** Imports the files, and asks once about existing ones. */
export async function importFiles(parts: ClientParts, files: readonly Uri[], folder: Uri): Promise<void> {
  const { language, entities, log } = parts;
  const take = (some: readonly string[], existing: ExistingFile) =>
    language.request('entityGraph/importConfigurations', { files: some, folder: folder.toString(), existing });
  const outcome = await take(
    files.map((file) => file.toString()),
    'refuse',
  );
  if (!outcome.ok) return showFailure(outcome.error, folder);
  let results = outcome.value;
  const inTheWay = results.filter(({ existing }) => existing !== undefined);
  const decision = inTheWay.length > 0 ? await askAboutExisting(inTheWay) : undefined;
  if (decision) {
    const paths = new Set(inTheWay.map(({ file }) => file));
    const again = await take(
      files.filter(({ fsPath }) => paths.has(fsPath)).map((file) => file.toString()),
      decision,
    );
    if (!again.ok) return showFailure(again.error, folder);
    results = [...results.filter(({ existing }) => existing === undefined), ...again.value];
  }
  entities.refresh();
  for (const { file, action, message } of results) {
    const level = action === 'refused' ? 'warn' : 'info';
    log[level](`Import Configuration: ${action} ${file}${message === undefined ? '' : `: ${message}`}`);
  }
  await tell(parts, results);
}

async function askAboutExisting(results: readonly FileResult[]): Promise<ExistingFile | undefined> {
  const replace = l10n.t('Replace');
  const both = l10n.t('Keep Both');
  const chosen = await showWarningMessage(
    results.length === 1
      ? l10n.t('A configuration is there already.')
      : l10n.t('{0} configurations are there already.', results.length),
    {
      modal: true,
      detail: results.map(({ existing = '' }) => workspace.asRelativePath(existing)).join('\n'),
    },
    replace,
    both,
  );
  return chosen === replace ? 'replace' : chosen === both ? 'keep-both' : undefined;
}

async function tell({ results: panel }: ClientParts, results: readonly FileResult[]): Promise<void> {
  const refused = results.filter(({ action }) => action === 'refused').length;
  const text = l10n.t('{0} of {1} configurations imported.', results.length - refused, results.length);
  const report = l10n.t('Show Report');
  const table = l10n.t('Open Entities Table');
  const chosen =
    refused > 0
      ? await showWarningMessage(text, report)
      : await showInformationMessage(text, ...(results.length > 1 ? [report] : []), table);
  if (chosen === table) await commands.executeCommand(commandIds.openEntities);
  if (chosen !== report) return;
  panel.showFacts(l10n.t('Import Configuration'), text, {
    columns: [l10n.t('File'), l10n.t('Result'), l10n.t('Reason')].map((name) => ({ name, type: '', nulls: 0 })),
    rows: results.map(({ file, action, message }) => [
      workspace.asRelativePath(file),
      actionText(action),
      message ?? null,
    ]),
    truncated: false,
    durationMs: 0,
    warnings: [],
  });
}

function actionText(action: FileResult['action']): string {
  return action === 'refused' ? l10n.t('refused') : l10n.t('imported');
}
