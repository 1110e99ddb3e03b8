import type { EntityRow } from '../../../protocol/entities-table.ts';
import { t } from '../ui/translate.ts';

/** What the progress cell says: the live step, or how the last import ended. */
export function progressText({ running, progress }: EntityRow): string {
  if (!running) return progress ?? '';
  const { state, step, rows } = running;
  if (state === 'waiting') return t('Waiting');
  if (state === 'cancelling') return t('Cancelling…');
  if (step === undefined) return t('Starting');
  return rows === undefined ? step : `${step} · ${t('{0} rows', rows.toLocaleString())}`;
}

/** An import that ended without a graph; the earlier one, if any, stands. */
export function hasFailed({ running, progress }: EntityRow): boolean {
  return !running && /^Import (failed|interrupted)/.test(progress ?? '');
}
