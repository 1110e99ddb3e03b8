import { droppedConfiguration } from '../requests/lifecycle-requests.ts';
import { explorerAction } from './platform-shapes.ts';
import { range } from './query-shapes.ts';
import { anything, choice, count, flag, list, optional, tagged, text } from './shape.ts';

/** User actions in the table; row actions contain the URI. */
export const entityAction = choice({
  configure: true,
  openText: true,
  openEventGraph: true,
  import: true,
  importAnyway: true,
  fetchGraph: true,
  exportGraph: true,
  suggestRules: true,
  cancelImport: true,
  reset: true,
  delete: true,
  exportConfiguration: true,
  copyConfiguration: true,
  newEntity: true,
  processMapOfFile: true,
  importConfiguration: true,
  importAll: true,
  refresh: true,
  manageTrust: true,
});

export const rowsFormat = choice({ csv: true, json: true, markdown: true });

/** Webview → extension. The parameters of requests are validated by the respective view. */
export const fromWebview = tagged('type', {
  /** The page has started, or has missed a message: all current ones are sent. */
  ready: {},
  /** The first rows of the table are on the screen. */
  drawn: {},
  /** `quiet` reveals it in an already visible editor without moving the focus. */
  revealRange: { range, file: optional(text), quiet: optional(flag) },
  request: { id: count, method: text, params: anything },
  cancelRequest: { id: count },
  explore: { action: explorerAction },
  entityAction: { action: entityAction, uri: optional(text) },
  answerReset: { uri: text, confirmed: flag },
  /** The columns chosen in the table, beside those that are always shown. */
  chooseColumns: { columns: list(text) },
  /**
   * Files dropped on the table: by URI, or where the page sees no path, configurations with their text and others by
   * name.
   */
  dropFiles: { uris: list(text), texts: list(droppedConfiguration), others: list(text) },
  /** Shows the result of an earlier query. */
  showRun: { id: count },
  /** Reruns the displayed query. */
  rerun: {},
  /** Asks for a path and writes the file. */
  saveRows: { name: text, format: rowsFormat, text },
  /** Makes a test of rows of the displayed result, by their places in it. */
  createTest: { rows: list(count) },
  /** Opens the rows behind a number of the displayed table. */
  openNumber: { row: count },
  /** Opens the timeline of an entity in the displayed rows, by its id. */
  openTimeline: { entity: count },
  cancel: {},
  copy: { text },
});
