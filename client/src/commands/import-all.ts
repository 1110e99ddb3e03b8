import { Uri, l10n, window } from 'vscode';
import { type ImportWithoutGraph, fileName, isCancelled } from '../import-messages.ts';
import type { Command } from './command.ts';
import { importSeveral } from './import.ts';
import { showErrorMessage, showInformationMessage } from '../messages.ts';

/** Imports all entity graphs of the workspace, or the outdated ones, several in parallel. */
export const importAll: Command = async (parts) => {
  const rows = await parts.entities.rows();
  if (rows.length === 0) {
    void showInformationMessage(l10n.t('There is no entity graph (*.entity.yaml) in this workspace yet.'));
    return;
  }
  const due = rows.filter(({ status, modifiedSinceImport }) => status === 'Not Imported' || modifiedSinceImport);
  const all = l10n.t('All');
  const items = [
    ...(due.length > 0 && due.length < rows.length
      ? [{ label: l10n.t('Not imported or modified since import'), description: String(due.length), rows: due }]
      : []),
    { label: all, description: String(rows.length), rows },
  ];
  const chosen = await window.showQuickPick(items, {
    title: l10n.t('Import All'),
    placeHolder: l10n.t('Which entity graphs'),
  });
  if (!chosen) return;
  const ended = await importSeveral(
    parts,
    chosen.rows.map(({ uri }) => Uri.parse(uri)),
  );
  const done = ended.filter(({ outcome }) => outcome.status === 'imported').length;
  const cancelled = ended.filter(({ outcome }) => isCancelled(outcome)).length;
  const failed = ended.flatMap(({ uri, outcome }) =>
    outcome.status === 'imported' || isCancelled(outcome) ? [] : [`${fileName(uri)}: ${reason(outcome)}`],
  );
  const text = [
    l10n.t('{0} of {1} entity graphs are imported.', done, ended.length),
    ...(cancelled > 0 ? [l10n.t('{0} cancelled.', cancelled)] : []),
    ...failed.slice(0, 3),
    ...(failed.length > 3 ? [l10n.t('{0} more failed.', failed.length - 3)] : []),
  ].join(' ');
  const showLog = l10n.t('Show Log');
  const shown = failed.length > 0 ? showErrorMessage(text, showLog) : showInformationMessage(text, showLog);
  if ((await shown) === showLog) parts.log.show();
};

function reason(outcome: ImportWithoutGraph): string {
  const { message } = outcome.error;
  return 'failedStep' in outcome ? `${outcome.failedStep}: ${message}` : message;
}
