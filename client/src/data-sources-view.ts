import { type Disposable, type TreeDataProvider, type TreeItem, l10n, window, workspace } from 'vscode';
import type { DataObjectView, DataObjectsView } from '../../protocol/canvas-intents.ts';
import type { CatalogChange } from '../../protocol/catalog-state.ts';
import type { SecretUse } from '../../protocol/requests/client-requests.ts';
import type { DataSourceView } from '../../protocol/requests/source-requests.ts';
import { createDebouncer } from '../../protocol/debouncer.ts';
import type { Failure, Outcome } from '../../protocol/query-results.ts';
import { dataSourcesViewId } from './command-ids.ts';
import type { ConnectionSecrets } from './connection-secrets.ts';
import { type DataSourceNode, dataSourceItem, keyOf } from './data-source-items.ts';
import type { GraphLanguage } from './language-client.ts';
import { progressWhenSlow } from './progress-when-slow.ts';
import { reportedRequest } from './reported-request.ts';
import { restrictedMessage } from './restricted-mode.ts';
import { createSourceRows } from './source-rows.ts';
import { createTreeChanges } from './tree-changes.ts';

/** The Data Sources view: data sources with data objects and columns, read when expanded. */
export interface DataSourcesView extends Disposable {
  /** Reads a source again, which may ask for its secret, and reveals its row, or does so when the hidden view opens. */
  refresh(source: DataSourceView): Promise<void>;
  reload(): void;
  /** Reveals a row. */
  reveal(node: DataSourceNode): Promise<void>;
}

/** Longer than VS Code takes to draw a row. */
const drawingMs = 1000;

type SourceNode = Extract<DataSourceNode, { kind: 'source' }>;

// eslint-disable-next-line max-lines-per-function -- Nodes, their catalogs and what is drawn again share one tree.
export function createDataSourcesView(
  language: GraphLanguage,
  secrets: ConnectionSecrets,
  onError: (error: unknown) => void,
  createTree: typeof window.createTreeView = window.createTreeView,
): DataSourcesView {
  const changed = createTreeChanges<DataSourceNode>(branchOf);
  /** Sources to read again at the next request for their objects. */
  const anew = new Set<string>();
  /** Sources being read. */
  const reading = new Map<string, Promise<Outcome<DataObjectsView>>>();
  /** Rows with the state of their sources, whichever surface reads these. */
  const rows = createSourceRows<SourceNode>();
  /** The list is requested only because some of its rows were not drawn. */
  let isDrawnAgain = false;
  /** Data objects of sources read since the list of sources was loaded. */
  const counts = new Map<string, number>();

  async function childrenOf(node: DataSourceNode | undefined): Promise<readonly DataSourceNode[]> {
    if (!node) {
      const takeRows = rows.beginList({ isDrawnAgain });
      if (!isDrawnAgain) counts.clear();
      isDrawnAgain = false;
      const { sources, unreadable } = await language.request('entityGraph/allDataSources', {});
      const files = unreadable.map((file): DataSourceNode => ({ kind: 'unreadable', ...file }));
      const nodes = await Promise.all(sources.map(sourceNode));
      takeRows(new Map(nodes.map((node) => [keyOf(node.source), node])));
      return [...files, ...nodes];
    }
    if (node.kind === 'source') {
      const { source, missingSecrets } = node;
      const outcome = await objectsOf(source);
      if (!outcome.ok) return [{ kind: 'failure', source, error: outcome.error, missingSecrets }];
      const { objects, incomplete } = outcome.value;
      tellCount(node, objects.length);
      return [...notesOn(source, objects.length, incomplete), ...objects.map((object) => objectNode(source, object))];
    }
    if (node.kind !== 'object') return [];
    const { source, object } = node;
    const params = { uri: source.uri, dataSource: source.name, dataObject: object.name };
    const outcome = await progressWhenSlow(language, l10n.t('Reading {0}', object.name), (token, report) =>
      reportedRequest(language, 'entityGraph/sourceColumns', params, { token, report }),
    );
    if (!outcome.ok) return [{ kind: 'failure', source, error: outcome.error, missingSecrets: [] }];
    return outcome.value.map((column) => ({ kind: 'column', source, object, column }));
  }

  /** A source is read once for concurrent requests. */
  function objectsOf(source: DataSourceView): Promise<Outcome<DataObjectsView>> {
    const key = keyOf(source);
    const refresh = anew.delete(key);
    const running = reading.get(key);
    if (running && !refresh) return running;
    const params = { uri: source.uri, dataSource: source.name, refresh };
    const read = progressWhenSlow(language, l10n.t('Reading {0}', source.name), (token, report) =>
      reportedRequest(language, 'entityGraph/sourceObjects', params, { token, report }),
    ).finally(() => {
      if (reading.get(key) === read) reading.delete(key);
    });
    reading.set(key, read);
    return read;
  }

  async function sourceNode(source: DataSourceView): Promise<SourceNode> {
    const known = await Promise.all(source.secrets.map((name) => secrets.has(name, usesOf(source, name))));
    const notStored = source.secrets.filter((_, index) => !known[index]);
    const isInEnvironment = (name: string): boolean => source.secretVariables?.[name] !== undefined;
    return {
      kind: 'source',
      source,
      missingSecrets: notStored.filter((name) => !isInEnvironment(name)),
      environmentSecrets: notStored.filter(isInEnvironment),
    };
  }

  /** The row of a source shows the object count as soon as it is known. */
  function tellCount(node: SourceNode, objectCount: number): void {
    const key = keyOf(node.source);
    if ((counts.get(key) ?? node.source.objectCount) === objectCount) return;
    counts.set(key, objectCount);
    changed.fire(node);
  }

  function itemOf(node: DataSourceNode): TreeItem {
    if (node.kind !== 'source') return dataSourceItem(node);
    const objectCount = counts.get(keyOf(node.source)) ?? node.source.objectCount;
    const source = objectCount === undefined ? node.source : { ...node.source, objectCount };
    return dataSourceItem({ ...node, source, ...rows.draw(keyOf(node.source)) });
  }

  /** The row of a source shows that it is being read, whoever asked for it. */
  function tellState({ uri, dataSource, state }: CatalogChange): void {
    const key = `${uri} ${dataSource}`;
    const row = rows.change(key, state);
    checking.schedule();
    if (row) changed.fire(row);
  }

  /** VS Code drops the request to draw a row while it is itself drawing the list of which the row is a part. */
  function drawOutdated(): void {
    if (!view.visible || !rows.isOutdated()) return;
    isDrawnAgain = true;
    reload();
  }

  /** The server could not answer. */
  function failed(node: DataSourceNode | undefined, cause: unknown): DataSourceNode {
    onError(cause);
    const error: Failure = { code: 'internal-error', message: cause instanceof Error ? cause.message : String(cause) };
    if (!node || !('source' in node)) return { kind: 'unreadable', error };
    return { kind: 'failure', source: node.source, error, missingSecrets: [] };
  }

  const provider: TreeDataProvider<DataSourceNode> = {
    onDidChangeTreeData: changed.event,
    getTreeItem: itemOf,
    getParent: (node) =>
      node.kind === 'object' ? { kind: 'source', source: node.source, missingSecrets: [] } : undefined,
    getChildren(node) {
      const read = (): Promise<DataSourceNode[]> =>
        childrenOf(node).then(
          (nodes) => [...nodes],
          (cause: unknown) => [failed(node, cause)],
        );
      return node ? changed.giving(node, read) : read();
    },
  };
  const reload = (): void => changed.fire();
  const checking = createDebouncer(drawingMs, drawOutdated);
  const files = workspace.createFileSystemWatcher('**/entity-sources.{yaml,yml,json}');
  const view = createTree(dataSourcesViewId, { treeDataProvider: provider, showCollapseAll: true });
  const showTrust = (): void => void (view.message = restrictedMessage());
  showTrust();
  const subscriptions = [
    view,
    view.onDidChangeVisibility(() => checking.schedule()),
    { dispose: () => checking.cancel() },
    changed,
    workspace.onDidGrantWorkspaceTrust(showTrust),
    files,
    files.onDidChange(reload),
    language.onNotification('entityGraph/catalogChanged', tellState),
    files.onDidCreate(reload),
    files.onDidDelete(reload),
    workspace.onDidGrantWorkspaceTrust(reload),
  ];
  return {
    async refresh(source) {
      anew.add(keyOf(source));
      reload();
      if (!view.visible) return;
      // VS Code requests no children of a collapsed row.
      const row: SourceNode = { kind: 'source', source, missingSecrets: [] };
      await Promise.resolve(view.reveal(row, { select: false, expand: true })).catch(onError);
      // It does not always request them of one that it is just collapsing. If it still does, they join this read.
      if (anew.has(keyOf(source))) {
        void objectsOf(source).then((read) => {
          if (read.ok) tellCount(row, read.value.objects.length);
        }, onError);
      }
    },
    reload,
    reveal: async (node) => view.reveal(node, { focus: true, select: true, expand: true }),
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}

/** A row and those below it belong to a source, if they have children. */
function branchOf(node: DataSourceNode): string {
  return 'source' in node ? keyOf(node.source) : '';
}

function usesOf({ uses }: DataSourceView, name: string): readonly SecretUse[] {
  return uses.filter((use) => use.value === 'secret' && use.name === name);
}

function objectNode(source: DataSourceView, object: DataObjectView): DataSourceNode {
  return { kind: 'object', source, object };
}

/** Warnings of the catalog. */
function notesOn(source: DataSourceView, objects: number, incomplete: string | undefined): readonly DataSourceNode[] {
  if (incomplete !== undefined) return [{ kind: 'note', source, message: incomplete }];
  if (objects > 0) return [];
  return [{ kind: 'note', source, message: l10n.t('{0} has no data objects that can be read.', source.name) }];
}
