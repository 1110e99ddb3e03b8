import { choice, either, flag, list, nullable, number, object, optional, record, text } from './shape.ts';

/** A column to keep, or a column with another name for the property. */
export const property = either(text, object({ column: text, name: text }));

/** Entities that a row names, with several keys in one value for `each` and `separator`. */
export const rowCorrelation = object({
  entityType: optional(text),
  key: list(text),
  qualifier: optional(text),
  each: optional(choice({ list: true })),
  separator: optional(text),
});

/** The default operator is `=`. */
export const mapping = either(
  object({ source: text, operator: optional(text), target: text }),
  object({ expression: text }),
);

export const crossMapping = object({
  /** Column of the source element on the source side, of the target element on the target side. */
  column: text,
  operator: optional(text),
  cross: text,
});

export const crossTable = object({
  /** Default: the data source of the file. */
  dataSource: optional(text),
  dataObject: optional(text),
  sourceMappings: list(crossMapping),
  targetMappings: list(crossMapping),
});

export const pathStep = object({
  relationship: text,
  /** Default: the direction that fits. */
  reverse: optional(flag),
});

/** A relationship in a patch; null removes a field. */
export const relationshipPatch = object({
  name: optional(nullable(text)),
  mappings: optional(nullable(list(mapping))),
  crossTable: optional(nullable(crossTable)),
  path: optional(nullable(list(pathStep))),
  correlate: optional(nullable(text)),
});

/** A rule of the process as it stands in a file. */
export const suggestedRule = object({
  name: text,
  each: object({ entityType: text }),
  expect: list(record(text)),
  /** Absent where all keep it. */
  atLeast: optional(text),
});

/** A data object of a graph; `dataSource` is set if it is not that of the file. */
export const dataObjectName = object({ name: text, dataSource: optional(text) });

/** How a person arranged the canvas of a graph: positions chosen for elements, by graph view id, in canvas pixels. */
export const canvasLayout = object({
  elements: record(object({ x: number, y: number })),
  /** Whether the grid is shown. */
  grid: optional(flag),
});

/** The share of the preview in a dialog, beside the form and below it: 0 to 1. */
export const previewShare = object({ beside: number, below: number });

/** Where the canvas shows a problem: the entry with this id, and the problem's id at it. */
export const problemAddress = {
  list: choice({ elements: true, relationships: true }),
  entry: text,
  problem: text,
};

/** The values of an entry that determine which columns it may use. */
export const columnScope = object({
  dataObject: optional(text),
  joins: optional(text),
  /** Default: the data source of the file. */
  dataSource: optional(text),
});
