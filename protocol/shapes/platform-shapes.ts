import type { ApiList, ApiParameter, ApiRequest } from '../api-explorer.ts';
import type { EndpointMethod, PlatformAction, StagingRows } from '../platform-actions.ts';
import { queryTarget } from './query-shapes.ts';
import { type Shape, anything, choice, count, flag, list, object, optional, record, tagged, text } from './shape.ts';

const method: Shape<EndpointMethod> = choice<EndpointMethod>({
  GET: true,
  POST: true,
  PUT: true,
  PATCH: true,
  DELETE: true,
});

const stagingRows: Shape<StagingRows> = tagged<StagingRows, 'kind'>('kind', {
  file: { file: text },
  query: { graph: text, target: queryTarget },
});

const writtenFields = { values: record(text), inputDisplayValue: optional(flag) };

const manyRecords = { table: text, ids: text, repeatUnknown: optional(flag) };

export const platformAction: Shape<PlatformAction> = tagged<PlatformAction, 'kind'>('kind', {
  'create record': { table: text, ...writtenFields },
  'update record': { table: text, id: text, ...writtenFields },
  'delete record': { table: text, id: text },
  'update records': { ...manyRecords, ...writtenFields },
  'delete records': manyRecords,
  'list attachments': { table: text, id: text },
  'upload attachment': { table: text, id: text, file: text, asForm: optional(flag) },
  'download attachment': { attachment: text, target: text, overwrite: optional(flag) },
  'delete attachment': { attachment: text },
  'stage rows': { table: text, rows: stagingRows, bulk: flag, from: optional(count) },
  'call endpoint': { method, path: text, parameters: record(text), body: optional(text) },
});

const parameter: Shape<ApiParameter> = object<ApiParameter>({ name: text, value: text });

export const apiRequest: Shape<ApiRequest> = object<ApiRequest>({
  method,
  path: text,
  parameters: list(parameter),
  body: text,
});

export const apiList: Shape<ApiList> = object<ApiList>({
  records: text,
  pagination: optional(record(anything)),
  hasMore: optional(flag),
});
