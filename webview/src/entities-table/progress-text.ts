import type { EntityRow } from '../../../protocol/entities-table.ts';
import { t } from '../ui/translate.ts';

/** Text of the progress cell: the current phase, or the result of the last import. */
export function progressText({ running, progress }: EntityRow): string {
  if (!running) return progress ?? '';
  const { state, step, rows } = running;
  if (state === 'waiting') return t('Waiting');
  if (state === 'cancelling') return t('Cancelling…');
  if (step === undefined) return t('Starting');
  return rows === undefined ? step : `${step} · ${t('{0} rows', rows.toLocaleString())}`;
}

/** An unsuccessful import; an earlier graph is kept. */
export function hasFailed({ running, progress }: EntityRow): boolean {
  return !running && /^Import (failed|interrupted)/.test(progress ?? '');
}
