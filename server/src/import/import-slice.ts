import type { ImportRequest, ImportSlice } from '../../../protocol/import-request.ts';

/** The slice of a request; empty for the whole graph. */
export function sliceOf(request: ImportRequest): ImportSlice {
  if (request.kind === 'fetch') return {};
  const { sample, since } = request;
  return { ...(sample === undefined ? {} : { sample }), ...(since === undefined ? {} : { since }) };
}

/** Whether a request is for the whole graph. */
export function isWhole(request: ImportRequest): boolean {
  return Object.keys(sliceOf(request)).length === 0;
}
