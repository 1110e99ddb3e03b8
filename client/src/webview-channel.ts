import type { Disposable, Webview } from 'vscode';
import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';

/** The typed way to a webview and back. */
export interface WebviewChannel extends Disposable {
  /** Shows what the message says now or as soon as the webview is ready; a later message takes its place. */
  show(message: ToWebview): void;
  /** Sends what is of no use to a webview that starts later. */
  send(message: ToWebview): void;
}

/** Anything that posts and receives: a webview, or a stand-in. */
export type WebviewEnd = Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>;

/**
 * A webview that was hidden starts anew and says `ready` again: then it is sent what it showed last.
 * @param onMessage everything that the webview posts, but `ready`.
 */
export function createWebviewChannel(
  webview: WebviewEnd,
  onMessage: (message: Exclude<FromWebview, { type: 'ready' }>) => void,
): WebviewChannel {
  let ready = false;
  let current: ToWebview | undefined;
  const subscription = webview.onDidReceiveMessage((message: FromWebview) => {
    if (message.type !== 'ready') return onMessage(message);
    ready = true;
    if (current) void webview.postMessage(current);
  });
  return {
    show(message) {
      current = message;
      if (ready) void webview.postMessage(message);
    },
    send(message) {
      if (ready) void webview.postMessage(message);
    },
    dispose: () => subscription.dispose(),
  };
}
