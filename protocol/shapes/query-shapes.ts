import { count, list, object, optional, tagged, text } from './shape.ts';

/** Which rows of an element, or of an entry of `entities`, are asked for. Columns are named as in the file. */
export const rowCondition = tagged('kind', {
  /** A part of the key is missing. */
  withoutKey: {},
  /** Rows of a key that repeats with other values of the properties. */
  repeatedKey: {},
  /** The row gives events, but `activityColumn` is empty. */
  withoutActivity: {},
  /** The rows of one entity: its key, as the graph has it. */
  key: { key: text },
  changeBeforeStart: {},
  endBeforeStart: {},
  infiniteTime: {},
  empty: { column: text },
  /** Other rows have the same values. */
  repeated: { columns: list(text) },
  otherValue: { column: text, expected: list(text) },
});

/** Identifies a query of a file, with `only` some of its rows. */
export const queryTarget = tagged('kind', {
  element: { name: text, only: optional(rowCondition) },
  entities: { name: text, only: optional(rowCondition) },
  relationship: { name: text },
});

export const position = object({ line: count, character: count });

/** Zero-based, UTF-16, as in LSP. */
export const range = object({ start: position, end: position });
