import type { DroppedConfiguration } from '../dropped-configuration.ts';
import type { RequestMethod, RequestParams } from '../language-requests.ts';
import type { ClientRequests } from '../requests/client-requests.ts';
import type { ExistingFile } from '../requests/lifecycle-requests.ts';
import type { ClientNotifications } from '../requests/notifications.ts';
import type { ApiParams } from '../requests/platform-requests.ts';
import type { DraftAnswer, DraftRole, FurtherSource } from '../first-draft.ts';
import { canvasIntent, canvasLayout, columnScope, problemAddress } from './canvas-shapes.ts';
import { askedQuestion, exportFormatName } from './event-graph-shapes.ts';
import { importRequest } from './import-shapes.ts';
import { apiList, apiRequest, platformAction } from './platform-shapes.ts';
import { queryTarget } from './query-shapes.ts';
import { newTest, wantedRows } from './test-rows-shapes.ts';
import { type Shape, anything, choice, count, flag, list, nullable, object, optional, record, text } from './shape.ts';

const ofFile = object<{ uri: string }>({ uri: text });
const ofSource = object<{ uri: string; dataSource: string }>({ uri: text, dataSource: text });
const reported = { progressToken: optional(text) };
const ofObject = object<RequestParams<'entityGraph/previewObject'>>({
  uri: text,
  dataSource: text,
  dataObject: text,
  ...reported,
});
const ofAction = { uri: text, dataSource: text, action: platformAction };
const ofApi = { uri: text, dataSource: text, request: apiRequest };

const draftAnswer = object<DraftAnswer>({
  dataObject: text,
  role: choice<DraftRole>({
    case: true,
    activity: true,
    time: true,
    change: true,
    sequence: true,
    object: true,
    key: true,
    reference: true,
  }),
  columns: list(text),
});

/** Schema of the parameters of each request. */
export const requestShapes: { readonly [M in RequestMethod]: Shape<RequestParams<M>> } = {
  'entityGraph/graphView': object<RequestParams<'entityGraph/graphView'>>({ uri: text, follow: optional(flag) }),
  'entityGraph/queryTargets': ofFile,
  'entityGraph/showQuery': object<RequestParams<'entityGraph/showQuery'>>({
    uri: text,
    target: queryTarget,
    ...reported,
    draft: optional(canvasIntent),
  }),
  'entityGraph/previewJoin': object<RequestParams<'entityGraph/previewJoin'>>({
    uri: text,
    name: text,
    ...reported,
    limit: optional(count),
    draft: optional(canvasIntent),
  }),
  'entityGraph/countJoin': object<RequestParams<'entityGraph/countJoin'>>({
    uri: text,
    name: text,
    ...reported,
    draft: optional(canvasIntent),
  }),
  'entityGraph/testQuery': object<RequestParams<'entityGraph/testQuery'>>({
    uri: text,
    target: queryTarget,
    ...reported,
    limit: optional(count),
    draft: optional(canvasIntent),
  }),
  'entityGraph/graphDiff': ofFile,
  'entityGraph/exportGraph': object<RequestParams<'entityGraph/exportGraph'>>({
    uri: text,
    form: exportFormatName,
    output: text,
    guardFormulas: optional(flag),
    entityType: optional(text),
  }),
  'entityGraph/importPlan': object<RequestParams<'entityGraph/importPlan'>>({
    uri: text,
    ...reported,
    prompt: optional(flag),
  }),
  'entityGraph/import': object<RequestParams<'entityGraph/import'>>({
    uri: text,
    request: optional(importRequest),
  }),
  'entityGraph/graphTests': object<RequestParams<'entityGraph/graphTests'>>({ uri: optional(text) }),
  'entityGraph/runTests': object<RequestParams<'entityGraph/runTests'>>({
    uri: text,
    names: optional(list(text)),
    online: optional(flag),
  }),
  'entityGraph/rowsForTest': object<RequestParams<'entityGraph/rowsForTest'>>({
    uri: text,
    wanted: wantedRows,
    ...reported,
    limit: optional(count),
  }),
  'entityGraph/newTest': object<RequestParams<'entityGraph/newTest'>>({ uri: text, test: newTest }),
  'entityGraph/refreshCatalog': object<RequestParams<'entityGraph/refreshCatalog'>>({ uri: text, ...reported }),
  'entityGraph/edit': object<RequestParams<'entityGraph/edit'>>({ uri: text, intent: canvasIntent }),
  'entityGraph/checkIntent': object<RequestParams<'entityGraph/checkIntent'>>({ uri: text, intent: canvasIntent }),
  'entityGraph/dataObjects': object<RequestParams<'entityGraph/dataObjects'>>({ uri: text, refresh: optional(flag) }),
  'entityGraph/otherSources': object<RequestParams<'entityGraph/otherSources'>>({ uri: text, read: optional(text) }),
  'entityGraph/stopReading': object<RequestParams<'entityGraph/stopReading'>>({
    uri: text,
    dataSource: optional(text),
  }),
  'entityGraph/columns': object<RequestParams<'entityGraph/columns'>>({ uri: text, values: columnScope }),
  'entityGraph/suggestJoins': object<RequestParams<'entityGraph/suggestJoins'>>({
    uri: text,
    source: text,
    target: text,
  }),
  'entityGraph/problemFixes': object<RequestParams<'entityGraph/problemFixes'>>({
    uri: text,
    ...problemAddress,
  }),
  'entityGraph/fixProblem': object<RequestParams<'entityGraph/fixProblem'>>({
    uri: text,
    ...problemAddress,
    title: text,
  }),
  'entityGraph/layout': ofFile,
  'entityGraph/saveLayout': object<RequestParams<'entityGraph/saveLayout'>>({ uri: text, layout: canvasLayout }),
  'entityGraph/entities': object({}),
  'entityGraph/importedText': ofFile,
  'entityGraph/copy': object<RequestParams<'entityGraph/copy'>>({ uri: text, target: text }),
  'entityGraph/previewDelete': ofFile,
  'entityGraph/delete': object<RequestParams<'entityGraph/delete'>>({ uri: text, dropTables: optional(flag) }),
  'entityGraph/exportConfiguration': object<RequestParams<'entityGraph/exportConfiguration'>>({
    uri: text,
    target: text,
    format: choice<'json' | 'yaml'>({ json: true, yaml: true }),
  }),
  'entityGraph/importConfigurations': object<RequestParams<'entityGraph/importConfigurations'>>({
    files: list(text),
    folder: text,
    texts: optional(list(object<DroppedConfiguration>({ name: text, text }))),
    existing: optional(choice<ExistingFile>({ refuse: true, replace: true, 'keep-both': true })),
  }),
  'entityGraph/objectsFor': object<RequestParams<'entityGraph/objectsFor'>>({
    uri: text,
    dataSource: text,
    ...reported,
  }),
  'entityGraph/sourceKinds': object({}),
  'entityGraph/allDataSources': object({}),
  'entityGraph/sourceObjects': object<RequestParams<'entityGraph/sourceObjects'>>({
    uri: text,
    dataSource: text,
    ...reported,
    refresh: optional(flag),
  }),
  'entityGraph/sourceColumns': ofObject,
  'entityGraph/previewObject': ofObject,
  'entityGraph/diagnoseSource': object<RequestParams<'entityGraph/diagnoseSource'>>({
    uri: text,
    dataSource: text,
    ...reported,
    draft: optional(text),
  }),
  'entityGraph/addDataSource': object<RequestParams<'entityGraph/addDataSource'>>({
    uri: text,
    name: text,
    settings: record(anything),
  }),
  'entityGraph/secretUses': object<RequestParams<'entityGraph/secretUses'>>({
    uri: text,
    dataSource: text,
    draft: optional(text),
  }),
  'entityGraph/signIn': ofSource,
  'entityGraph/previewAction': object<RequestParams<'entityGraph/previewAction'>>({ ...ofAction, ...reported }),
  'entityGraph/runAction': object<RequestParams<'entityGraph/runAction'>>({
    ...ofAction,
    ...reported,
  }),
  'entityGraph/apiView': ofSource,
  'entityGraph/apiText': object<ApiParams>(ofApi),
  'entityGraph/apiSend': object<ApiParams>(ofApi),
  'entityGraph/apiEntry': object<RequestParams<'entityGraph/apiEntry'>>({ ...ofApi, list: apiList }),
  'entityGraph/newGraph': object<RequestParams<'entityGraph/newGraph'>>({
    target: text,
    dataSource: text,
    name: optional(text),
    objects: optional(list(text)),
    furtherSources: optional(list(object<FurtherSource>({ dataSource: text, objects: optional(list(text)) }))),
    answers: optional(list(draftAnswer)),
    ...reported,
  }),
  'entityGraph/saveFile': object<RequestParams<'entityGraph/saveFile'>>({ target: text, base64: text }),
  'entityGraph/newEmptyGraph': object<RequestParams<'entityGraph/newEmptyGraph'>>({
    target: text,
    name: text,
    dataSource: text,
  }),
  'entityGraph/eventGraph': askedQuestion,
  'entityGraph/status': ofFile,
};

/** Schema of the parameters of each notification from the client. */
export const noticeShapes: { readonly [M in keyof ClientNotifications]: Shape<ClientNotifications[M]> } = {
  'entityGraph/trustChanged': object<{ trusted: boolean }>({ trusted: flag }),
  'entityGraph/secretsChanged': object({}),
  'entityGraph/unfollowGraph': object<{ uri: string }>({ uri: text }),
};

/** Schema of the client's responses to server requests. */
export const answerShapes: { readonly [M in keyof ClientRequests]: Shape<ClientRequests[M]['result']> } = {
  'entityGraph/allowSecret': nullable(object<{ allowed: boolean }>({ allowed: flag })),
  'entityGraph/secret': object<{ value: string | null }>({ value: nullable(text) }),
  'entityGraph/token': object<{ value: string | null }>({ value: nullable(text) }),
  'entityGraph/keepToken': anything as Shape<null>,
  'entityGraph/authorize': nullable(
    object<NonNullable<ClientRequests['entityGraph/authorize']['result']>>({
      redirectUri: text,
      code: optional(text),
      error: optional(text),
    }),
  ),
};
