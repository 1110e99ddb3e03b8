import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';

type MessageOf<T extends ToWebview['type']> = Extract<ToWebview, { readonly type: T }>;

/** One function per message that a webview understands; others are ignored. */
export type MessageHandlers = { readonly [T in ToWebview['type']]?: (message: MessageOf<T>) => void };

/** The typed way from a webview to the extension and back. */
export interface ExtensionChannel<State> {
  post(message: FromWebview): void;
  /** What `keep` stored before the webview was hidden; undefined at first. */
  readonly kept: State | undefined;
  /** Survives hiding the webview, and a reload of the window. */
  keep(state: State): void;
}

interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Listens first, then posts `ready`; VS Code allows it once in a page. */
export function openExtensionChannel<State>(handlers: MessageHandlers): ExtensionChannel<State> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) dispatch(handlers, data);
  });
  api.postMessage({ type: 'ready' });
  return {
    post: (message) => api.postMessage(message),
    // Only `keep` of the same page writes it, so its shape is known.
    kept: (api.getState() ?? undefined) as State | undefined,
    keep: (state) => api.setState(state),
  };
}

function isMessage(data: unknown): data is ToWebview {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

function dispatch<T extends ToWebview['type']>(handlers: MessageHandlers, message: MessageOf<T>): void {
  // The compiler cannot see that the handler found under a message's type takes that message.
  const handler = handlers[message.type] as ((message: MessageOf<T>) => void) | undefined;
  handler?.(message);
}
