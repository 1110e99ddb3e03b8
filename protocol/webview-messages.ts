import type { ExplorerNews } from './api-explorer.ts';
import type { CatalogState } from './catalog-state.ts';
import type { ComparedCanvas } from './compared-canvas.ts';
import type { EntityRow, ListFailure } from './entities-table.ts';
import type { GraphChange } from './graph-change.ts';
import type { GraphView } from './graph-view.ts';
import type { ImportNews } from './import-page.ts';
import type { LineChange } from './line-changes.ts';
import type { Failure, TestQueryResult, TextRange } from './query-results.ts';
import type { Checked } from './shapes/shape.ts';
import type { fromWebview, rowsFormat } from './shapes/webview-shapes.ts';

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
  /** The comparison of the graph with another text that a canvas shows, or null. */
  | { readonly type: 'comparison'; readonly shown: ShownComparison | null }
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
      /** The rows have entities of an imported graph, in their column `entity_id`: each opens its timeline. */
      readonly hasTimelines?: true | undefined;
    }
  /** A table that is not a query result; `facts` replaces the size and duration of a query. */
  | {
      readonly type: 'facts';
      readonly title: string;
      readonly facts: string;
      readonly result: TestQueryResult;
      /** Numbers that open their rows. */
      readonly opens?: OpenedNumbers | undefined;
    }
  /** The queries of the session, newest first, and the id of the displayed one. */
  | { readonly type: 'history'; readonly runs: readonly RunView[]; readonly shown?: number | undefined }
  | { readonly type: 'failure'; readonly title: string; readonly error: Failure }
  /** A query runs, or has reached a step. */
  | { readonly type: 'running'; readonly title: string; readonly elapsedMs: number; readonly step?: string | undefined }
  | { readonly type: 'explorer'; readonly news: ExplorerNews }
  /** The graph was imported again, or is displayed for the first time. `tab`, `rule` and the timeline of `entity` are shown in place of the last ones. */
  | {
      readonly type: 'eventGraph';
      readonly name: string;
      readonly tab?: 'map' | 'rules' | 'timeline';
      readonly rule?: number;
      readonly entity?: number;
    }
  | {
      readonly type: 'entities';
      readonly rows: readonly EntityRow[];
      /** Why the list may be incomplete. */
      readonly failures?: readonly ListFailure[];
      readonly trusted: boolean;
      /** Whether the rows are those of an earlier run, until the server has answered. */
      readonly isEarlier?: true;
      /** The columns that were chosen when the table was shown the last time. */
      readonly columns?: readonly string[];
    }
  /** Asks whether to reset a graph, with the lines that change; answered by `answerReset`. */
  | {
      readonly type: 'confirmReset';
      readonly uri: string;
      readonly name: string;
      readonly changes: readonly LineChange[];
    };

/** Cells of one column of a table that open rows, by their places in it. */
export interface OpenedNumbers {
  readonly column: number;
  readonly rows: readonly number[];
}

/** A comparison; the text may have changed since. */
export interface ShownComparison {
  readonly canvas: ComparedCanvas;
  readonly isOutdated: boolean;
}

export type FromWebview = Checked<typeof fromWebview>;

/** A query in the history of the session. */
export interface RunView {
  readonly id: number;
  readonly title: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly rows?: number;
}

export type RowsFormat = Checked<typeof rowsFormat>;
