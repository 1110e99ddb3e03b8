import { queryTarget } from './query-shapes.ts';
import { anything, choice, count, flag, list, object, optional, record, tagged, text } from './shape.ts';

export const endpointMethod = choice({ GET: true, POST: true, PUT: true, PATCH: true, DELETE: true });

/** Rows of a file (CSV, JSON, Parquet …), or of a query of an entity graph. */
export const stagingRows = tagged('kind', { file: { file: text }, query: { graph: text, target: queryTarget } });

/** New field values of a record. */
export const writtenFields = {
  values: record(text),
  /** Values are display values: names of references, labels of choices, times in the user's zone. */
  inputDisplayValue: optional(flag),
};

/** A write action on many records, one after the other. */
export const manyRecords = {
  table: text,
  /** A file with their keys: one per line, or in the column named like the key. */
  ids: text,
  /** Whether to repeat writes of an earlier run with an unknown outcome. */
  repeatUnknown: optional(flag),
};

/** An action on an instance of the IT-service-management platform. Files are absolute paths. */
export const platformAction = tagged('kind', {
  'create record': { table: text, ...writtenFields },
  'update record': { table: text, id: text, ...writtenFields },
  'delete record': { table: text, id: text },
  'update records': { ...manyRecords, ...writtenFields },
  'delete records': manyRecords,
  'list attachments': { table: text, id: text },
  'upload attachment': {
    table: text,
    id: text,
    file: text,
    /** Uploads as a form, for instances that accept nothing else. */
    asForm: optional(flag),
  },
  'download attachment': {
    attachment: text,
    target: text,
    /** Whether to overwrite an existing file, after the download is complete. */
    overwrite: optional(flag),
  },
  'delete attachment': { attachment: text },
  'stage rows': {
    /** The staging table. */
    table: text,
    rows: stagingRows,
    /** Sends all rows in bulk, transformed later, instead of one by one. */
    bulk: flag,
    /** 1-based first row of the file to send; earlier rows were sent before. */
    from: optional(count),
  },
  'call endpoint': {
    method: endpointMethod,
    /** Path below `/api`, such as `x_acme/ops/outages`, optionally with query parameters. */
    path: text,
    parameters: record(text),
    /** JSON. */
    body: optional(text),
  },
});

/** A request as edited in the explorer. */
export const apiRequest = object({
  method: endpointMethod,
  /** Path below the base address of the source. */
  path: text,
  parameters: list(object({ name: text, value: text })),
  /** JSON; empty for none. */
  body: text,
});

/** A record list in a response. */
export const apiList = object({
  /** Path of field names that leads to the list, separated by dots. */
  records: text,
  /** Pagination settings derived from request and response. */
  pagination: optional(record(anything)),
  /** Whether there are more records although no pagination could be derived. */
  hasMore: optional(flag),
});

/** From the page of the explorer. */
export const explorerAction = tagged('kind', {
  preview: { request: apiRequest },
  send: { request: apiRequest },
  copyHttp: { request: apiRequest },
  copyCurl: { request: apiRequest },
  /** Adds the record list as a data object of the source. */
  add: { request: apiRequest, list: apiList },
  /** Opens the complete response in an editor. */
  open: {},
  cancel: {},
});
