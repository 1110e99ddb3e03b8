import type { QueryTarget, TextRange } from '../query-results.ts';
import { type Shape, count, object, tagged, text } from './shape.ts';

export const queryTarget: Shape<QueryTarget> = tagged<QueryTarget, 'kind'>('kind', {
  element: { name: text },
  entities: { name: text },
  relationship: { name: text },
});

export const position: Shape<TextRange['start']> = object({ line: count, character: count });

export const range: Shape<TextRange> = object<TextRange>({ start: position, end: position });
