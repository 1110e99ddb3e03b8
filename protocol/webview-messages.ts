import type { ExplorerAction, ExplorerNews } from './api-explorer.ts';
import type {
  CanvasIntent,
  CanvasLayout,
  ColumnView,
  DataObjectsView,
  ColumnScopeValues,
  IntentCheck,
  JoinSuggestion,
  OtherSourceView,
  PreviewShare,
} from './canvas-intents.ts';
import type { CatalogState } from './catalog-state.ts';
import type { DroppedConfiguration } from './dropped-configuration.ts';
import type { EntityAction, EntityRow, ListFailure } from './entities-table.ts';
import type { ImportLink, ImportNews, PlannedImport } from './import-page.ts';
import type { BuildRequest } from './import-request.ts';
import type { LineChange } from './line-changes.ts';
import type { EventGraphPageRequests } from './event-graph.ts';
import type { GraphChange } from './graph-change.ts';
import type { GraphView, ProblemAddress, ProblemFix } from './graph-view.ts';
import type {
  Failure,
  JoinCounts,
  JoinPreview,
  Outcome,
  QueryTarget,
  TestQueryResult,
  TextRange,
} from './query-results.ts';

/** Extension → webview. Messages are sent after the webview has posted `ready`. */
export type ToWebview =
  /** A whole graph; `number` counts the graphs that were sent to a page. */
  | { readonly type: 'graph'; readonly number: number; readonly view: GraphView }
  /** What has changed since the graph of the previous number. A page without that graph asks for the whole with `ready`. */
  | { readonly type: 'graphChange'; readonly number: number; readonly change: GraphChange }
  /** The catalog of the graph's source. */
  | { readonly type: 'catalog'; readonly state: CatalogState }
  /** The catalog of another data source of the same file. */
  | { readonly type: 'otherCatalog'; readonly dataSource: string; readonly state: CatalogState }
  /** The import of the graph began, progressed or ended. */
  | { readonly type: 'importNews'; readonly news: ImportNews }
  /** The text cursor moved. */
  | { readonly type: 'textSelection'; readonly position: TextRange['start'] }
  | { readonly type: 'response'; readonly id: number; readonly result: unknown }
  /** The step of a request that is not answered yet, such as `Connecting to db.example:5432`. */
  | { readonly type: 'requestProgress'; readonly id: number; readonly step: string }
  | {
      readonly type: 'result';
      readonly title: string;
      readonly source: string;
      readonly result: TestQueryResult;
      /** The row limit and where it is set. */
      readonly cap?: string | undefined;
      /** The rows can become a test. */
      readonly canTest?: true | undefined;
    }
  /** A table that is not a query result; `facts` replaces the size and duration of a query. */
  | { readonly type: 'facts'; readonly title: string; readonly facts: string; readonly result: TestQueryResult }
  /** The queries of the session, newest first, and the id of the displayed one. */
  | { readonly type: 'history'; readonly runs: readonly RunView[]; readonly shown?: number | undefined }
  | { readonly type: 'failure'; readonly title: string; readonly error: Failure }
  /** A query runs, or has reached a step. */
  | { readonly type: 'running'; readonly title: string; readonly elapsedMs: number; readonly step?: string | undefined }
  | { readonly type: 'explorer'; readonly news: ExplorerNews }
  /** The graph was imported again, or is displayed for the first time. `tab` and `rule` are shown in place of the last ones. */
  | { readonly type: 'eventGraph'; readonly name: string; readonly tab?: 'map' | 'rules'; readonly rule?: number }
  | {
      readonly type: 'entities';
      readonly rows: readonly EntityRow[];
      /** Why the list may be incomplete. */
      readonly failures?: readonly ListFailure[];
      readonly trusted: boolean;
      /** Whether the rows are those of an earlier run, until the server has answered. */
      readonly isEarlier?: true;
    }
  /** Asks whether to reset a graph, with the lines that change; answered by `answerReset`. */
  | {
      readonly type: 'confirmReset';
      readonly uri: string;
      readonly name: string;
      readonly changes: readonly LineChange[];
    };

/** Webview → extension. */
export type FromWebview =
  /** The page has started, or has missed a message: all current ones are sent. */
  | { readonly type: 'ready' }
  /** The first rows of the table are on the screen. */
  | { readonly type: 'drawn' }
  /** `quiet` reveals it in an already visible editor without moving the focus. */
  | { readonly type: 'revealRange'; readonly range: TextRange; readonly file?: string; readonly quiet?: boolean }
  | {
      readonly type: 'request';
      readonly id: number;
      readonly method: CanvasMethod | EventGraphMethod;
      readonly params: unknown;
    }
  | { readonly type: 'cancelRequest'; readonly id: number }
  | { readonly type: 'explore'; readonly action: ExplorerAction }
  | { readonly type: 'answerReset'; readonly uri: string; readonly confirmed: boolean }
  /** Files dropped on the table: by URI, or with their text where the page sees no path. */
  | {
      readonly type: 'dropConfigurations';
      readonly uris: readonly string[];
      readonly texts: readonly DroppedConfiguration[];
    }
  | { readonly type: 'entityAction'; readonly action: EntityAction; readonly uri?: string }
  /** Shows the result of an earlier query. */
  | { readonly type: 'showRun'; readonly id: number }
  /** Reruns the displayed query. */
  | { readonly type: 'rerun' }
  /** Asks for a path and writes the file. */
  | { readonly type: 'saveRows'; readonly name: string; readonly format: RowsFormat; readonly text: string }
  /** Makes a test of rows of the displayed result, by their places in it. */
  | { readonly type: 'createTest'; readonly rows: readonly number[] }
  | { readonly type: 'cancel' }
  | { readonly type: 'copy'; readonly text: string };

/** A query in the history of the session. */
export interface RunView {
  readonly id: number;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly rows?: number;
}

export type RowsFormat = 'csv' | 'json' | 'markdown';

/** Requests of the canvas: method → parameters and result. Failures are results too. */
export interface CanvasRequests {
  /** Edits the text; resolves when the document has changed. */
  edit: { params: { intent: CanvasIntent }; result: Outcome<{ select?: string }> };
  checkIntent: { params: { intent: CanvasIntent }; result: Outcome<IntentCheck> };
  dataObjects: { params: { refresh?: boolean }; result: Outcome<DataObjectsView> };
  /** The other data sources of the sources file; `read` names one to read, which may ask for its secrets. */
  otherSources: { params: { read?: string }; result: Outcome<readonly OtherSourceView[]> };
  /** Stops reading the catalog, for all surfaces. */
  stopReading: { params: { dataSource?: string }; result: Outcome<null> };
  columns: {
    params: { values: ColumnScopeValues };
    result: Outcome<readonly ColumnView[]>;
  };
  suggestJoins: { params: { source: string; target: string }; result: Outcome<readonly JoinSuggestion[]> };
  /** The quick fixes of a problem at an entry. */
  problemFixes: { params: ProblemAddress; result: Outcome<readonly ProblemFix[]> };
  /** Applies one of them to the text. */
  fixProblem: { params: ProblemAddress & { title: string }; result: Outcome<{ select?: string }> };
  layout: { params: object; result: Outcome<CanvasLayout> };
  saveLayout: { params: { layout: CanvasLayout }; result: Outcome<null> };
  /** The size of the preview in dialogs, of all canvases; null before it was changed. */
  previewShare: { params: object; result: Outcome<PreviewShare | null> };
  savePreviewShare: { params: { share: PreviewShare }; result: Outcome<null> };
  testQuery: { params: { target: QueryTarget; draft?: CanvasIntent }; result: Outcome<TestQueryResult> };
  previewJoin: { params: { name: string; draft: CanvasIntent }; result: Outcome<JoinPreview> };
  countJoin: { params: { name: string; draft: CanvasIntent }; result: Outcome<JoinCounts | null> };
  /** Opens the query in a separate document. */
  showQuery: { params: { target: QueryTarget; draft?: CanvasIntent }; result: Outcome<null> };
  /** Tells that the page *Import* is shown or left; while it is shown, it has the progress that a notification would show. */
  importPage: { params: { isShown: boolean }; result: Outcome<null> };
  /** Without `prompt`, missing secrets and consent are a failure instead of a question. */
  importPlan: { params: { prompt?: boolean }; result: Outcome<PlannedImport> };
  /** Imports the graph; the outcome arrives as `importNews`. `isFull`, `usesKeptRows` and `sample` as in `BuildRequest`. */
  startImport: { params: Omit<BuildRequest, 'kind' | 'since'>; result: Outcome<null> };
  cancelImport: { params: object; result: Outcome<null> };
  openImportLink: { params: { link: ImportLink }; result: Outcome<null> };
  /** Runs Test Query of the file in the results panel. */
  openResults: { params: { target: QueryTarget }; result: Outcome<null> };
  /** Asks for a path and writes the file. */
  saveImage: { params: { name: string; kind: 'svg' | 'png'; base64: string }; result: Outcome<null> };
}
export type EventGraphMethod = keyof EventGraphPageRequests;
export type CanvasMethod = keyof CanvasRequests;
export type CanvasParams<M extends CanvasMethod> = CanvasRequests[M]['params'];
