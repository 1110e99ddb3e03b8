import type { ImportRequest, ImportSlice } from '../../../protocol/import-request.ts';

/** The part of a graph that a request asks for; empty for the whole graph. */
export function sliceOf(request: ImportRequest): ImportSlice {
  if (request.kind === 'fetch') return {};
  const { sample, since } = request;
  return { ...(sample === undefined ? {} : { sample }), ...(since === undefined ? {} : { since }) };
}

/** Whether a request asks for the whole graph. */
export function isWhole(request: ImportRequest): boolean {
  return Object.keys(sliceOf(request)).length === 0;
}
