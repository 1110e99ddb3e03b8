import type { ExplorerAction, ExplorerNews } from './api-explorer.ts';
import type {
  CanvasIntent,
  CanvasLayout,
  ColumnView,
  DataObjectsView,
  ElementValues,
  IntentCheck,
  JoinSuggestion,
} from './canvas-intents.ts';
import type { EntityAction, EntityRow, ListFailure } from './entities-table.ts';
import type { EventGraphPageRequests } from './event-graph.ts';
import type { GraphView } from './graph-view.ts';
import type { Failure, Outcome, QueryTarget, TestQueryResult, TextRange } from './query-results.ts';

/** Extension → webview. The webview posts `ready` first; nothing is sent before. */
export type ToWebview =
  | { readonly type: 'graph'; readonly view: GraphView }
  /** The cursor moved in the text. */
  | { readonly type: 'textSelection'; readonly position: TextRange['start'] }
  | { readonly type: 'response'; readonly id: number; readonly result: unknown }
  | {
      readonly type: 'result';
      readonly title: string;
      readonly source: string;
      readonly result: TestQueryResult;
      /** The rows shown at most, and what sets that. */
      readonly cap?: string;
    }
  /** A table that is no query's answer; `facts` stands where a query's size and time are. */
  | { readonly type: 'facts'; readonly title: string; readonly facts: string; readonly result: TestQueryResult }
  /** The queries of the session, the newest first, and the one whose answer is shown. */
  | { readonly type: 'history'; readonly runs: readonly RunView[]; readonly shown?: number }
  | { readonly type: 'failure'; readonly title: string; readonly error: Failure }
  | { readonly type: 'running'; readonly title: string }
  | { readonly type: 'explorer'; readonly news: ExplorerNews }
  /** The graph was imported anew, or it is shown for the first time. */
  | { readonly type: 'eventGraph'; readonly name: string }
  | {
      readonly type: 'entities';
      readonly rows: readonly EntityRow[];
      /** Why there may be more graphs than rows. */
      readonly failures?: readonly ListFailure[];
      readonly trusted: boolean;
    };

/** Webview → extension. */
export type FromWebview =
  | { readonly type: 'ready' }
  /** `quiet` shows it in an editor that is visible already, without taking the focus. */
  | { readonly type: 'revealRange'; readonly range: TextRange; readonly file?: string; readonly quiet?: boolean }
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: CanvasMethod | EventGraphMethod;
      readonly params: unknown;
    }
  | { readonly type: 'cancelRequest'; readonly id: number }
  | { readonly type: 'explore'; readonly action: ExplorerAction }
  | { readonly type: 'entityAction'; readonly action: EntityAction; readonly uri?: string }
  /** Shows the answer of an earlier query. */
  | { readonly type: 'showRun'; readonly id: number }
  /** Runs the query that is shown again. */
  | { readonly type: 'rerun' }
  /** Asks where to and writes the file. */
  | { readonly type: 'saveRows'; readonly name: string; readonly format: RowsFormat; readonly text: string }
  | { readonly type: 'cancel' }
  | { readonly type: 'copy'; readonly text: string };

/** A query of the session, as its history lists it. */
export interface RunView {
  readonly id: number;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly rows?: number;
}

export type RowsFormat = 'csv' | 'json' | 'markdown';

/** What the canvas asks of the extension: method → params and result. A failure of any kind is an outcome. */
export interface CanvasRequests {
  /** Changes the text; resolves when the document has the change. */
  edit: { params: { intent: CanvasIntent }; result: Outcome<{ select?: string }> };
  checkIntent: { params: { intent: CanvasIntent }; result: Outcome<IntentCheck> };
  dataObjects: { params: { refresh?: boolean }; result: Outcome<DataObjectsView> };
  columns: {
    params: { values: Pick<ElementValues, 'dataObject' | 'joins'> };
    result: Outcome<readonly ColumnView[]>;
  };
  suggestJoins: { params: { source: string; target: string }; result: Outcome<readonly JoinSuggestion[]> };
  layout: { params: object; result: Outcome<CanvasLayout> };
  saveLayout: { params: { layout: CanvasLayout }; result: Outcome<null> };
  testQuery: { params: { target: QueryTarget; draft?: CanvasIntent }; result: Outcome<TestQueryResult> };
  /** Opens the query in a document of its own. */
  showQuery: { params: { target: QueryTarget; draft?: CanvasIntent }; result: Outcome<null> };
  /** Runs Test Query of the file as it is, in the results panel. */
  openResults: { params: { target: QueryTarget }; result: Outcome<null> };
  /** Asks where to and writes the file. */
  saveImage: { params: { name: string; kind: 'svg' | 'png'; base64: string }; result: Outcome<null> };
}
export type EventGraphMethod = keyof EventGraphPageRequests;
export type CanvasMethod = keyof CanvasRequests;
export type CanvasParams<M extends CanvasMethod> = CanvasRequests[M]['params'];
