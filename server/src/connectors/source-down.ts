import { isTransientFailure } from './http/transient-failure.ts';
import { type SourceError, type SourceErrorCode, isSourceError } from './source-error.ts';

const downCodes: ReadonlySet<SourceErrorCode> = new Set(['source-unreachable', 'connection-lost', 'file-missing']);

/** Whether an object was not described only because its server cannot be reached. */
export function unreachable(error: SourceError): { readonly isUnreachable?: true } {
  return isSourceDown(error) ? { isUnreachable: true } : {};
}

/**
 * Whether a source cannot be reached at the moment: a server that does not answer or is too busy, a missing file. Wrong
 * settings, passwords and permissions are not such reasons.
 */
export function isSourceDown(error: unknown): error is SourceError {
  return isSourceError(error) && (downCodes.has(error.code) || isTransientFailure(error));
}
