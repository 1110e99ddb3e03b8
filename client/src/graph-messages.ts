import { type GraphWithFirstLines, withFirstLines } from '../../protocol/first-lines.ts';
import { changeBetween } from '../../protocol/graph-change.ts';
import type { GraphView } from '../../protocol/graph-view.ts';
import type { ToWebview } from '../../protocol/webview-messages.ts';

/** A graph as messages to one page. */
interface GraphMessages {
  readonly whole: ToWebview;
  /** For a page that has the message before; absent for the first one. */
  readonly change?: ToWebview | undefined;
}

/** Numbers the versions of a graph that one canvas shows, and compares each with the one before. */
export function createGraphMessages(): (view: GraphView) => GraphMessages {
  let number = 0;
  let last: GraphWithFirstLines | undefined;
  return (view) => {
    number += 1;
    const before = last;
    last = withFirstLines(view);
    return {
      whole: { type: 'graph', number, view: last },
      change: before && { type: 'graphChange', number, change: changeBetween(before, last) },
    };
  };
}
