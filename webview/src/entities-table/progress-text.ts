import type { EntityRow } from '../../../protocol/entities-table.ts';

/** What the progress cell says: the live step, or how the last import ended. */
export function progressText({ running, progress }: EntityRow): string {
  if (!running) return progress ?? '';
  const { state, step, rows } = running;
  if (state === 'waiting') return 'Waiting';
  if (state === 'cancelling') return 'Cancelling…';
  if (step === undefined) return 'Starting';
  return rows === undefined ? step : `${step} · ${rows.toLocaleString()} rows`;
}

/** An import that ended without a graph; the earlier one, if any, stands. */
export function hasFailed({ running, progress }: EntityRow): boolean {
  return !running && /^Import (failed|interrupted)/.test(progress ?? '');
}
