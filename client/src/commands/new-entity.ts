import { type QuickPickItem, QuickPickItemKind, Uri, commands, l10n, window, workspace } from 'vscode';
import type { DataObjectView, DataObjectsView } from '../../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../../protocol/requests/source-requests.ts';
import type { Outcome } from '../../../protocol/query-results.ts';
import { sourceItem } from '../choose-data-source.ts';
import { commandIds } from '../command-ids.ts';
import { type DataFile, dataFiles } from '../data-files.ts';
import { draftEntity } from '../draft-entity.ts';
import { draftOfFile } from '../draft-of-file.ts';
import { writeFileGraph } from '../write-file-graph.ts';
import { keyOf } from '../data-source-items.ts';
import { progressWhenSlow } from '../progress-when-slow.ts';
import { reportedRequest } from '../reported-request.ts';
import { type Action, showFailure } from '../show-failure.ts';
import type { ClientParts, Command } from './command.ts';
import { offerFolder } from '../offer-folder.ts';
import { fileNameProblem } from './copy-graph.ts';
import { showErrorMessage, showWarningMessage } from '../messages.ts';
import { objectFacts } from '../object-facts.ts';

/**
 * Asks for a data file or data source, and for a name last, and writes a new graph beside the sources file: drafted from
 * what chosen data objects hold, or empty. Several data sources can be chosen for a draft. With the address of an empty
 * file, drafts into that file.
 */
export const newEntity: Command = async (parts, [file]) => {
  if ((workspace.workspaceFolders ?? []).length === 0)
    return offerFolder(l10n.t('Open a folder first: the entity graph is a file in it.'));
  // The empty file from whose completion it was chosen.
  const blank = typeof file === 'string' ? Uri.parse(file) : undefined;
  const start = await chooseStart(parts, blank ? [] : await dataFiles());
  if (!start) return;
  if ('uri' in start) return draftFile(parts, start);
  if (blank) await draft(parts, start, { place: () => Promise.resolve({ name: nameOfFile(blank), target: blank }) });
  else await begin(parts, start);
};

function nameOfFile({ path }: Uri): string {
  return path.slice(path.lastIndexOf('/') + 1).replace(/\.entity\.(?:yaml|yml|json)$/, '');
}

/** Data sources of one sources file; the first is that of the graph. */
type Sources = readonly [DataSourceView, ...DataSourceView[]];

/** Asks how to start the graph of a source, and writes it. Several sources are only for a draft. */
async function begin(parts: ClientParts, sources: Sources): Promise<void> {
  const place = (proposal: string): Promise<PlannedEntity | undefined> => askPlace(proposal, Uri.parse(sources[0].uri));
  if (sources.length > 1) return draft(parts, sources, { place });
  const start = await window.showQuickPick(
    [
      { label: l10n.t('Draft from the Data'), write: draft },
      { label: l10n.t('Empty'), write: writeEmpty },
    ],
    { title: title(), placeHolder: l10n.t('Start with'), ignoreFocusOut: true },
  );
  await start?.write(parts, sources, { place });
}

/** Drafts the graph of a data file, for which a data source is added where there is none. */
async function draftFile(parts: ClientParts, file: DataFile, isTaken = false): Promise<void> {
  const { uri, name: proposal } = file;
  const name = await askName(proposal, isTaken ? `${fileNameFor(proposal)}.entity.yaml` : undefined);
  if (name === undefined) return;
  const named = { name, fileName: `${fileNameFor(name)}.entity.yaml` };
  const drafted = await draftOfFile(parts.language, uri, { named }, title());
  if (drafted === 'dismissed') return;
  if (!drafted.ok && drafted.error.code === 'file-exists') return draftFile(parts, { ...file, name }, true);
  if (!drafted.ok) return showFailure(drafted.error, uri);
  if (drafted.value.kind !== 'drafted') return;
  const written = await writeFileGraph(parts.language, drafted.value);
  parts.dataSources.reload();
  await open(parts, written.uri);
}

function title(): string {
  return l10n.t('New Entity Graph');
}

/** A graph to write. */
interface PlannedEntity {
  readonly name: string;
  readonly target: Uri;
}

/** @param taken the path of a file that has the proposed name. */
async function askName(proposal: string, taken?: string): Promise<string | undefined> {
  const name = await window.showInputBox({
    title: title(),
    prompt:
      taken === undefined
        ? l10n.t('Name of the entity graph, such as Incident management')
        : l10n.t('{0} exists already. Choose another name.', taken),
    value: proposal,
    // A page that loads beside it, such as the walkthrough, may take the focus.
    ignoreFocusOut: true,
    validateInput: (text) => fileNameProblem(`${fileNameFor(text)}.entity.yaml`),
  });
  return name?.trim() === '' ? undefined : name?.trim();
}

/** Beside the sources file, so that this file applies; asks for another name while the file exists. */
async function askPlace(proposal: string, sources: Uri): Promise<PlannedEntity | undefined> {
  for (let name = await askName(proposal); name !== undefined;) {
    const target = Uri.joinPath(sources, '..', `${fileNameFor(name)}.entity.yaml`);
    if (!(await exists(target))) return { name, target };
    name = await askName(name, workspace.asRelativePath(target));
  }
  return undefined;
}

function fileNameFor(name: string): string {
  return name.trim().toLowerCase().replaceAll(/\s+/g, '-');
}

/** A data file, a source of the workspace, several of one file, or one added now. */
async function chooseStart(
  { language }: ClientParts,
  files: readonly DataFile[],
): Promise<Sources | DataFile | undefined> {
  const { sources } = await language.request('entityGraph/allDataSources', {});
  const several = { label: l10n.t('$(checklist) Several Data Sources…') };
  const add = { label: l10n.t('$(add) Add Data Source…') };
  const uris = sources.map(({ uri }) => uri);
  const shared = sources.filter(({ uri }) => uris.indexOf(uri) !== uris.lastIndexOf(uri));
  const heading = (label: string): QuickPickItem => ({ label, kind: QuickPickItemKind.Separator });
  const fileItems = files.map((file) => ({ ...file, file }));
  const sourceItems = sources.map(sourceItem);
  const items: readonly QuickPickItem[] = [
    ...(files.length > 0 ? [heading(l10n.t('Data files')), ...fileItems, heading(l10n.t('Data sources'))] : []),
    ...sourceItems,
    ...(shared.length > 0 ? [several] : []),
    add,
  ];
  const placeHolder =
    files.length > 0
      ? l10n.t('Data file or data source')
      : sources.length > 0
        ? l10n.t('Data source')
        : l10n.t('There is no data source in this workspace yet');
  const options = { title: title(), placeHolder, matchOnDescription: true, ignoreFocusOut: true };
  const chosen = await window.showQuickPick(items, options);
  if (chosen === several) return chooseSeveral(shared);
  if (chosen !== add) {
    const source = sourceItems.find((item) => item === chosen)?.source;
    return source ? [source] : fileItems.find((item) => item === chosen)?.file;
  }
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

/** What the writing of a graph asks last. */
interface Naming {
  readonly place: (proposal: string) => Promise<PlannedEntity | undefined>;
}

async function writeEmpty(parts: ClientParts, [{ name: dataSource }]: Sources, { place }: Naming): Promise<void> {
  const entity = await place(dataSource);
  if (!entity) return;
  const { name, target } = entity;
  const params = { target: target.toString(), name, dataSource };
  const written = await parts.language.request('entityGraph/newEmptyGraph', params);
  if (!written.ok) return showFailure(written.error, target);
  await open(parts, target);
}

/** Keeps the input when a source cannot be read: offers a retry or an empty graph. */
async function draft(parts: ClientParts, sources: Sources, naming: Naming, readAgain = false): Promise<void> {
  const { language } = parts;
  const startEmpty = { title: l10n.t('Start Empty'), run: () => writeEmpty(parts, sources, naming) };
  const offered: OfferedObject[] = [];
  for (const source of sources) {
    const known = await readObjects(parts, source, readAgain);
    if (!known.ok) {
      const again = (): Promise<void> => draft(parts, sources, naming, readAgain);
      const first = [{ title: l10n.t('Try Again'), run: again }, startEmpty];
      return showFailure(known.error, Uri.parse(source.uri), { first, again });
    }
    const { objects, incomplete } = known.value;
    if (objects.length === 0) {
      return offer(
        incomplete ?? l10n.t('{0} has no data objects that can be read: there is nothing to draft from.', source.name),
        [
          startEmpty,
          { title: l10n.t('Read Again'), run: () => draft(parts, sources, naming, true) },
          { title: l10n.t('Other Data Source'), run: () => beginWithOther(parts) },
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
  const [only, ...others] = chosen ?? [];
  const proposal = only && others.length === 0 ? only.object.name : sources[0].name;
  const entity = first && (await naming.place(proposal));
  if (!entity) return;
  const { name, target } = entity;
  const outcome = await draftEntity(language, target, { ...first, name, furtherSources }, title());
  if (outcome === 'dismissed') return;
  if (!outcome.ok) return showFailure(outcome.error, target);
  await open(parts, target);
}

/** The known data objects, possibly from an old catalog, or those read again. */
function readObjects(
  { language }: ClientParts,
  { uri, name }: DataSourceView,
  again: boolean,
): Promise<Outcome<DataObjectsView>> {
  return progressWhenSlow(language, l10n.t('Reading {0}', name), (token, report) => {
    const hands = { token, report };
    if (again)
      return reportedRequest(language, 'entityGraph/sourceObjects', { uri, dataSource: name, refresh: true }, hands);
    // The sources file applies to any file beside it.
    return reportedRequest(language, 'entityGraph/objectsFor', { uri, dataSource: name }, hands);
  });
}

async function beginWithOther(parts: ClientParts): Promise<void> {
  const start = await chooseStart(parts, []);
  if (start && !('uri' in start)) await begin(parts, start);
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
