import type { Disposable, Webview } from 'vscode';
import { fromWebview } from '../../protocol/shapes/webview-shapes.ts';
import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';

/** Typed messages to and from a webview. */
export interface WebviewChannel extends Disposable {
  /** Sends messages now or when the webview is ready, replacing all earlier ones. */
  show(...messages: readonly ToWebview[]): void;
  /**
   * Sends a message, replacing the one of its type.
   * @param change sent in its place to a page that has the message before.
   */
  amend(message: ToWebview, change?: ToWebview): void;
  /** Sends a transient message, which a later page does not receive. */
  send(message: ToWebview): void;
}

/** Any message port: a webview, or a substitute. */
type WebviewEnd = Pick<Webview, 'postMessage' | 'onDidReceiveMessage'>;

/**
 * A page that was hidden starts again with `ready`, and then receives the latest messages; so does one that has missed a
 * message.
 * @param onMessage every message of the webview but `ready`.
 * @param onError invalid messages, which are dropped.
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
    amend(message, change = message) {
      current = [...current.filter(({ type }) => type !== message.type), message];
      if (ready) void webview.postMessage(change);
    },
    send(message) {
      if (ready) void webview.postMessage(message);
    },
    dispose: () => subscription.dispose(),
  };
}
