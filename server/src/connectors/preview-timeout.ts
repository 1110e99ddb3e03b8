import { previewTimeoutMs } from '../../../protocol/preview-limits.ts';
import type { PreviewOptions } from './connector.ts';
import { SourceError } from './source-error.ts';

/** Time limit that a preview asks its server for, in milliseconds. */
export function serverPreviewTimeoutMs({
  statementTimeoutMs,
}: {
  readonly statementTimeoutMs?: number | undefined;
}): number {
  return statementTimeoutMs ?? previewTimeoutMs.server;
}

/**
 * Runs a preview on this machine with a signal that aborts when its time is over, then with `statement-timeout` as reason.
 * @param statementTimeoutMs the setting of the source
 */
export async function withPreviewTimeout<T>(
  options: Pick<PreviewOptions, 'signal' | 'timeoutMs'>,
  statementTimeoutMs: number | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const limitMs = options.timeoutMs ?? statementTimeoutMs ?? previewTimeoutMs.local;
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(timedOut(limitMs)), limitMs);
  try {
    return await run(options.signal ? AbortSignal.any([options.signal, timeout.signal]) : timeout.signal);
  } finally {
    clearTimeout(timer);
  }
}

function timedOut(limitMs: number): SourceError {
  return new SourceError('statement-timeout', `The query took longer than ${limitMs / 1000} s and was stopped.`, {
    remedy: 'Filter the rows with where, or set a longer statementTimeout for the data source.',
  });
}

/** Longest time that a catalog waits for the first rows of a view, which may have to be computed, or have no end. */
const longestFirstRowsMs = 10_000;

/** The first rows of a view for a catalog; undefined if they take too long. Rejects like `read`. */
export async function firstRowsInTime<T>(
  signal: AbortSignal | undefined,
  statementTimeoutMs: number | undefined,
  read: (signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  const timeoutMs = Math.min(statementTimeoutMs ?? longestFirstRowsMs, longestFirstRowsMs);
  let isLate = false;
  try {
    return await withPreviewTimeout({ signal, timeoutMs }, undefined, (either) => {
      either.addEventListener('abort', () => (isLate = true));
      return read(either);
    });
  } catch (error) {
    signal?.throwIfAborted();
    if (isLate) return undefined;
    throw error;
  }
}

/** The warning about a view of which `firstRowsInTime` gave none. */
export function lateRowsWarning(name: string, source: string): string {
  return `The first rows of ${name} of ${source} took too long: it has no example values, and types are those that need none.`;
}
