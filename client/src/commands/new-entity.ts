import { Uri, commands, l10n, window, workspace } from 'vscode';
import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../../protocol/language-requests.ts';
import { sourceItem } from '../choose-data-source.ts';
import { commandIds } from '../command-ids.ts';
import { objectFacts } from '../object-facts.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { fileNameProblem } from './copy-graph.ts';

/**
 * Asks name and data source, and writes a first graph from timestamps and foreign keys of chosen data objects, or an empty one, beside the file
 * that configures its source.
 */
export const newEntity: Command = async (parts) => {
  const { entities } = parts;
  if ((workspace.workspaceFolders ?? []).length === 0) {
    void window.showErrorMessage(l10n.t('Open a folder first: the entity graph is a file in it.'));
    return;
  }
  const title = l10n.t('New Entity');
  const typed = await askName(title);
  const source = typed === undefined ? undefined : await chooseSource(parts, title);
  if (typed === undefined || !source) return;
  const entity = await freePlace(title, typed, source);
  if (!entity) return;
  const start = await window.showQuickPick(
    [
      { label: l10n.t('Draft from Timestamps and Foreign Keys'), scaffold: true },
      { label: l10n.t('Empty'), scaffold: false },
    ],
    { title, placeHolder: l10n.t('Start with') },
  );
  if (!start) return;
  if (!start.scaffold) {
    const params = { target: entity.target.toString(), name: entity.name, dataSource: source.name };
    const written = await parts.language.request('entityGraph/newEmptyGraph', params);
    if (!written.ok) return showFailure(written.error, entity.target);
  } else if (!(await draft(parts, entity, source, title))) return;
  entities.refresh();
  await commands.executeCommand(commandIds.openCanvas, entity.target);
};

/** A graph that is to be written. */
interface PlannedEntity {
  readonly name: string;
  readonly target: Uri;
}

async function askName(
  title: string,
  taken?: { readonly name: string; readonly path: string },
): Promise<string | undefined> {
  const name = await window.showInputBox({
    title,
    prompt: taken
      ? l10n.t('{0} exists already. Choose another name.', taken.path)
      : l10n.t('Name of the entity graph, such as Incident management'),
    value: taken?.name ?? '',
    validateInput: (text) => fileNameProblem(`${fileNameFor(text)}.entity.yaml`),
  });
  return name?.trim() === '' ? undefined : name?.trim();
}

/** Beside the sources file, so that it is the one that holds; asks for another name as long as there is such a file. */
async function freePlace(title: string, typed: string, { uri }: DataSourceView): Promise<PlannedEntity | undefined> {
  for (let name: string | undefined = typed; name !== undefined;) {
    const target = Uri.joinPath(Uri.parse(uri), '..', `${fileNameFor(name)}.entity.yaml`);
    if (!(await exists(target))) return { name, target };
    name = await askName(title, { name, path: workspace.asRelativePath(target) });
  }
  return undefined;
}

function fileNameFor(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-');
}

/** One of the workspace's sources; where there is none yet, one can be added. */
async function chooseSource({ language }: ClientParts, title: string): Promise<DataSourceView | undefined> {
  const { sources } = await language.request('entityGraph/allDataSources', {});
  const add = { label: l10n.t('$(add) Add Data Source…'), description: '', source: undefined };
  const placeHolder =
    sources.length === 0 ? l10n.t('There is no data source in this workspace yet') : l10n.t('Data source');
  const chosen = await window.showQuickPick([...sources.map(sourceItem), add], {
    title,
    placeHolder,
    matchOnDescription: true,
  });
  if (chosen === add) await commands.executeCommand(commandIds.addDataSource);
  return chosen?.source;
}

/** Whether a first graph was written. */
async function draft(
  { language }: ClientParts,
  { name, target }: PlannedEntity,
  { name: dataSource }: DataSourceView,
  title: string,
): Promise<boolean> {
  const params = { uri: target.toString(), dataSource };
  const known = await progressWhenSlow(language, l10n.t('Reading {0}', dataSource), (token) =>
    language.request('entityGraph/objectsFor', params, token),
  );
  if (!known.ok) {
    await showFailure(known.error, target);
    return false;
  }
  const objects = await chooseObjects(known.value.objects, title);
  if (!objects) return false;
  const wanted = { target: target.toString(), dataSource, name, objects };
  const outcome = await language.request('entityGraph/newGraph', wanted);
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
