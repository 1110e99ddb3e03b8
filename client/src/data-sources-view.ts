import {
  type Disposable,
  EventEmitter,
  MarkdownString,
  ThemeColor,
  ThemeIcon,
  type TreeDataProvider,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
} from 'vscode';
import type { ColumnView, DataObjectView } from '../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../protocol/language-requests.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { commandIds, dataSourcesViewId } from './command-ids.ts';
import type { GraphLanguage } from './language-client.ts';

/** A row of the view. */
export type DataSourceNode =
  | { readonly kind: 'source'; readonly source: DataSourceView }
  | { readonly kind: 'object'; readonly source: DataSourceView; readonly object: DataObjectView }
  | { readonly kind: 'column'; readonly column: ColumnView }
  | { readonly kind: 'failure'; readonly source: DataSourceView; readonly error: Failure };

/** The data sources of the workspace with their data objects and columns, read when they are opened. */
export interface DataSourcesView extends Disposable {
  /** Reads a source anew, which may ask for its secret. */
  refresh(source: DataSourceView): void;
  reload(): void;
}

export function createDataSourcesView(language: GraphLanguage, onError: (error: unknown) => void): DataSourcesView {
  const changed = new EventEmitter<undefined>();
  /** Sources that are to be read anew when their objects are asked for next. */
  const anew = new Set<string>();
  const keyOf = ({ uri, name }: DataSourceView): string => `${uri} ${name}`;

  async function childrenOf(node: DataSourceNode | undefined): Promise<readonly DataSourceNode[]> {
    if (!node) {
      const sources = await language.request('entityGraph/allDataSources', {});
      return sources.map((source) => ({ kind: 'source', source }));
    }
    if (node.kind === 'source') {
      const { source } = node;
      const refresh = anew.delete(keyOf(source));
      const params = { uri: source.uri, dataSource: source.name, ...(refresh ? { refresh } : {}) };
      const outcome = await language.request('entityGraph/sourceObjects', params);
      if (!outcome.ok) return [{ kind: 'failure', source, error: outcome.error }];
      return outcome.value.objects.map((object) => ({ kind: 'object', source, object }));
    }
    if (node.kind !== 'object') return [];
    const { source, object } = node;
    const params = { uri: source.uri, dataSource: source.name, dataObject: object.name };
    const outcome = await language.request('entityGraph/sourceColumns', params);
    if (!outcome.ok) return [{ kind: 'failure', source, error: outcome.error }];
    return outcome.value.map((column) => ({ kind: 'column', column }));
  }

  const provider: TreeDataProvider<DataSourceNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: dataSourceItem,
    getChildren: (node) =>
      childrenOf(node)
        .then((nodes) => [...nodes])
        .catch((error: unknown) => {
          onError(error);
          return [];
        }),
  };
  const reload = (): void => changed.fire(undefined);
  const files = workspace.createFileSystemWatcher('**/entity-sources.{yaml,yml,json}');
  const subscriptions = [
    window.createTreeView(dataSourcesViewId, { treeDataProvider: provider, showCollapseAll: true }),
    changed,
    files,
    files.onDidChange(reload),
    files.onDidCreate(reload),
    files.onDidDelete(reload),
    workspace.onDidGrantWorkspaceTrust(reload),
  ];
  return {
    refresh(source) {
      anew.add(keyOf(source));
      reload();
    },
    reload,
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** How a row looks. */
export function dataSourceItem(node: DataSourceNode): TreeItem {
  switch (node.kind) {
    case 'source':
      return sourceItem(node.source);
    case 'object':
      return objectItem(node.object);
    case 'column':
      return columnItem(node.column);
    case 'failure':
      return failureItem(node.source, node.error);
  }
}

function sourceItem({ uri, name, kind }: DataSourceView): TreeItem {
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  item.description = kind;
  item.iconPath = new ThemeIcon(kind === 'csv' ? 'files' : kind === 'postgresql' ? 'database' : 'globe');
  item.tooltip = `${kind} data source in ${workspace.asRelativePath(Uri.parse(uri))}`;
  item.contextValue = 'source';
  return item;
}

function objectItem({ name, kind, comment, columnCount, rowEstimate, key }: DataObjectView): TreeItem {
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  const rows = rowEstimate === undefined ? [] : [`about ${rowEstimate.toLocaleString('en')} rows`];
  item.description = rows.join('');
  item.iconPath = new ThemeIcon(/view/.test(kind) ? 'eye' : kind === 'file' ? 'file' : 'table');
  const facts = [kind, `${columnCount} columns`, ...rows, key.length > 0 ? `key: ${key.join(', ')}` : 'no key'];
  item.tooltip = new MarkdownString().appendText([name, ...(comment ? [comment] : []), facts.join(' · ')].join('\n'));
  item.contextValue = 'object';
  return item;
}

const senseIcons: Readonly<Record<string, string>> = {
  timestamp: 'clock',
  date: 'calendar',
  time: 'clock',
  integer: 'symbol-number',
  number: 'symbol-number',
  text: 'symbol-string',
  boolean: 'symbol-boolean',
  json: 'json',
};

function columnItem({ name, type, sense, key, nullable, references, comment, nullShare }: ColumnView): TreeItem {
  const item = new TreeItem(name);
  item.description = [type, ...(references === undefined ? [] : [`→ ${references}`])].join(' · ');
  item.iconPath = new ThemeIcon(key ? 'key' : (senseIcons[sense] ?? 'symbol-field'));
  const share = nullShare === undefined ? [] : [`${Math.round(nullShare * 100)} % empty`];
  const facts = [type, key ? 'key' : '', nullable ? '' : 'not null', ...share].filter((fact) => fact !== '');
  item.tooltip = new MarkdownString().appendText([name, ...(comment ? [comment] : []), facts.join(' · ')].join('\n'));
  item.contextValue = 'column';
  return item;
}

/** A failure is a row with what helps: a click reads the source, which asks for what is missing. */
function failureItem(source: DataSourceView, { message, remedy }: Failure): TreeItem {
  const item = new TreeItem([message, remedy].filter((part) => part !== undefined).join(' '));
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.tooltip = `${[message, remedy].filter((part) => part !== undefined).join('\n')}\nClick to read the source now.`;
  item.command = { title: 'Read', command: commandIds.refreshSource, arguments: [{ kind: 'source', source }] };
  item.contextValue = 'failure';
  return item;
}
