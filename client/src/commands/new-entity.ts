import { Uri, commands, l10n, window, workspace } from 'vscode';
import type { DataObjectView, DataObjectsView } from '../../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../../protocol/requests/source-requests.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { sourceItem } from '../choose-data-source.ts';
import { commandIds } from '../command-ids.ts';
import { draftEntity } from '../draft-entity.ts';
import { keyOf } from '../data-source-items.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { type Action, showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { fileNameProblem } from './copy-graph.ts';
import { showErrorMessage, showWarningMessage } from '../messages.ts';
import { objectFacts } from '../object-facts.ts';

/**
 * Asks for name and data source, and writes a new graph beside the sources file: drafted from what chosen data objects
 * hold, or empty. Several data sources can be chosen for a draft. With the address of an empty file, drafts into that file.
 */
export const newEntity: Command = async (parts, [file]) => {
  if ((workspace.workspaceFolders ?? []).length === 0) {
    void showErrorMessage(l10n.t('Open a folder first: the entity graph is a file in it.'));
    return;
  }
  // The empty file from whose completion it was chosen.
  const blank = typeof file === 'string' ? Uri.parse(file) : undefined;
  const typed = blank ? nameOfFile(blank) : await askName();
  const sources = typed === undefined ? undefined : await chooseSources(parts);
  if (typed === undefined || !sources) return;
  if (blank) await draft(parts, { name: typed, target: blank }, sources);
  else await begin(parts, typed, sources);
};

function nameOfFile({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.entity\.(?:yaml|yml|json)$/, '');
}

/** Data sources of one sources file; the first is that of the graph. */
type Sources = readonly [DataSourceView, ...DataSourceView[]];

/** Asks how to start the graph of a source, and writes it. Several sources are only for a draft. */
async function begin(parts: ClientParts, typed: string, sources: Sources): Promise<void> {
  const entity = await freePlace(typed, sources[0]);
  if (!entity) return;
  if (sources.length > 1) return draft(parts, entity, sources);
  const start = await window.showQuickPick(
    [
      { label: l10n.t('Draft from the Data'), write: draft },
      { label: l10n.t('Empty'), write: writeEmpty },
    ],
    { title: title(), placeHolder: l10n.t('Start with'), ignoreFocusOut: true },
  );
  await start?.write(parts, entity, sources);
}

function title(): string {
  return l10n.t('New Entity');
}

/** A graph to write. */
interface PlannedEntity {
  readonly name: string;
  readonly target: Uri;
}

async function askName(taken?: { readonly name: string; readonly path: string }): Promise<string | undefined> {
  const name = await window.showInputBox({
    title: title(),
    prompt: taken
      ? l10n.t('{0} exists already. Choose another name.', taken.path)
      : l10n.t('Name of the entity graph, such as Incident management'),
    value: taken?.name ?? '',
    // A page that loads beside it, such as the walkthrough, may take the focus.
    ignoreFocusOut: true,
    validateInput: (text) => fileNameProblem(`${fileNameFor(text)}.entity.yaml`),
  });
  return name?.trim() === '' ? undefined : name?.trim();
}

/** Beside the sources file, so that this file applies; asks for another name while the file exists. */
async function freePlace(typed: string, { uri }: DataSourceView): Promise<PlannedEntity | undefined> {
  for (let name: string | undefined = typed; name !== undefined;) {
    const target = Uri.joinPath(Uri.parse(uri), '..', `${fileNameFor(name)}.entity.yaml`);
    if (!(await exists(target))) return { name, target };
    name = await askName({ name, path: workspace.asRelativePath(target) });
  }
  return undefined;
}

function fileNameFor(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-');
}

/** A source of the workspace, several of one file, or one added now. */
async function chooseSources({ language }: ClientParts): Promise<Sources | undefined> {
  const { sources } = await language.request('entityGraph/allDataSources', {});
  const several = { label: l10n.t('$(checklist) Several Data Sources…'), description: '', source: undefined };
  const add = { label: l10n.t('$(add) Add Data Source…'), description: '', source: undefined };
  const files = sources.map(({ uri }) => uri);
  const shared = sources.filter(({ uri }) => files.indexOf(uri) !== files.lastIndexOf(uri));
  const placeHolder =
    sources.length === 0 ? l10n.t('There is no data source in this workspace yet') : l10n.t('Data source');
  const chosen = await window.showQuickPick(
    [...sources.map(sourceItem), ...(shared.length > 0 ? [several] : []), add],
    { title: title(), placeHolder, matchOnDescription: true, ignoreFocusOut: true },
  );
  if (chosen === several) return chooseSeveral(shared);
  if (chosen !== add) return chosen?.source && [chosen.source];
  await commands.executeCommand(commandIds.addDataSource);
  const known = new Set(sources.map(keyOf));
  const now = await language.request('entityGraph/allDataSources', {});
  const added = now.sources.find((source) => !known.has(keyOf(source)));
  return added && [added];
}

/** Asks again while the chosen sources are of several files. */
async function chooseSeveral(sources: readonly DataSourceView[]): Promise<Sources | undefined> {
  for (;;) {
    const chosen = await window.showQuickPick(sources.map(sourceItem), {
      title: title(),
      placeHolder: l10n.t('Data sources to draft one graph of'),
      canPickMany: true,
      matchOnDescription: true,
      ignoreFocusOut: true,
    });
    const [first, ...others] = chosen?.map(({ source }) => source) ?? [];
    if (!first) return undefined;
    if (others.every(({ uri }) => uri === first.uri)) return [first, ...others];
    void showErrorMessage(l10n.t('Choose data sources of one data sources file: a graph uses one file.'));
  }
}

async function writeEmpty(
  parts: ClientParts,
  { name, target }: PlannedEntity,
  [{ name: dataSource }]: Sources,
): Promise<void> {
  const params = { target: target.toString(), name, dataSource };
  const written = await parts.language.request('entityGraph/newEmptyGraph', params);
  if (!written.ok) return showFailure(written.error, target);
  await open(parts, target);
}

/** Keeps the input when a source cannot be read: offers a retry or an empty graph. */
async function draft(parts: ClientParts, entity: PlannedEntity, sources: Sources, readAgain = false): Promise<void> {
  const { language } = parts;
  const { name, target } = entity;
  const startEmpty = { title: l10n.t('Start Empty'), run: () => writeEmpty(parts, entity, sources) };
  const offered: OfferedObject[] = [];
  for (const source of sources) {
    const known = await readObjects(parts, entity, source, readAgain);
    if (!known.ok) {
      return showFailure(known.error, Uri.parse(source.uri), '', [
        { title: l10n.t('Try Again'), run: () => draft(parts, entity, sources, readAgain) },
        startEmpty,
      ]);
    }
    const { objects, incomplete } = known.value;
    if (objects.length === 0) {
      return offer(
        incomplete ?? l10n.t('{0} has no data objects that can be read: there is nothing to draft from.', source.name),
        [
          startEmpty,
          { title: l10n.t('Read Again'), run: () => draft(parts, entity, sources, true) },
          { title: l10n.t('Other Data Source'), run: () => beginWithOther(parts, name) },
        ],
      );
    }
    offered.push(...objects.map((object) => ({ object, dataSource: source.name })));
  }
  const chosen = await chooseDataObjects(offered, title());
  const [first, ...furtherSources] = sources.flatMap(({ name: dataSource }) => {
    const objects = chosen?.filter((each) => each.dataSource === dataSource).map(({ object }) => object.name) ?? [];
    return objects.length === 0 ? [] : [{ dataSource, objects }];
  });
  if (!first) return;
  const outcome = await draftEntity(language, target, { ...first, name, furtherSources }, title());
  if (outcome === 'dismissed') return;
  if (!outcome.ok) return showFailure(outcome.error, target);
  await open(parts, target);
}

/** The known data objects, possibly from an old catalog, or those read again. */
function readObjects(
  { language }: ClientParts,
  { target }: PlannedEntity,
  { uri, name }: DataSourceView,
  again: boolean,
): Promise<Outcome<DataObjectsView>> {
  return progressWhenSlow(language, l10n.t('Reading {0}', name), (token, report) => {
    const hands = { token, report };
    return again
      ? reportedRequest(language, 'entityGraph/sourceObjects', { uri, dataSource: name, refresh: true }, hands)
      : reportedRequest(language, 'entityGraph/objectsFor', { uri: target.toString(), dataSource: name }, hands);
  });
}

async function beginWithOther(parts: ClientParts, name: string): Promise<void> {
  const sources = await chooseSources(parts);
  if (sources) await begin(parts, name, sources);
}

async function offer(text: string, actions: readonly Action[]): Promise<void> {
  const chosen = await showWarningMessage(text, ...actions.map(({ title: label }) => label));
  await actions.find(({ title: label }) => label === chosen)?.run();
}

async function open({ entities }: ClientParts, target: Uri): Promise<void> {
  entities.refresh();
  await commands.executeCommand(commandIds.openCanvas, target);
}

function exists(target: Uri): Promise<boolean> {
  return Promise.resolve(
    workspace.fs.stat(target).then(
      () => true,
      () => false,
    ),
  );
}

/** Up to this number, all data objects are proposed. */
const maxProposed = 12;

interface OfferedObject {
  readonly object: DataObjectView;
  readonly dataSource: string;
}

/** The data objects for a new graph: the only one, else the user's choice; undefined when there are none. */
async function chooseDataObjects(
  offered: readonly OfferedObject[],
  title: string,
): Promise<readonly OfferedObject[] | undefined> {
  if (offered.length === 1) return offered;
  const areOfSeveral = new Set(offered.map(({ dataSource }) => dataSource)).size > 1;
  const items = offered.map((each) => ({
    label: each.object.name,
    description: [...(areOfSeveral ? [each.dataSource] : []), ...objectFacts(each.object).slice(0, 3)].join(' · '),
    picked: offered.length <= maxProposed,
    offered: each,
  }));
  const chosen = await window.showQuickPick(items, {
    title,
    placeHolder: l10n.t('Data objects to draft the graph of'),
    canPickMany: true,
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return chosen?.map(({ offered: each }) => each);
}
