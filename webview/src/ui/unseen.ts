import { type TemplateResult, html } from 'lit';

/** Words for those who cannot see what an icon or a place says. */
export function unseen(words: string): TemplateResult {
  return html`<span class="unseen">${words}</span>`;
}
