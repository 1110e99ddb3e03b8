import type { ImportLink } from '../import-page.ts';
import type { ExplorerAction } from '../api-explorer.ts';
import type { DroppedConfiguration } from '../dropped-configuration.ts';
import type { EntityAction } from '../entities-table.ts';
import type { EventGraphPageRequests } from '../event-graph.ts';
import type { CanvasMethod, CanvasRequests, EventGraphMethod, FromWebview, RowsFormat } from '../webview-messages.ts';
import { canvasIntent, canvasLayout, columnScope, previewShare, problemAddress } from './canvas-shapes.ts';
import { numberFields, numberPart, questionShapes, snippetKind } from './event-graph-shapes.ts';
import { apiList, apiRequest } from './platform-shapes.ts';
import { queryTarget, range } from './query-shapes.ts';
import { type Shape, anything, choice, count, flag, list, object, optional, tagged, text } from './shape.ts';

interface Image {
  readonly name: string;
  readonly kind: 'svg' | 'png';
  readonly base64: string;
}

const image: Shape<Image> = object<Image>({
  name: text,
  kind: choice<Image['kind']>({ svg: true, png: true }),
  base64: text,
});

const importLink: Shape<ImportLink> = choice<ImportLink>({
  'event graph': true,
  'process map': true,
  plan: true,
  settings: true,
  log: true,
});

/** Schema of the parameters of each canvas request. */
export const canvasShapes: { readonly [M in CanvasMethod]: Shape<CanvasRequests[M]['params']> } = {
  edit: object<CanvasRequests['edit']['params']>({ intent: canvasIntent }),
  checkIntent: object<CanvasRequests['checkIntent']['params']>({ intent: canvasIntent }),
  dataObjects: object<CanvasRequests['dataObjects']['params']>({ refresh: optional(flag) }),
  otherSources: object<CanvasRequests['otherSources']['params']>({ read: optional(text) }),
  stopReading: object<CanvasRequests['stopReading']['params']>({ dataSource: optional(text) }),
  columns: object<CanvasRequests['columns']['params']>({ values: columnScope }),
  suggestJoins: object<CanvasRequests['suggestJoins']['params']>({ source: text, target: text }),
  problemFixes: object<CanvasRequests['problemFixes']['params']>(problemAddress),
  fixProblem: object<CanvasRequests['fixProblem']['params']>({ ...problemAddress, title: text }),
  layout: object({}),
  saveLayout: object<CanvasRequests['saveLayout']['params']>({ layout: canvasLayout }),
  previewShare: object({}),
  savePreviewShare: object<CanvasRequests['savePreviewShare']['params']>({ share: previewShare }),
  testQuery: object<CanvasRequests['testQuery']['params']>({ target: queryTarget, draft: optional(canvasIntent) }),
  previewJoin: object<CanvasRequests['previewJoin']['params']>({ name: text, draft: canvasIntent }),
  countJoin: object<CanvasRequests['countJoin']['params']>({ name: text, draft: canvasIntent }),
  importPage: object<CanvasRequests['importPage']['params']>({ isShown: flag }),
  importPlan: object<CanvasRequests['importPlan']['params']>({ prompt: optional(flag) }),
  startImport: object<CanvasRequests['startImport']['params']>({
    isFull: optional(flag),
    usesKeptRows: optional(flag),
    sample: optional(count),
  }),
  cancelImport: object({}),
  openImportLink: object<CanvasRequests['openImportLink']['params']>({ link: importLink }),
  showQuery: object<CanvasRequests['showQuery']['params']>({ target: queryTarget, draft: optional(canvasIntent) }),
  openResults: object<CanvasRequests['openResults']['params']>({ target: queryTarget }),
  saveImage: image,
};

/** Schema of the parameters of each event graph request. */
export const eventGraphPageShapes: {
  readonly [M in EventGraphMethod]: Shape<EventGraphPageRequests[M]['params']>;
} = {
  ...questionShapes,
  diff: object({}),
  saveImage: image,
  saveRows: object<EventGraphPageRequests['saveRows']['params']>({ name: text, text }),
  openSqlConsole: object<EventGraphPageRequests['openSqlConsole']['params']>({ sql: optional(text) }),
  openNumber: object<EventGraphPageRequests['openNumber']['params']>({
    ...numberFields,
    part: numberPart,
    title: text,
  }),
  openSourceRows: object<EventGraphPageRequests['openSourceRows']['params']>({
    target: queryTarget,
    part: choice({ rows: true, sql: true }),
  }),
  createTest: object<EventGraphPageRequests['createTest']['params']>({
    targets: list(queryTarget),
    name: text,
    rule: optional(text),
  }),
  copySnippet: object<EventGraphPageRequests['copySnippet']['params']>({ kind: snippetKind }),
};

const explorerAction: Shape<ExplorerAction> = tagged<ExplorerAction, 'kind'>('kind', {
  preview: { request: apiRequest },
  send: { request: apiRequest },
  copyHttp: { request: apiRequest },
  copyCurl: { request: apiRequest },
  add: { request: apiRequest, list: apiList },
  open: {},
  cancel: {},
});

const entityAction: Shape<EntityAction> = choice<EntityAction>({
  configure: true,
  openText: true,
  openEventGraph: true,
  import: true,
  fetchGraph: true,
  exportGraph: true,
  cancelImport: true,
  reset: true,
  delete: true,
  exportConfiguration: true,
  copyConfiguration: true,
  newEntity: true,
  importConfiguration: true,
  importAll: true,
  refresh: true,
  manageTrust: true,
});

const rowsFormat: Shape<RowsFormat> = choice<RowsFormat>({ csv: true, json: true, markdown: true });

/** Messages that a webview may post. The parameters of requests are validated by the respective view. */
export const fromWebview: Shape<FromWebview> = tagged<FromWebview, 'type'>('type', {
  ready: {},
  drawn: {},
  revealRange: { range, file: optional(text), quiet: optional(flag) },
  request: { id: count, method: text as Shape<CanvasMethod | EventGraphMethod>, params: anything },
  cancelRequest: { id: count },
  explore: { action: explorerAction },
  entityAction: { action: entityAction, uri: optional(text) },
  answerReset: { uri: text, confirmed: flag },
  dropConfigurations: { uris: list(text), texts: list(object<DroppedConfiguration>({ name: text, text })) },
  showRun: { id: count },
  rerun: {},
  saveRows: { name: text, format: rowsFormat, text },
  createTest: { rows: list(count) },
  cancel: {},
  copy: { text },
});
