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
  l10n,
  window,
  workspace,
} from 'vscode';
import type { ColumnView, DataObjectView } from '../../protocol/canvas-intents.ts';
import type { DataSourceView } from '../../protocol/language-requests.ts';
import type { Failure } from '../../protocol/query-results.ts';
import { commandIds, dataSourcesViewId } from './command-ids.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import type { GraphLanguage } from './language-client.ts';
import { objectFacts } from './object-facts.ts';
import { restrictedMessage } from './restricted-mode.ts';

/** A row of the view. */
export type DataSourceNode =
  | { readonly kind: 'source'; readonly source: DataSourceView; readonly missingSecrets: readonly string[] }
  | { readonly kind: 'object'; readonly source: DataSourceView; readonly object: DataObjectView }
  | { readonly kind: 'column'; readonly parent: string; readonly column: ColumnView }
  | { readonly kind: 'failure'; readonly source: DataSourceView; readonly error: Failure };

/** The data sources of the workspace with their data objects and columns, read when they are opened. */
export interface DataSourcesView extends Disposable {
  /** Reads a source anew, which may ask for its secret. */
  refresh(source: DataSourceView): void;
  reload(): void;
  /** Opens the view at a row. */
  reveal(node: DataSourceNode): Promise<void>;
}

export function createDataSourcesView(
  language: GraphLanguage,
  secrets: ConnectionSecrets,
  onError: (error: unknown) => void,
): DataSourcesView {
  const changed = new EventEmitter<undefined>();
  /** Sources that are to be read anew when their objects are asked for next. */
  const anew = new Set<string>();

  async function childrenOf(node: DataSourceNode | undefined): Promise<readonly DataSourceNode[]> {
    if (!node) {
      const sources = await language.request('entityGraph/allDataSources', {});
      return Promise.all(sources.map(sourceNode));
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
    const parent = idOf(node) ?? '';
    return outcome.value.map((column) => ({ kind: 'column', parent, column }));
  }

  async function sourceNode(source: DataSourceView): Promise<DataSourceNode> {
    const known = await Promise.all(source.secrets.map((name) => secrets.has(name)));
    return { kind: 'source', source, missingSecrets: source.secrets.filter((_, index) => !known[index]) };
  }

  const provider: TreeDataProvider<DataSourceNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: dataSourceItem,
    getParent: (node) =>
      node.kind === 'object' ? { kind: 'source', source: node.source, missingSecrets: [] } : undefined,
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
  const view = window.createTreeView(dataSourcesViewId, { treeDataProvider: provider, showCollapseAll: true });
  const showTrust = (): void => void (view.message = restrictedMessage());
  showTrust();
  const subscriptions = [
    view,
    changed,
    workspace.onDidGrantWorkspaceTrust(showTrust),
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
    reveal: async (node) => view.reveal(node, { focus: true, select: true, expand: true }),
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

function keyOf({ uri, name }: DataSourceView): string {
  return `${uri} ${name}`;
}

/** Rows are made anew whenever they are asked for; this says which are the same. */
function idOf(node: DataSourceNode): string | undefined {
  switch (node.kind) {
    case 'source':
      return keyOf(node.source);
    case 'object':
      return `${keyOf(node.source)} ${node.object.name}`;
    case 'column':
      return `${node.parent} ${node.column.name}`;
    case 'failure':
      return undefined;
  }
}

/** How a row looks. */
export function dataSourceItem(node: DataSourceNode): TreeItem {
  const item = itemOf(node);
  const id = idOf(node);
  if (id !== undefined) item.id = id;
  return item;
}

function itemOf(node: DataSourceNode): TreeItem {
  switch (node.kind) {
    case 'source':
      return sourceItem(node.source, node.missingSecrets);
    case 'object':
      return objectItem(node.object, node.source.kind);
    case 'column':
      return columnItem(node.column);
    case 'failure':
      return failureItem(node.source, node.error);
  }
}

function sourceItem({ uri, name, kind, secrets }: DataSourceView, missingSecrets: readonly string[]): TreeItem {
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  const missing = missingSecrets.length > 0 ? [l10n.t('no secret set')] : [];
  item.description = [kind, ...missing].join(' · ');
  item.iconPath = new ThemeIcon(kind === 'csv' ? 'files' : kind === 'postgresql' ? 'database' : 'globe');
  item.tooltip = l10n.t('{0} data source in {1}', kind, workspace.asRelativePath(Uri.parse(uri)));
  // Menus of some kinds of sources ask for the kind.
  item.contextValue = ['source', ...(secrets.length > 0 ? ['secret'] : []), kind].join(' ');
  return item;
}

function objectItem(object: DataObjectView, sourceKind: string): TreeItem {
  const { name, kind, rowEstimate } = object;
  const item = new TreeItem(name, TreeItemCollapsibleState.Collapsed);
  item.description = rowEstimate === undefined ? '' : l10n.t('about {0} rows', rowEstimate.toLocaleString());
  item.iconPath = new ThemeIcon(/view/.test(kind) ? 'eye' : kind === 'file' ? 'file' : 'table');
  item.tooltip = new MarkdownString().appendText([name, ...objectFacts(object)].join('\n'));
  item.contextValue = `object ${sourceKind}`;
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
  const share = nullShare === undefined ? [] : [l10n.t('{0} % empty', Math.round(nullShare * 100))];
  const facts = [type, key ? l10n.t('key') : '', nullable ? '' : l10n.t('not null'), ...share].filter(
    (fact) => fact !== '',
  );
  item.tooltip = new MarkdownString().appendText([name, ...(comment ? [comment] : []), facts.join(' · ')].join('\n'));
  item.contextValue = 'column';
  return item;
}

/** A failure is a row with what helps: a click reads the source, which asks for what is missing. */
function failureItem(source: DataSourceView, { message, remedy }: Failure): TreeItem {
  const item = new TreeItem([message, remedy].filter((part) => part !== undefined).join(' '));
  item.iconPath = new ThemeIcon('warning', new ThemeColor('list.warningForeground'));
  item.tooltip = `${[message, remedy].filter((part) => part !== undefined).join('\n')}\n${l10n.t('Click to read the source now.')}`;
  item.command = { title: l10n.t('Read'), command: commandIds.refreshSource, arguments: [{ kind: 'source', source }] };
  item.contextValue = 'failure';
  return item;
}
