import { window, workspace } from 'vscode';
import { fileName } from '../import-messages.ts';
import { showFailure } from '../show-failure.ts';
import type { Command } from './command.ts';

/** Takes configuration files in, several at once; each is told apart, none is overwritten. */
export const importConfiguration: Command = async ({ language, entities, log }) => {
  const [first] = workspace.workspaceFolders ?? [];
  if (!first) {
    void window.showErrorMessage('Open a folder first: the configurations are written into it.');
    return;
  }
  const files = await window.showOpenDialog({
    title: 'Import Configuration',
    canSelectMany: true,
    filters: { Configurations: ['yaml', 'yml', 'json'] },
  });
  if (!files || files.length === 0) return;
  const [folder] =
    (await window.showOpenDialog({
      title: 'Import into Folder',
      openLabel: 'Import Here',
      canSelectFolders: true,
      canSelectFiles: false,
      defaultUri: first.uri,
    })) ?? [];
  if (!folder) return;
  const params = { files: files.map((file) => file.toString()), folder: folder.toString() };
  const outcome = await language.request('entityGraph/importConfigurations', params);
  entities.refresh();
  if (!outcome.ok) return showFailure(outcome.error, folder);
  const refused = outcome.value.filter(({ action }) => action === 'refused');
  for (const { file, action, message } of outcome.value)
    log.info(`${action}: ${file}${message === undefined ? '' : `: ${message}`}`);
  const taken = `${outcome.value.length - refused.length} of ${outcome.value.length} configurations imported.`;
  if (refused.length === 0) return void window.showInformationMessage(taken);
  const [{ file, message = '' } = { file: '', message: '' }] = refused;
  const chosen = await window.showWarningMessage(
    `${taken} ${fileName(folder.with({ path: file }))}: ${message}`,
    'Show Log',
  );
  if (chosen) log.show();
};
