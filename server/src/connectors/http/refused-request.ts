import { SourceError, type SourceErrorCode, isSourceError } from '../source-error.ts';
import { isTransientFailure } from './transient-failure.ts';

/** A request that certainly had no effect: it was not sent, or rejected before execution. */
export class RefusedRequest extends SourceError {
  readonly isRefused = true;
}

/** By member: a program may load this module as ESM and as CommonJS, which gives two classes. */
export function isRefusedRequest(error: unknown): error is RefusedRequest {
  return isSourceError(error) && 'isRefused' in error;
}

/** Whether a failed request may have changed something; true when uncertain. */
export function mayHaveRun(error: unknown): boolean {
  if (isTransientFailure(error)) return error.transience.mayHaveRun;
  return !isRefusedRequest(error) && !(isSourceError(error) && harmlessCodes.has(error.code));
}

const harmlessCodes: ReadonlySet<SourceErrorCode> = new Set<SourceErrorCode>([
  'source-config',
  'secret-missing',
  'environment-variable-missing',
  'source-unreachable',
  'authentication-failed',
  'tls-failed',
  'object-missing',
]);
