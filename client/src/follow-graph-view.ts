import type { GraphView } from '../../protocol/graph-view.ts';
import type { LanguageNotifications } from '../../protocol/requests/notifications.ts';

/** Keeps the displayed view of a graph up to date. */
interface FollowedView {
  /** The graph changed; a change without its view is requested. */
  changed(change: Pick<LanguageNotifications['entityGraph/graphChanged'], 'view'>): void;
  /** Requests the current view. */
  ask(): void;
}

/**
 * @param request requests the view, and the views of later changes.
 * @param show called with each view newer than the previous one.
 */
export function followGraphView(
  request: () => Promise<GraphView | null>,
  show: (view: GraphView) => void,
  onError: (error: unknown) => void,
): FollowedView {
  let shown: GraphView | undefined;
  let asked = 0;
  let answered = 0;

  /** A response and a notification may arrive in either order. */
  function showNewer(view: GraphView): void {
    if (shown && view.version < shown.version) return;
    shown = view;
    show(view);
  }

  /** While a request is pending, one more covers all further changes. */
  async function update(): Promise<void> {
    asked += 1;
    if (asked - answered > 1) return;
    while (answered < asked) {
      const turn = asked;
      const view = await request();
      if (view) showNewer(view);
      answered = turn;
    }
  }

  const ask = (): void =>
    void update().catch((error: unknown) => {
      answered = asked;
      onError(error);
    });

  return {
    ask,
    changed({ view }) {
      if (view) showNewer(view);
      // The server was restarted, or another canvas of the same graph was closed.
      else ask();
    },
  };
}
