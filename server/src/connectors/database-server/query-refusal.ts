import { type SourceError, type SourceErrorCode, isSourceError } from '../source-error.ts';

/** Failures that make further queries impossible. */
const lost = new Set(['connection-lost', 'source-unreachable', 'authentication-failed', 'tls-failed']);

/**
 * Resolves to the reason why a server rejects a query, undefined if it accepts it. Rejects when the server is
 * unreachable.
 * @param alsoLost further error codes that mean an unreachable server
 */
export async function queryRefusal(
  prepared: Promise<unknown>,
  alsoLost: readonly SourceErrorCode[] = [],
): Promise<SourceError | undefined> {
  try {
    await prepared;
    return undefined;
  } catch (error) {
    if (isSourceError(error) && !lost.has(error.code) && !alsoLost.includes(error.code)) return error;
    throw error;
  }
}
