import { ProgressLocation, Uri, commands, l10n, window, workspace } from 'vscode';
import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../../protocol/language-requests.ts';
import { commandIds } from '../command-ids.ts';
import { objectFacts } from '../object-facts.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { fileNameProblem } from './copy-graph.ts';

/** Asks name and data source, and writes a first graph from timestamps and foreign keys of chosen data objects, or an empty one. */
export const newEntity: Command = async (parts) => {
  const { entities } = parts;
  const folder = await chooseFolder();
  if (!folder) return;
  const title = l10n.t('New Entity');
  const name = await window.showInputBox({
    title,
    prompt: l10n.t('Name of the entity graph, such as Incident management'),
    validateInput: (text) => fileNameProblem(`${fileNameFor(text)}.entity.yaml`),
  });
  if (name === undefined || name.trim() === '') return;
  const target = Uri.joinPath(folder, `${fileNameFor(name)}.entity.yaml`);
  if (await exists(target)) {
    void window.showErrorMessage(l10n.t('{0} exists already. Choose another name.', workspace.asRelativePath(target)));
    return;
  }
  const source = await chooseSource(parts, target, title);
  if (!source) return;
  const start = await window.showQuickPick(
    [
      { label: l10n.t('Draft from Timestamps and Foreign Keys'), scaffold: true },
      { label: l10n.t('Empty'), scaffold: false },
    ],
    { title, placeHolder: l10n.t('Start with') },
  );
  if (!start) return;
  if (!start.scaffold) await writeEmpty(target, name.trim(), source.name);
  else if (!(await draft(parts, target, source, title))) return;
  entities.refresh();
  await commands.executeCommand(commandIds.openCanvas, target);
};

async function chooseFolder(): Promise<Uri | undefined> {
  const folders = workspace.workspaceFolders ?? [];
  if (folders.length > 1) return (await window.showWorkspaceFolderPick())?.uri;
  if (!folders[0]) void window.showErrorMessage(l10n.t('Open a folder first: the entity graph is a file in it.'));
  return folders[0]?.uri;
}

function fileNameFor(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-');
}

/** One of the sources that hold for the file; where there is none yet, one can be added. */
async function chooseSource(
  { language }: ClientParts,
  target: Uri,
  title: string,
): Promise<Pick<DataSourceView, 'name'> | undefined> {
  const sources = await language.request('entityGraph/dataSources', { uri: target.toString() });
  if (!sources.ok) {
    await showFailure(sources.error, target);
    return undefined;
  }
  const add = { label: l10n.t('$(add) Add Data Source…'), description: '', name: undefined };
  const items = [...sources.value.map(({ name, kind }) => ({ label: name, description: kind, name })), add];
  const placeHolder =
    sources.value.length === 0 ? l10n.t('There is no data source for this folder yet') : l10n.t('Data source');
  const chosen = await window.showQuickPick(items, { title, placeHolder });
  if (chosen === add) await commands.executeCommand(commandIds.addDataSource);
  return chosen?.name === undefined ? undefined : { name: chosen.name };
}

/** Whether a first graph was written. */
async function draft(
  { language }: ClientParts,
  target: Uri,
  { name: dataSource }: Pick<DataSourceView, 'name'>,
  title: string,
): Promise<boolean> {
  const params = { uri: target.toString(), dataSource };
  const known = await window.withProgress(
    { location: ProgressLocation.Notification, title: l10n.t('Reading {0}', dataSource), cancellable: true },
    (_progress, token) => language.request('entityGraph/objectsFor', params, token),
  );
  if (!known.ok) {
    await showFailure(known.error, target);
    return false;
  }
  const objects = await chooseObjects(known.value.objects, title);
  if (!objects) return false;
  const outcome = await language.request('entityGraph/newGraph', { target: target.toString(), dataSource, objects });
  if (!outcome.ok) await showFailure(outcome.error, target);
  return outcome.ok;
}

async function chooseObjects(
  objects: readonly DataObjectView[],
  title: string,
): Promise<readonly string[] | undefined> {
  if (objects.length === 1) return objects.map(({ name }) => name);
  const items = objects.map((object) => ({
    label: object.name,
    description: objectFacts(object).slice(0, 3).join(' · '),
    picked: objects.length <= 12,
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('Data objects to draft elements of; those without a timestamp are left out'),
    canPickMany: true,
    matchOnDescription: true,
  });
  return chosen && chosen.length > 0 ? chosen.map(({ label }) => label) : undefined;
}

function exists(target: Uri): Promise<boolean> {
  return Promise.resolve(
    workspace.fs.stat(target).then(
      () => true,
      () => false,
    ),
  );
}

async function writeEmpty(target: Uri, name: string, dataSource: string): Promise<void> {
  // JSON texts are YAML texts too: any name is safe in them.
  const text = `version: 1\nname: ${JSON.stringify(name)}\ndataSource: ${JSON.stringify(dataSource)}\n`;
  await workspace.fs.writeFile(target, new TextEncoder().encode(text));
}
