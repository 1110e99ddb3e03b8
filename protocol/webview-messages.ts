import type { GraphView } from './graph-view.ts';
import type { Failure, TestQueryResult, TextRange } from './query-results.ts';

/** Extension → webview. The webview posts `ready` first; nothing is sent before. */
export type ToWebview =
  | { readonly type: 'graph'; readonly view: GraphView }
  | { readonly type: 'stale'; readonly message: string; readonly range: TextRange }
  | { readonly type: 'result'; readonly title: string; readonly source: string; readonly result: TestQueryResult }
  | { readonly type: 'failure'; readonly title: string; readonly error: Failure }
  | { readonly type: 'running'; readonly title: string };

/** Webview → extension. */
export type FromWebview =
  | { readonly type: 'ready' }
  | { readonly type: 'revealRange'; readonly range: TextRange; readonly file?: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'copy'; readonly text: string };
