import type { GraphView } from '../../protocol/graph-view.ts';
import type { LanguageNotifications } from '../../protocol/language-requests.ts';

/** Keeps what one canvas shows of a graph up to date. */
export interface FollowedView {
  /** The graph changed; a change that comes without its view is asked about. */
  changed(change: Pick<LanguageNotifications['entityGraph/graphChanged'], 'view'>): void;
  /** Asks for the view as it is now. */
  ask(): void;
}

/**
 * @param request asks the server for the view, and to send that of each change from now on.
 * @param show called with each view that is newer than the one before.
 */
export function followGraphView(
  request: () => Promise<GraphView | null>,
  show: (view: GraphView) => void,
  onError: (error: unknown) => void,
): FollowedView {
  let shown: GraphView | undefined;
  let asked = 0;
  let answered = 0;

  /** An answer and a notification may overtake each other. */
  function showNewer(view: GraphView): void {
    if (shown && view.version < shown.version) return;
    shown = view;
    show(view);
  }

  /** While one answer is under way, further changes need one more question at most. */
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
      // The server was started anew, or another canvas of the same graph was closed.
      else ask();
    },
  };
}
