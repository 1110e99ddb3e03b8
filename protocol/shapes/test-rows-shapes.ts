import { queryTarget } from './query-shapes.ts';
import { type Shape, anything, flag, list, object, optional, text } from './shape.ts';

const cells = list(list(anything as Shape<string | number | boolean | null>));

/** Rows to read for a test. */
export const wantedRows = object({
  /** Queries of the graph; with a key, all rows of that entity. */
  targets: list(queryTarget),
  /** Restricts the rows of a target to these values; default: all rows. */
  chosen: optional(object({ columns: list(text), rows: cells })),
});

const column = object({
  name: text,
  /** Type in the data source; absent if unknown. */
  type: optional(text),
  /** Part of the primary key of the data object. */
  isKey: flag,
  /** Times are not masked, because they determine the order of events. */
  isTime: flag,
  isNumber: flag,
});

export const testRowsObject = object({ dataObject: text, columns: list(column), rows: cells });

export const testRows = {
  objects: list(testRowsObject),
  /** Other data that the graph reads and that has no given rows, one sentence each. */
  missing: optional(list(text)),
};

/** A test to be written. */
export const newTest = object({
  ...testRows,
  name: text,
  masked: list(object({ dataObject: text, column: text })),
  /** A rule whose numbers it expects. */
  rule: optional(text),
});
