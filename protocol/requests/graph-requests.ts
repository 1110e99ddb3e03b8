import type { EventGraphQuestion, ExportFormatName, ExportedGraph } from '../event-graph.ts';
import type { GraphDiff } from '../graph-diff.ts';
import type { GraphView } from '../graph-view.ts';
import type { ImportPlanView } from '../import-plan.ts';
import type { ImportOutcome } from '../import-progress.ts';
import type { ImportRequest, ImportSlice } from '../import-request.ts';
import type { KeptRowsView } from '../kept-rows.ts';
import type { Failure, Outcome } from '../query-results.ts';
import type { Reported } from './reported.ts';

/** Requests about an imported graph, and to import it. */
export interface GraphRequests {
  /** With `follow`, each `graphChanged` of an open graph carries its view from now on, until `unfollowGraph`. */
  'entityGraph/graphView': { params: { uri: string; follow?: boolean }; result: GraphView | null };
  /** Differences between the last two imports. */
  'entityGraph/graphDiff': { params: { uri: string }; result: Outcome<GraphDiff> };
  /**
   * Exports the graph to `output`, the URI of a file or a folder depending on the format.
   * `guardFormulas` prefixes an apostrophe to CSV texts that spreadsheets would evaluate. Formats with cases take `entityType` for them.
   */
  'entityGraph/exportGraph': {
    params: { uri: string; form: ExportFormatName; output: string; guardFormulas?: boolean; entityType?: string };
    result: Outcome<ExportedGraph>;
  };
  /** Every statement of an import of the file. With `prompt: false`, missing secrets and consent are a failure, not a question. */
  'entityGraph/importPlan': { params: { uri: string; prompt?: boolean } & Reported; result: Outcome<ImportPlanView> };
  /**
   * Runs in a child process; progress arrives as `entityGraph/importProgress`. Cancelled with `$/cancelRequest`.
   * Without `request` the whole graph is built.
   */
  'entityGraph/import': { params: { uri: string; request?: ImportRequest }; result: ImportOutcome };
  /** Reads the catalog of the file's data source again. */
  'entityGraph/refreshCatalog': { params: { uri: string } & Reported; result: Outcome<{ objects: number }> };
  /** A query on the imported graph of a file; answered in a separate process. */
  'entityGraph/eventGraph': {
    params: { uri: string; question: EventGraphQuestion; params: unknown };
    result: Outcome<unknown>;
  };
  /** Whether and when the graph was imported; null for an unsaved file. */
  'entityGraph/status': { params: { uri: string }; result: GraphStatusView | null };
}

/** The status of one entity graph, as printed by the `status` command. */
export interface GraphStatusView {
  readonly status: 'Not Imported' | 'Imported';
  /** Phase of a running import, or the result of the last one. */
  readonly progress: string | null;
  /** The last import failed or was interrupted; `progress` says why. */
  readonly hasFailed?: true;
  /** ISO 8601, UTC. */
  readonly imported: string | null;
  readonly modifiedSinceImport: boolean;
  /** Data sources that the last import could not reach, so that it used the rows of an earlier import. */
  readonly keptRows?: readonly KeptRowsView[];
  /** What the last import was limited to; absent for the whole graph. */
  readonly slice?: ImportSlice;
  /** Why it cannot be imported: `unknown-data-source`, or an unreadable text. */
  readonly problem?: Failure;
}
