import {
  type Disposable,
  type Event,
  EventEmitter,
  type Memento,
  Uri,
  ViewColumn,
  type WebviewPanel,
  commands,
  env,
  l10n,
  window,
  workspace,
} from 'vscode';
import type { EntityAction, EntityRow } from '../../protocol/entities-table.ts';
import type { LineChange } from '../../protocol/line-changes.ts';
import { isGraph } from './active-graph.ts';
import { acceptingGuards, commandIds, entitiesPanelType } from './command-ids.ts';
import type { FromWebview } from '../../protocol/webview-messages.ts';
import { takeDropped } from './dropped-on-table.ts';
import type { EntityList } from './entity-list.ts';
import type { GraphLanguage } from './language-client.ts';
import { panelIcon } from './panel-icon.ts';
import type { RunningImports } from './running-imports.ts';
import { type WebviewChannel, createWebviewChannel } from './webview-channel.ts';
import { webviewFolder, webviewHtml } from './webview-html.ts';

/** The table of all entity graphs, in an editor. */
export interface EntitiesPanel extends Disposable {
  open(): void;
  /** Whether it is visible. */
  readonly visible: boolean;
  readonly onDidChangeVisibility: Event<void>;
  /** Asks in the table whether to reset a graph, with the lines that change. False when the table is closed. */
  confirmReset(uri: Uri, name: string, changes: readonly LineChange[]): Promise<boolean>;
}

const columnsKey = 'entitiesColumns';

// eslint-disable-next-line max-lines-per-function -- One panel: what it shows again, its answers and its messages share the page; most of it sets the page up.
export function createEntitiesPanel(
  extensionUri: Uri,
  language: Pick<GraphLanguage, 'startAfter'>,
  list: EntityList,
  imports: RunningImports,
  onError: (error: unknown) => void,
  memory?: Memento,
): EntitiesPanel {
  /** Columns chosen in the table. */
  const columns = (): readonly string[] => memory?.get<readonly string[]>(columnsKey) ?? [];
  const visibility = new EventEmitter<void>();
  const answers = new Map<string, (confirmed: boolean) => void>();
  let open: { readonly panel: WebviewPanel; readonly channel: WebviewChannel } | undefined;

  async function show(): Promise<void> {
    if (!open) return;
    const [rows, failures] = await Promise.all([list.rows(), list.failures()]);
    open?.channel.show({ type: 'entities', rows, failures, trusted: workspace.isTrusted, columns: columns() });
  }
  const showNow = (): void => void show().catch(onError);

  /** Resolves when the page has drawn its first rows; at once without rows of an earlier run. */
  async function shownEarlier(drawn: Promise<void>): Promise<void> {
    if (await list.earlierRows()) await drawn;
  }

  function act(action: EntityAction, uri: string | undefined): void {
    if (action === 'cancelImport') {
      if (uri !== undefined) imports.cancel(uri);
      return;
    }
    void commands
      .executeCommand(
        actionCommands[action],
        ...(uri === undefined ? [] : [Uri.parse(uri)]),
        ...(action === 'importAnyway' ? [acceptingGuards] : []),
      )
      .then(undefined, onError);
  }

  function answer(uri: string, confirmed: boolean): void {
    answers.get(uri)?.(confirmed);
    answers.delete(uri);
  }

  function take(panel: WebviewPanel): void {
    panel.iconPath = panelIcon(extensionUri);
    panel.webview.options = { enableScripts: true, localResourceRoots: [webviewFolder(extensionUri)] };
    let tellDrawn = (): void => undefined;
    const drawn = new Promise<void>((resolve) => (tellDrawn = resolve));
    const receive = (message: FromWebview): void => {
      if (message.type === 'drawn') tellDrawn();
      else if (message.type === 'entityAction') act(message.action, message.uri);
      else if (message.type === 'chooseColumns') void memory?.update(columnsKey, message.columns);
      else if (message.type === 'answerReset') answer(message.uri, message.confirmed);
      else if (message.type === 'copy') void env.clipboard.writeText(message.text);
      else if (message.type === 'dropFiles') void takeDropped(message).catch(onError);
    };
    const channel = createWebviewChannel(panel.webview, receive, onError);
    open = { panel, channel };
    let hasEarlier = false;
    const setPage = (rows?: readonly EntityRow[]): void => {
      hasEarlier = rows !== undefined;
      panel.webview.html = webviewHtml(panel.webview, extensionUri, {
        title: l10n.t('Entities'),
        script: 'entities.js',
        worker: false,
        first: rows && { type: 'entities', rows, trusted: workspace.isTrusted, isEarlier: true, columns: columns() },
      });
    };
    list
      .earlierRows()
      .then((rows) => open?.panel === panel && setPage(rows))
      .catch(onError);
    // Problems of open graphs are more urgent than the table.
    if (!window.visibleTextEditors.some(isGraph)) language.startAfter(shownEarlier(drawn));
    panel.onDidChangeViewState(() => {
      visibility.fire();
      // VS Code starts a page again that was hidden; by then there are newer rows.
      if (!panel.visible && hasEarlier) setPage();
    });
    panel.onDidDispose(() => {
      channel.dispose();
      open = undefined;
      for (const uri of [...answers.keys()]) answer(uri, false);
      visibility.fire();
    });
    visibility.fire();
    showNow();
  }

  const subscriptions = [
    visibility,
    list.onDidChange(showNow),
    workspace.onDidGrantWorkspaceTrust(showNow),
    // Restores an open table when the window reloads.
    window.registerWebviewPanelSerializer(entitiesPanelType, {
      deserializeWebviewPanel: async (panel) => take(panel),
    }),
  ];
  return {
    open() {
      if (open) open.panel.reveal();
      else take(window.createWebviewPanel(entitiesPanelType, l10n.t('Entities'), ViewColumn.Active));
    },
    get visible() {
      return open?.panel.visible === true;
    },
    onDidChangeVisibility: visibility.event,
    confirmReset(uri, name, changes) {
      const key = uri.toString();
      answer(key, false);
      if (!open) return Promise.resolve(false);
      open.channel.send({ type: 'confirmReset', uri: key, name, changes });
      return new Promise((resolve) => answers.set(key, resolve));
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
      open?.panel.dispose();
    },
  };
}

const actionCommands: Readonly<Record<Exclude<EntityAction, 'cancelImport'>, string>> = {
  configure: commandIds.openCanvas,
  openText: commandIds.openText,
  openEventGraph: commandIds.openEventGraph,
  import: commandIds.import,
  importAnyway: commandIds.import,
  fetchGraph: commandIds.fetchGraph,
  exportGraph: commandIds.exportGraph,
  suggestRules: commandIds.suggestRules,
  importAll: commandIds.importAll,
  reset: commandIds.resetGraph,
  delete: commandIds.deleteGraph,
  exportConfiguration: commandIds.exportConfiguration,
  copyConfiguration: commandIds.copyGraph,
  newEntity: commandIds.newEntity,
  processMapOfFile: commandIds.processMapOfFile,
  importConfiguration: commandIds.importConfiguration,
  refresh: commandIds.refreshEntities,
  manageTrust: 'workbench.trust.manage',
};
