import { choice, either, flag, list, number, object, optional, record, text } from './shape.ts';

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

/** Which values of a column start an activity, and which end it. */
export const lifecycle = object({ column: optional(text), start: list(text), end: list(text) });

/** Texts of the activity column, with the names that their activities get. */
export const activityNames = list(object({ text, name: text }));

/** What should hold of the rows of an entry, as it is written. */
export const expectations = object({
  /** Keys: a column, or several whose values together are different in each row. */
  unique: list(list(text)),
  notNull: list(text),
  values: list(object({ column: text, texts: list(text) })),
  rows: optional(text),
  severity: optional(text),
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

export const pathStep = object({
  relationship: text,
  /** Default: the direction that fits. */
  reverse: optional(flag),
});

/** A rule of the process as it stands in a file. */
export const suggestedRule = object({
  name: text,
  each: object({ entityType: text }),
  expect: list(record(text)),
  /** Absent where all keep it. */
  atLeast: optional(text),
});

/** The fields of a graph that are one text. */
export const graphTextName = choice({ name: true, description: true, dataSource: true });

/** The parts of a graph with entries of their own that have no card and no line. */
export const graphListName = choice({
  rules: true,
  measures: true,
  guards: true,
  accepted: true,
  calendars: true,
  import: true,
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
