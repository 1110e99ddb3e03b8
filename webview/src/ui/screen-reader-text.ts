import { type TemplateResult, html } from 'lit';

/** Text for screen readers. */
export function screenReaderText(words: string): TemplateResult {
  return html`<span class="unseen">${words}</span>`;
}
