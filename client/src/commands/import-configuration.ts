import { UIKind, Uri, commands, env, l10n, window, workspace } from 'vscode';
import type { DroppedConfiguration } from '../../../protocol/requests/lifecycle-requests.ts';
import type { ExistingFile, FileResult } from '../../../protocol/requests/lifecycle-requests.ts';
import { commandIds } from '../command-ids.ts';
import { offerFolder } from '../offer-folder.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { showInformationMessage, showWarningMessage } from '../messages.ts';

/** Configurations to import: files and folders by URI, and texts that were dropped without a path. */
interface GivenConfigurations {
  readonly files: readonly Uri[];
  readonly texts: readonly DroppedConfiguration[];
}

/**
 * Adds entity graph files to the workspace, with a report for each; overwrites none without consent. Takes the selection of the
 * Explorer, what was dropped on the table, else the files or the folder chosen in one dialog.
 */
export const importConfiguration: Command = async (parts, [uri, selection, texts]) => {
  const [first] = workspace.workspaceFolders ?? [];
  if (!first) return offerFolder(l10n.t('Open a folder first: the entity graphs are written into it.'));
  const given = Array.isArray(selection) ? (selection as Uri[]) : uri instanceof Uri ? [uri] : [];
  const dropped = Array.isArray(texts) ? (texts as DroppedConfiguration[]) : [];
  const files = given.length + dropped.length > 0 ? given : await chooseFiles(first.uri);
  if (files.length + dropped.length === 0) return;
  const folder = await targetFolder(parts, first.uri);
  if (folder) await importFiles(parts, { files, texts: dropped }, folder);
};

/** If VS Code draws the dialog itself, it returns a single file; then a folder can be chosen instead. */
async function chooseFiles(start: Uri): Promise<readonly Uri[]> {
  const isSimple =
    env.uiKind === UIKind.Web ||
    env.remoteName !== undefined ||
    workspace.getConfiguration('files').get('simpleDialog.enable', false);
  const chosen = await window.showOpenDialog({
    title: isSimple
      ? l10n.t('Import Entity Graph: a file, or a folder with several')
      : l10n.t('Import Entity Graph: one or more files'),
    openLabel: l10n.t('Import'),
    canSelectMany: true,
    canSelectFiles: true,
    canSelectFolders: isSimple || process.platform === 'darwin',
    defaultUri: start,
    filters: { [l10n.t('Entity Graphs')]: ['yaml', 'yml', 'json'] },
  });
  return chosen ?? [];
}

/** Beside the data sources file, which then applies. The user chooses if there are several. */
async function targetFolder({ language }: ClientParts, first: Uri): Promise<Uri | undefined> {
  const { sources } = await language.request('entityGraph/allDataSources', {});
  const folders = [...new Set(sources.map(({ uri }) => Uri.joinPath(Uri.parse(uri), '..').toString()))];
  if (folders.length <= 1) return folders[0] === undefined ? first : Uri.parse(folders[0]);
  const items = folders.map((folder) => {
    const names = sources.filter(({ uri }) => Uri.joinPath(Uri.parse(uri), '..').toString() === folder);
    const description = names.map(({ name }) => name).join(', ');
    return { label: workspace.asRelativePath(Uri.parse(folder)), description, uri: Uri.parse(folder) };
  });
  const placeHolder = l10n.t('Folder to import into, with its data sources');
  return (await window.showQuickPick(items, { title: l10n.t('Import Entity Graph'), placeHolder }))?.uri;
}

/** Adds entity graphs, and asks once about existing files. */
async function importFiles(parts: ClientParts, given: GivenConfigurations, folder: Uri): Promise<void> {
  const { language, entities, log } = parts;
  const take = (files: readonly string[], texts: readonly DroppedConfiguration[], existing: ExistingFile) =>
    language.request('entityGraph/importConfigurations', { files, texts, folder: folder.toString(), existing });
  const outcome = await take(
    given.files.map((file) => file.toString()),
    given.texts,
    'refuse',
  );
  if (!outcome.ok) return showFailure(outcome.error, folder);
  let results = outcome.value;
  const inTheWay = results.filter(({ existing }) => existing !== undefined);
  const decision = inTheWay.length > 0 ? await askAboutExisting(inTheWay) : undefined;
  if (decision) {
    const names = new Set(inTheWay.map(({ file }) => file));
    const texts = given.texts.filter(({ name }) => names.has(name));
    const dropped = new Set(texts.map(({ name }) => name));
    // Files of a chosen folder are named in the results only.
    const files = [...names].filter((name) => !dropped.has(name)).map((path) => Uri.file(path).toString());
    const again = await take(files, texts, decision);
    if (!again.ok) return showFailure(again.error, folder);
    results = [...results.filter(({ existing }) => existing === undefined), ...again.value];
  }
  entities.refresh();
  for (const { file, action, message } of results) {
    const level = action === 'refused' ? 'warn' : 'info';
    log[level](`Import Entity Graph: ${action} ${file}${message === undefined ? '' : `: ${message}`}`);
  }
  await tell(parts, results);
}

async function askAboutExisting(results: readonly FileResult[]): Promise<ExistingFile | undefined> {
  const replace = l10n.t('Replace');
  const both = l10n.t('Keep Both');
  const chosen = await showWarningMessage(
    results.length === 1
      ? l10n.t('An entity graph is there already.')
      : l10n.t('{0} entity graphs are there already.', results.length),
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
  const [refused, imported] = (['refused', 'imported'] as const).map(
    (action) => results.filter((result) => result.action === action).length,
  );
  const text = resultText(imported ?? 0, results.length);
  const report = l10n.t('Show Report');
  const table = l10n.t('Open Entities Table');
  const chosen =
    (refused ?? 0) > 0
      ? await showWarningMessage(text, report)
      : await showInformationMessage(text, ...(results.length > 1 ? [report] : []), table);
  if (chosen === table) await commands.executeCommand(commandIds.openEntities);
  if (chosen !== report) return;
  panel.showFacts(l10n.t('Import Entity Graph'), text, {
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

function resultText(imported: number, all: number): string {
  if (imported < all) return l10n.t('{0} of {1} entity graphs added.', imported, all);
  return all === 1 ? l10n.t('1 entity graph added.') : l10n.t('{0} entity graphs added.', all);
}

function actionText(action: FileResult['action']): string {
  if (action === 'refused') return l10n.t('refused');
  return action === 'unchanged' ? l10n.t('there already') : l10n.t('imported');
}
