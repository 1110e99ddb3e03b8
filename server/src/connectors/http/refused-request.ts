import { SourceError, type SourceErrorCode, isSourceError } from '../source-error.ts';
import { TransientFailure } from './transient-failure.ts';

/** A request that certainly had no effect: it was not sent, or rejected before execution. */
export class RefusedRequest extends SourceError {}

/** Whether a failed request may have changed something; true when uncertain. */
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
