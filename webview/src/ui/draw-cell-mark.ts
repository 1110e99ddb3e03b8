import { type TemplateResult, html } from 'lit';
import type { CellMark } from '../../../protocol/query-results.ts';
import { icon } from './icons.ts';
import { t } from './translate.ts';

/** The mark of a cell: an icon, and the reason for screen readers. */
export function drawCellMark({ severity, message }: CellMark): TemplateResult {
  const words = severity === 'error' ? t('Error: {0}', message) : t('Warning: {0}', message);
  return html`<span class="mark">${icon(severity)}</span><span class="unseen">${words}</span>`;
}
