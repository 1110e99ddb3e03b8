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

export interface ActiveGraph {
  readonly uri: Uri;
  /** Null without a status; undefined while unknown. */
  readonly status: GraphStatusView | null | undefined;
}

/**
 * Tracks the active graph, and sets the context key for `when` clauses in `package.json` that tells whether it is
 * modified since its import.
 */
export function createActiveGraphStatus(
  language: GraphLanguage,
  entities: EntityList,
  onError: (error: unknown) => void,
): ActiveGraphStatus {
  const changed = new EventEmitter<void>();
  let current: ActiveGraph | undefined;
  let turn = 0;

  async function update(): Promise<void> {
    turn += 1;
    const mine = turn;
    const uri = activeGraph();
    if (uri?.toString() !== current?.uri.toString()) await show(uri && { uri, status: undefined });
    if (!uri) return;
    const status = await language.request('entityGraph/status', { uri: uri.toString() });
    // Another file is active by now.
    if (mine === turn) await show({ uri, status });
  }

  async function show(graph: ActiveGraph | undefined): Promise<void> {
    current = graph;
    changed.fire();
    const isModified = graph?.status?.modifiedSinceImport ?? false;
    await commands.executeCommand('setContext', 'entityGraph.activeGraphModified', isModified);
  }

  const refresh = (): void => void update().catch(onError);
  const subscriptions = [
    changed,
    window.onDidChangeActiveTextEditor(refresh),
    window.tabGroups.onDidChangeTabs(refresh),
    entities.onDidRefresh(refresh),
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
