import type { MarkdownString } from 'vscode';
import {
  type Disposable,
  type Event,
  EventEmitter,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  Uri,
  l10n,
  window,
  workspace,
} from 'vscode';
import { statusIcons } from '../../protocol/entity-status-icons.ts';
import type { EntityRow, ListFailure, RunningImportView } from '../../protocol/entities-table.ts';
import type { KeptRowsView } from '../../protocol/kept-rows.ts';
import { commandIds, entitiesViewId } from './command-ids.ts';
import type { EntityList } from './entity-list.ts';
import { restrictedMessage } from './restricted-mode.ts';
import { tooltip } from './tooltip.ts';

/** The Entities view in the activity bar: all entity graphs of the workspace with their import status. */
export interface EntitiesView extends Disposable {
  /** Whether it is visible. */
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<unknown>;
}

export function createEntitiesView(list: EntityList): EntitiesView {
  const changed = new EventEmitter<void>();
  const provider: TreeDataProvider<TreeItem> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (item) => item,
    getChildren: async (parent) => {
      if (parent) return [];
      const [failures, rows] = await Promise.all([list.failures(), list.rows()]);
      return [...failures.map(failureItem), ...rows.map(entityItem)];
    },
  };
  const view = window.createTreeView(entitiesViewId, { treeDataProvider: provider });
  const showTrust = (): void => void (view.message = restrictedMessage());
  showTrust();
  const subscriptions = [
    view,
    changed,
    list.onDidChange(() => changed.fire()),
    workspace.onDidGrantWorkspaceTrust(showTrust),
  ];
  return {
    get visible() {
      return view.visible;
    },
    onDidChangeVisibility: view.onDidChangeVisibility,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** A click opens the unreadable file, or retries. */
function failureItem({ message, remedy, uri }: ListFailure): TreeItem {
  const reason = failureText({ message, remedy });
  // The file name comes first, because space is limited.
  const item = new TreeItem(uri === undefined ? reason : workspace.asRelativePath(Uri.parse(uri)));
  if (uri !== undefined) item.description = reason;
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  const isFile = uri !== undefined && /\.(ya?ml|json)$/i.test(uri);
  const click = isFile ? l10n.t('Click to open the file.') : l10n.t('Click to try again.');
  item.tooltip = tooltip(message, ...(remedy === undefined ? [] : [remedy]), click);
  item.command = isFile
    ? { title: l10n.t('Open File'), command: 'vscode.open', arguments: [Uri.parse(uri)] }
    : { title: l10n.t('Try Again'), command: commandIds.refreshEntities };
  item.contextValue = 'failure';
  return item;
}

function failureText({ message, remedy }: { readonly message: string; readonly remedy?: string | undefined }): string {
  return [message, remedy].filter((part) => part !== undefined).join(' ');
}

/** Status by word and shape, supported by colour. */
export function entityItem(row: EntityRow): TreeItem {
  const { uri, name, differingPath = null, dataSources, problem, running } = row;
  const item = new TreeItem(name);
  item.id = uri;
  item.resourceUri = Uri.parse(uri);
  item.description = [differingPath, dataSources.join(', '), running ? runningText(running) : statusText(row)]
    .filter((part) => part !== null && part !== '')
    .join(' · ');
  item.iconPath = iconOf(row);
  // Without it, screen readers read label and description, which lack the reason.
  if (problem) {
    const label = [name, item.description, failureText(problem)].join(', ');
    item.accessibilityInformation = { label, role: 'treeitem' };
  }
  item.tooltip = tooltipOf(row);
  item.contextValue = contextOf(row);
  item.command = {
    title: l10n.t('Open Canvas'),
    command: commandIds.openCanvas,
    arguments: [item.resourceUri],
  };
  return item;
}

function iconOf({ status, modifiedSinceImport, problem, running }: EntityRow): ThemeIcon {
  if (running) return new ThemeIcon(running.state === 'waiting' ? 'clock' : 'sync~spin');
  if (problem) return new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  if (status === 'Not Imported') return new ThemeIcon(statusIcons['not-imported'], new ThemeColor('charts.red'));
  return new ThemeIcon(
    modifiedSinceImport ? statusIcons.modified : statusIcons.imported,
    new ThemeColor('charts.blue'),
  );
}

/** Context value for menus in `package.json`. */
function contextOf({ status, modifiedSinceImport, running }: EntityRow): string {
  return [
    status === 'Imported' ? 'imported' : 'new',
    ...(modifiedSinceImport ? ['modified'] : []),
    ...(running ? ['running'] : []),
  ].join(' ');
}

function statusText({ status, modifiedSinceImport, keptRows, slice, problem }: EntityRow): string {
  const isImported = status === 'Imported';
  // Problems come first, because narrow views cut the end.
  if (problem?.code === 'yaml-syntax') {
    return isImported ? l10n.t('Broken text · Imported') : l10n.t('Broken text · Not Imported');
  }
  if (problem) return isImported ? l10n.t('No data source · Imported') : l10n.t('No data source · Not Imported');
  if (!isImported) return l10n.t('Not Imported');
  if (modifiedSinceImport && keptRows) {
    return l10n.t('Imported, modified since import, with kept rows of {0}', sourcesOf(keptRows));
  }
  if (slice) {
    if (modifiedSinceImport) return l10n.t('Sample imported, modified since import');
    return slice.sample === undefined ? l10n.t('Part imported') : l10n.t('Sample imported');
  }
  if (modifiedSinceImport) return l10n.t('Imported, modified since import');
  return keptRows ? l10n.t('Imported, with kept rows of {0}', sourcesOf(keptRows)) : l10n.t('Imported');
}

function sourcesOf(keptRows: readonly KeptRowsView[]): string {
  return keptRows.map(({ dataSource }) => dataSource).join(', ');
}

/** Progress of an import in a few words. */
export function runningText({ state, step, rows }: RunningImportView): string {
  if (state === 'waiting') return l10n.t('Waiting');
  if (state === 'cancelling') return l10n.t('Cancelling…');
  if (step === undefined) return l10n.t('Starting');
  return rows === undefined ? step : l10n.t('{0}, {1} rows', step, rows.toLocaleString());
}

function tooltipOf(row: EntityRow): MarkdownString {
  const { path, problem, progress, created, modified, imported } = row;
  const time = (text: string): string =>
    new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const lines = [
    path,
    l10n.t('Status: {0}', statusText(row)),
    ...(problem ? [failureText(problem)] : []),
    ...(progress === null ? [] : [l10n.t('Progress: {0}', progress)]),
    l10n.t('Created: {0}', time(created)),
    l10n.t('Modified: {0}', time(modified)),
    ...(imported === null ? [] : [l10n.t('Imported: {0}', time(imported))]),
  ];
  return tooltip(...lines);
}
