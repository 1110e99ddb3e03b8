import { isDeepStrictEqual } from 'node:util';
import { type Disposable, type Event, EventEmitter, type Uri, commands, window } from 'vscode';
import type { GraphStatusView } from '../../protocol/requests/graph-requests.ts';
import { activeGraph } from './active-graph.ts';
import type { EntityList } from './entity-list.ts';
import type { GraphLanguage } from './language-client.ts';

/** The status of the active entity graph, based on its unsaved text. */
export interface ActiveGraphStatus extends Disposable {
  /** The active graph or its status changed. */
  readonly onDidChange: Event<void>;
  readonly current: ActiveGraph | undefined;
}

interface ActiveGraph {
  readonly uri: Uri;
  /** Null without a status; undefined while unknown. */
  readonly status: GraphStatusView | null | undefined;
}

/**
 * Tracks the active graph, and sets the context keys for `when` clauses in `package.json` that tell whether it is
 * imported, and modified since.
 */
export function createActiveGraphStatus(
  language: GraphLanguage,
  entities: EntityList,
  onError: (error: unknown) => void,
): ActiveGraphStatus {
  const changed = new EventEmitter<void>();
  let current: ActiveGraph | undefined;
  let turn = 0;
  let hasShown = false;

  async function update(): Promise<void> {
    turn += 1;
    const mine = turn;
    const uri = activeGraph();
    if (!isCurrent(uri)) await show(uri && { uri, status: undefined });
    if (!uri) return;
    const status = await language.request('entityGraph/status', { uri: uri.toString() });
    // Another file is active by now.
    if (mine === turn) await show({ uri, status });
  }

  /** The status of the edited text, which is newer than one that is still awaited. */
  async function showRead(uri: string, status: ActiveGraph['status']): Promise<void> {
    if (current?.uri.toString() !== uri) return;
    turn += 1;
    await show({ uri: current.uri, status });
  }

  const isCurrent = (uri: Uri | undefined): boolean => uri?.toString() === current?.uri.toString();

  async function show(graph: ActiveGraph | undefined): Promise<void> {
    // Each change is two messages to the window, while the next key may be on its way.
    if (hasShown && isCurrent(graph?.uri) && isDeepStrictEqual(graph?.status, current?.status)) return;
    hasShown = true;
    current = graph;
    changed.fire();
    const isModified = graph?.status?.modifiedSinceImport ?? false;
    await commands.executeCommand('setContext', 'entityGraph.activeGraphModified', isModified);
    const isImported = graph?.status?.status === 'Imported';
    await commands.executeCommand('setContext', 'entityGraph.activeGraphImported', isImported);
  }

  const refresh = (): void => void update().catch(onError);
  const subscriptions = [
    changed,
    window.onDidChangeActiveTextEditor(refresh),
    // A tab also changes when its file is edited or saved, which the list of graphs reports.
    window.tabGroups.onDidChangeTabs(() => {
      if (!isCurrent(activeGraph())) refresh();
    }),
    entities.onDidRefresh(refresh),
    entities.onDidReadStatus(({ uri, status }) => void showRead(uri, status).catch(onError)),
  ];
  refresh();
  return {
    onDidChange: changed.event,
    get current() {
      return current;
    },
    dispose() {
      for (const subscription of subscriptions) subscription.dispose();
    },
  };
}
