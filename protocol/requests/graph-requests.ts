import type { ExportedGraph, NamedQueryView } from '../event-graph.ts';
import type { TextComparison } from '../compared-canvas.ts';
import type { GraphView } from '../graph-view.ts';
import type { ImportPlanView } from '../import-plan.ts';
import type { ImportOutcome } from '../import-progress.ts';
import type { ImportSlice } from '../import-request.ts';
import type { KeptRowsView } from '../kept-rows.ts';
import type { Failure, TestQueryResult } from '../query-results.ts';
import { changeFields, exportFormatName } from '../shapes/event-graph-shapes.ts';
import { importRequest } from '../shapes/import-shapes.ts';
import { reported, request } from '../shapes/request-shape.ts';
import { count, flag, optional, text } from '../shapes/shape.ts';
import { askedQuestion } from './event-graph-requests.ts';

/** Requests about an imported graph, and to import it. */
export const graphRequests = {
  /** With `follow`, each `graphChanged` of an open graph carries its view from now on, until `unfollowGraph`. */
  'entityGraph/graphView': request({ uri: text, follow: optional(flag) }).gives<GraphView | null>(),
  /**
   * Exports the graph to `output`, the URI of a file or a folder depending on the format.
   * `guardFormulas` prefixes an apostrophe to CSV texts that spreadsheets would evaluate. Formats with cases take `entityType` for them.
   */
  'entityGraph/exportGraph': request({
    uri: text,
    form: exportFormatName,
    output: text,
    guardFormulas: optional(flag),
    entityType: optional(text),
  }).outcome<ExportedGraph>(),
  /** Every statement of an import of the file. With `prompt: false`, missing secrets and consent are a failure, not a question. */
  'entityGraph/importPlan': reported({ uri: text, prompt: optional(flag) }).outcome<ImportPlanView>(),
  /**
   * Runs in a child process; progress arrives as `entityGraph/importProgress`. Cancelled with `$/cancelRequest`.
   * Without `request` the whole graph is built.
   */
  'entityGraph/import': request({ uri: text, request: optional(importRequest) }).gives<ImportOutcome>(),
  /**
   * What the text of a file does, compared with `base`: `last`, a commit, or the path of a file. In a child process. Code lenses and
   * the canvas show it until `stopComparing`. Without `reads`, only files are read, and kept rows of other data sources: else `source-unreachable`.
   * With `proposed`, that text is compared in place of the text of the file, and nothing is shown.
   */
  'entityGraph/compareTexts': reported({
    uri: text,
    base: text,
    reads: optional(flag),
    proposed: optional(text),
  }).outcome<TextComparison>(),
  /**
   * The rows behind a number of the comparison that `compareTexts` has made last; with `edits`, of what the edits of that part of its
   * attribution do alone.
   */
  'entityGraph/comparedRows': request({
    uri: text,
    edits: optional(count),
    ...changeFields,
    limit: count,
  }).outcome<TestQueryResult>(),
  'entityGraph/stopComparing': request({ uri: text }).gives<null>(),
  /** Reads the catalog of the file's data source again. */
  'entityGraph/refreshCatalog': reported({ uri: text }).outcome<{ objects: number }>(),
  /** A query on the imported graph of a file; answered in a separate process. */
  'entityGraph/eventGraph': request(askedQuestion).outcome<unknown>(),
  /** The queries of the folder `queries` beside a file, by name. */
  'entityGraph/namedQueries': request({ uri: text }).outcome<readonly NamedQueryView[]>(),
  /** Whether and when the graph was imported; null for an unsaved file. */
  'entityGraph/status': request({ uri: text }).gives<GraphStatusView | null>(),
};

/** The status of one entity graph, as printed by the `status` command. */
export interface GraphStatusView {
  readonly status: 'Not Imported' | 'Imported';
  /** Phase of a running import, or the result of the last one. */
  readonly progress: string | null;
  /** The last import failed or was interrupted; `progress` says why. */
  readonly hasFailed?: true;
  /** The code of that failure. */
  readonly failedWith?: string;
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
