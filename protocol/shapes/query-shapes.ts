import type { QueryTarget, RowCondition, TextRange } from '../query-results.ts';
import { type Shape, count, list, object, optional, tagged, text } from './shape.ts';

const rowCondition: Shape<RowCondition> = tagged<RowCondition, 'kind'>('kind', {
  withoutKey: {},
  repeatedKey: {},
  withoutActivity: {},
  key: { key: text },
  changeBeforeStart: {},
  infiniteTime: {},
  empty: { column: text },
  repeated: { columns: list(text) },
  otherValue: { column: text, expected: list(text) },
});

export const queryTarget: Shape<QueryTarget> = tagged<QueryTarget, 'kind'>('kind', {
  element: { name: text, only: optional(rowCondition) },
  entities: { name: text, only: optional(rowCondition) },
  relationship: { name: text },
});

export const position: Shape<TextRange['start']> = object({ line: count, character: count });

export const range: Shape<TextRange> = object<TextRange>({ start: position, end: position });
