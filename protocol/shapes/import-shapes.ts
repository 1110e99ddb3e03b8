import type { ImportRequest } from '../import-request.ts';
import { type Shape, count, flag, optional, tagged, text } from './shape.ts';

export const importRequest: Shape<ImportRequest> = tagged<ImportRequest, 'kind'>('kind', {
  build: { sample: optional(count), since: optional(text), isFull: optional(flag), usesKeptRows: optional(flag) },
  fetch: {},
});
