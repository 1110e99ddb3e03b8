import type {
  CanvasIntent,
  CanvasLayout,
  ColumnScopeValues,
  ColumnView,
  DataObjectsView,
  IntentCheck,
  IntentEdits,
  JoinSuggestion,
  OtherSourceView,
} from '../canvas-intents.ts';
import type { ProblemAddress, ProblemFix } from '../graph-view.ts';
import type { Outcome } from '../query-results.ts';

/** Requests of a canvas: edits, what its dialogs offer, its layout. */
export interface CanvasEditRequests {
  /** Text edits for an intent of the canvas, for the document version of the server. */
  'entityGraph/edit': { params: { uri: string; intent: CanvasIntent }; result: Outcome<IntentEdits> };
  /** Validates the result of an intent without changing anything. */
  'entityGraph/checkIntent': { params: { uri: string; intent: CanvasIntent }; result: Outcome<IntentCheck> };
  /**
   * The data objects of the graph's source, when its catalog has been read or has failed. `refresh` reads the source
   * again, which may ask for secrets.
   */
  'entityGraph/dataObjects': {
    params: { uri: string; refresh?: boolean | undefined };
    result: Outcome<DataObjectsView>;
  };
  /** The other data sources of the sources file; `read` names one to read, which may ask for its secrets. */
  'entityGraph/otherSources': {
    params: { uri: string; read?: string | undefined };
    result: Outcome<readonly OtherSourceView[]>;
  };
  /** Stops reading the catalog of a source of the graph, by default the main one; its readers get the failure `cancelled`. */
  'entityGraph/stopReading': { params: { uri: string; dataSource?: string | undefined }; result: null };
  /** The columns that an element with these values may use: those of its data object, then those of joined tables. */
  'entityGraph/columns': {
    params: { uri: string; values: ColumnScopeValues };
    result: readonly ColumnView[];
  };
  /** Suggested joins of two elements (graph view ids), the most likely first. */
  'entityGraph/suggestJoins': {
    params: { uri: string; source: string; target: string };
    result: readonly JoinSuggestion[];
  };
  /** The quick fixes of a problem of the view, the most likely first. */
  'entityGraph/problemFixes': {
    params: ProblemAddress & { uri: string };
    result: readonly ProblemFix[];
  };
  /** The edits of a quick fix. */
  'entityGraph/fixProblem': {
    params: ProblemAddress & { uri: string; title: string };
    result: Outcome<IntentEdits>;
  };
  'entityGraph/layout': { params: { uri: string }; result: CanvasLayout };
  /** Stores positions in the state of the graph; an empty layout deletes them. */
  'entityGraph/saveLayout': { params: { uri: string; layout: CanvasLayout }; result: Outcome<null> };
}
