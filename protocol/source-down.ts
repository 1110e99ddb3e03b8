import type { FailureCode } from './failure-codes.ts';
import type { Failure } from './query-results.ts';

const downCodes: ReadonlySet<FailureCode> = new Set(['source-unreachable', 'connection-lost']);

/** Whether an import failed because a data source cannot be reached, so that kept rows may replace it. */
export function isSourceDown({ code }: Failure): boolean {
  return downCodes.has(code);
}
