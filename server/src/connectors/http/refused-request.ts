import { SourceError, type SourceErrorCode, isSourceError } from '../source-error.ts';
import { TransientFailure } from './transient-failure.ts';

/** A request that certainly did nothing: it was not sent, or refused before it was run. */
export class RefusedRequest extends SourceError {}

/** Whether a request that failed may have changed something all the same: when that is not certain, it is not denied. */
export function mayHaveRun(error: unknown): boolean {
  if (error instanceof TransientFailure) return error.transience.mayHaveRun;
  return !(error instanceof RefusedRequest) && !(isSourceError(error) && harmlessCodes.has(error.code));
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
