import type { FromWebview, ToWebview } from '../../protocol/webview-messages.ts';

type MessageOf<T extends ToWebview['type']> = Extract<ToWebview, { readonly type: T }>;

/** One handler per message type; others are ignored. */
type MessageHandlers = { readonly [T in ToWebview['type']]?: (message: MessageOf<T>) => void };

/** Typed messages between a webview and the extension. */
interface ExtensionChannel<State> {
  post(message: FromWebview): void;
  /** State stored by `keep` before the webview was hidden; undefined at first. */
  readonly kept: State | undefined;
  /**
   * Handles the message that the extension wrote into the page, which is there before any other can arrive. False
   * without one.
   */
  receiveFirst(): boolean;
  /** Stores state that survives hiding the webview and reloading the window. */
  keep(state: State): void;
}

interface VsCodeApi {
  postMessage(message: FromWebview): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Listens, then posts `ready`. VS Code allows acquiring its API once per page. */
export function openExtensionChannel<State>(handlers: MessageHandlers): ExtensionChannel<State> {
  const api = acquireVsCodeApi();
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (isMessage(data)) dispatch(handlers, data);
  });
  api.postMessage({ type: 'ready' });
  return {
    post: (message) => api.postMessage(message),
    receiveFirst() {
      const text = document.getElementById('root')?.dataset['first'];
      if (text === undefined) return false;
      dispatch(handlers, JSON.parse(text) as ToWebview);
      return true;
    },
    // Only `keep` of the same page writes the state, so its type is known.
    kept: (api.getState() ?? undefined) as State | undefined,
    keep: (state) => api.setState(state),
  };
}

function isMessage(data: unknown): data is ToWebview {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}

function dispatch<T extends ToWebview['type']>(handlers: MessageHandlers, message: MessageOf<T>): void {
  // The compiler cannot relate a handler found by message type to that message.
  const handler = handlers[message.type] as ((message: MessageOf<T>) => void) | undefined;
  handler?.(message);
}
