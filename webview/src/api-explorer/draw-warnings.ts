import { type TemplateResult, html, nothing } from 'lit';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';

/** Warnings about missing endpoints: a single one at once, several on demand. */
export function drawWarnings(warnings: readonly string[]): TemplateResult | typeof nothing {
  const [first, ...others] = warnings;
  if (first === undefined) return nothing;
  if (others.length === 0) return html`<p class="warnings" role="note">${icon('warning')} ${first}</p>`;
  return html`<details class="warnings">
    <summary>${icon('warning')} ${t('{0} warnings: some endpoints are not proposed', warnings.length)}</summary>
    <ul>
      ${warnings.map((warning) => html`<li>${warning}</li>`)}
    </ul>
  </details>`;
}
