import { type TemplateResult, html } from 'lit';
import type { CellMark } from '../../../protocol/query-results.ts';
import { icon } from './icons.ts';
import { t } from './translate.ts';

/** What a marked cell holds beside its value: the icon is seen, the words are heard. */
export function drawCellMark({ severity, message }: CellMark): TemplateResult {
  const words = severity === 'error' ? t('Error: {0}', message) : t('Warning: {0}', message);
  return html`<span class="mark">${icon(severity)}</span><span class="unseen">${words}</span>`;
}
