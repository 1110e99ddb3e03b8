import {
  type Disposable,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { EntityView } from '../../protocol/language-requests.ts';
import { commandIds, entitiesViewId } from './command-ids.ts';
import type { GraphLanguage } from './language-client.ts';

/** Changes of files gather for so long before the list is read again. */
const restMs = 300;

/** All entity graphs of the workspace with their import status, in the activity bar. */
export interface EntitiesView extends Disposable {
  refresh(): void;
}

export function createEntitiesView(language: GraphLanguage, onError: (error: unknown) => void): EntitiesView {
  const changed = new EventEmitter<void>();
  /** Steps of the imports that run now, by file. */
  const running = new Map<string, string>();
  const provider: TreeDataProvider<TreeItem> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: (item) => item,
    async getChildren(parent) {
      if (parent) return [];
      try {
        const entities = await language.request('entityGraph/entities', {});
        return entities.map((entity) => entityItem(entity, running.get(entity.uri)));
      } catch (error) {
        onError(error);
        return [];
      }
    },
  };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const refresh = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => changed.fire(), restMs);
  };
  const files = workspace.createFileSystemWatcher('**/*.entity.{yaml,yml,json}');
  const subscriptions = [
    window.createTreeView(entitiesViewId, { treeDataProvider: provider }),
    changed,
    files,
    files.onDidChange(refresh),
    files.onDidCreate(refresh),
    files.onDidDelete(refresh),
    language.onNotification('entityGraph/importProgress', ({ uri, progress }) => {
      if (progress.step === 'Import Done') running.delete(uri);
      else
        running.set(
          uri,
          progress.rows === undefined ? progress.step : `${progress.step}, ${progress.rows.toLocaleString('en')} rows`,
        );
      refresh();
    }),
  ];
  return {
    refresh() {
      running.clear();
      refresh();
    },
    dispose() {
      clearTimeout(timer);
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** State as word and shape first, colour second. */
export function entityItem(entity: EntityView, step: string | undefined): TreeItem {
  const { uri, name, dataSource, status, modifiedSinceImport } = entity;
  const item = new TreeItem(name);
  item.id = uri;
  item.resourceUri = Uri.parse(uri);
  const words = step ?? (modifiedSinceImport ? `${status}, modified since import` : status);
  item.description = [dataSource, words].filter((part) => part !== null).join(' · ');
  item.iconPath =
    step !== undefined
      ? new ThemeIcon('sync~spin')
      : status === 'Imported'
        ? new ThemeIcon('circle-filled', new ThemeColor(modifiedSinceImport ? 'charts.yellow' : 'charts.blue'))
        : new ThemeIcon('circle-outline', new ThemeColor('errorForeground'));
  item.tooltip = tooltipOf(entity);
  item.contextValue = [status === 'Imported' ? 'imported' : 'new', ...(modifiedSinceImport ? ['modified'] : [])].join(
    ' ',
  );
  item.command = { title: 'Open', command: commandIds.openCanvas, arguments: [item.resourceUri] };
  return item;
}

function tooltipOf({ uri, status, progress, created, modified, imported }: EntityView): MarkdownString {
  const time = (text: string): string =>
    new Date(text).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  const lines = [
    workspace.asRelativePath(Uri.parse(uri)),
    `Status: ${status}`,
    ...(progress === null ? [] : [`Progress: ${progress}`]),
    `Created: ${time(created)}`,
    `Modified: ${time(modified)}`,
    ...(imported === null ? [] : [`Imported: ${time(imported)}`]),
  ];
  return new MarkdownString().appendText(lines.join('\n'));
}
