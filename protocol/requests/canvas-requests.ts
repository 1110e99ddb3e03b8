import type {
  CanvasLayout,
  ColumnView,
  DataObjectsView,
  EntryDraft,
  IntentCheck,
  IntentEdits,
  JoinSuggestion,
  OtherSourceView,
  PreviewShare,
} from '../canvas-intents.ts';
import type { GraphParts } from '../graph-parts.ts';
import type { EntryName } from '../graph-effect.ts';
import type { ProblemFix } from '../graph-view.ts';
import type { PlannedImport } from '../import-page.ts';
import { canvasIntent } from '../shapes/canvas-shapes.ts';
import { canvasLayout, columnScope, previewShare, problemAddress } from '../shapes/canvas-value-shapes.ts';
import { image } from '../shapes/image-shape.ts';
import { buildChoices, importLink } from '../shapes/import-shapes.ts';
import { queryTarget } from '../shapes/query-shapes.ts';
import { type PageRequests, request } from '../shapes/request-shape.ts';
import { choice, flag, object, optional, text } from '../shapes/shape.ts';
import { queryRequests } from './query-requests.ts';

const comparisonAction = choice({ compareAgain: true, showNumbers: true, stop: true });
const entryName = object<EntryName>({ section: text, name: text });
const edit = { intent: canvasIntent };
const fix = { ...problemAddress, fix: text };

/** Requests of a canvas about its document: edits, what its dialogs offer, its layout. */
export const canvasDocumentRequests = {
  /** Text edits for an intent of the canvas, for the document version of the server. */
  edit: request(edit).outcome<IntentEdits>(),
  /** Validates the result of an intent without changing anything. */
  checkIntent: request({ intent: canvasIntent }).outcome<IntentCheck>(),
  /**
   * The data objects of the graph's source, when its catalog has been read or has failed. `refresh` reads the source
   * again, which may ask for secrets.
   */
  dataObjects: request({ refresh: optional(flag) }).outcome<DataObjectsView>(),
  /** The other data sources of the sources file; `read` names one to read, which may ask for its secrets. */
  otherSources: request({ read: optional(text) }).outcome<readonly OtherSourceView[]>(),
  /**
   * Stops reading the catalog of a source of the graph, by default the main one, for all surfaces; its readers get the
   * failure `cancelled`.
   */
  stopReading: request({ dataSource: optional(text) }).gives<null>(),
  /** The columns that an element with these values may use: those of its data object, then those of joined tables. */
  columns: request({ values: columnScope }).gives<readonly ColumnView[]>(),
  /** What the columns of a data object suggest for a new entry; null while they are unknown. */
  draftEntry: request({ values: columnScope }).gives<EntryDraft | null>(),
  /** Suggested joins of two elements (graph view ids), the most likely first. */
  suggestJoins: request({ source: text, target: text }).gives<readonly JoinSuggestion[]>(),
  /** What the graph has besides data objects, cards and relationships. */
  graphParts: request({}).gives<GraphParts | null>(),
  /** The quick fixes of a problem of the view, the most likely first. */
  problemFixes: request(problemAddress).gives<readonly ProblemFix[]>(),
  /** The edits of a quick fix. */
  fixProblem: request(fix).outcome<IntentEdits>(),
  layout: request({}).gives<CanvasLayout>(),
  /** Stores positions in the state of the graph; an empty layout deletes them. */
  saveLayout: request({ layout: canvasLayout }).outcome<null>(),
};

const { queryTargets: _queryTargets, ...queriesOfCanvas } = queryRequests;

/** Requests of a canvas that the extension passes on to the server. */
export const forwardedCanvasRequests = { ...canvasDocumentRequests, ...queriesOfCanvas };

/** Requests of a canvas to the extension. */
export const canvasRequests = {
  ...forwardedCanvasRequests,
  /** Edits the text; resolves when the document has changed. */
  edit: request(edit).outcome<{ select?: string }>(),
  /** Applies a quick fix to the text. */
  fixProblem: request(fix).outcome<{ select?: string }>(),
  /** Opens the query in a separate document. */
  showQuery: request({ target: queryTarget, draft: optional(canvasIntent) }).outcome<null>(),
  /** Asks for a secret of the data sources, and stores it; whether one was entered. */
  setSecret: request({}).outcome<boolean>(),
  /** Runs Test Query of the file in the results panel. */
  openResults: request({ target: queryTarget }).outcome<null>(),
  /** The size of the preview in dialogs, of all canvases; null before it was changed. */
  previewShare: request({}).outcome<PreviewShare | null>(),
  savePreviewShare: request({ share: previewShare }).outcome<null>(),
  /** Tells that the page *Import* is shown or left; while it is shown, it has the progress that a notification would show. */
  importPage: request({ isShown: flag }).outcome<null>(),
  /** Without `prompt`, missing secrets and consent are a failure instead of a question. */
  importPlan: request({ prompt: optional(flag) }).outcome<PlannedImport>(),
  /** Imports the graph; the outcome arrives as `importNews`. */
  startImport: request(buildChoices).outcome<null>(),
  cancelImport: request({}).outcome<null>(),
  /** Makes the comparison that the canvas shows anew, lists its numbers, or ends it. */
  /** `entry`: only its numbers are shown. */
  textComparison: request({ action: comparisonAction, entry: optional(entryName) }).outcome<null>(),
  openImportLink: request({ link: importLink }).outcome<null>(),
  /** Asks for a path and writes the file. */
  saveImage: request(image).outcome<null>(),
};

export type CanvasRequests = PageRequests<typeof canvasRequests>;
export type CanvasParams<M extends keyof CanvasRequests> = CanvasRequests[M]['params'];
