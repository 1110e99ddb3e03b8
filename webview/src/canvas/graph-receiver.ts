import { applyChange } from '../../../protocol/graph-change.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { ToWebview } from '../../../protocol/webview-messages.ts';

/** A graph, or what has changed in it. */
export type GraphMessage = Extract<ToWebview, { readonly type: 'graph' | 'graphChange' }>;

/**
 * Puts graphs together from their messages. The graph of a change is undefined when the message before it was lost: a
 * page that was hidden misses messages.
 * @param askForWhole called for a change that does not follow; the next message is then whole.
 */
export function createGraphReceiver(askForWhole: () => void): (message: GraphMessage) => GraphView | undefined {
  let last: { readonly number: number; readonly view: GraphView } | undefined;
  return (message) => {
    const { number } = message;
    if (message.type === 'graph') last = { number, view: message.view };
    else if (last?.number === number - 1) last = { number, view: applyChange(last.view, message.change) };
    else {
      askForWhole();
      return undefined;
    }
    return last.view;
  };
}
