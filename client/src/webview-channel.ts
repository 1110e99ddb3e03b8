import type { Disposable, Webview } from 'vscode';
import { fromWebview } from '../../protocol/shapes/webview-shapes.ts';
import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';

/** The typed way to a webview and back. */
export interface WebviewChannel extends Disposable {
  /** Shows what the messages say now or as soon as the webview is ready; later ones take their place. */
  show(...messages: readonly ToWebview[]): void;
  /** Shows one message in place of that of its type, and leaves the others. */
  amend(message: ToWebview): void;
  /** Sends what is of no use to a webview that starts later. */
  send(message: ToWebview): void;
}

/** Anything that posts and receives: a webview, or a stand-in. */
export type WebviewEnd = Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>;

/**
 * A webview that was hidden starts anew and says `ready` again: then it is sent what it showed last.
 * @param onMessage everything that the webview posts, but `ready`.
 * @param onError told of what is none of its messages, and goes no further.
 */
export function createWebviewChannel(
  webview: WebviewEnd,
  onMessage: (message: Exclude<FromWebview, { type: 'ready' }>) => void,
  onError: (error: unknown) => void,
): WebviewChannel {
  let ready = false;
  let current: readonly ToWebview[] = [];
  const subscription = webview.onDidReceiveMessage((posted: unknown) => {
    const mistake = fromWebview(posted, '');
    if (mistake !== undefined) return onError(new Error(`A page has posted what it must not: ${mistake}`));
    const message = posted as FromWebview;
    if (message.type !== 'ready') return onMessage(message);
    ready = true;
    for (const each of current) void webview.postMessage(each);
  });
  return {
    show(...messages) {
      current = messages;
      if (ready) for (const each of messages) void webview.postMessage(each);
    },
    amend(message) {
      current = [...current.filter(({ type }) => type !== message.type), message];
      if (ready) void webview.postMessage(message);
    },
    send(message) {
      if (ready) void webview.postMessage(message);
    },
    dispose: () => subscription.dispose(),
  };
}
