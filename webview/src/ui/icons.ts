import { type TemplateResult, html } from 'lit';

/** A decorative codicon: adjacent text or the label of its button has the same meaning. */
export function icon(name: string): TemplateResult {
  return html`<span class="codicon codicon-${name}" aria-hidden="true"></span>`;
}

/** The exclamation mark of unconfigured entries, drawn so that it does not depend on a font. */
export function exclamationMark(): TemplateResult {
  return html`<svg class="exclamation" viewBox="0 0 16 16" width="16" height="16" aria-hidden="true">
    <circle cx="8" cy="8" r="7.5" />
    <path d="M7 3.5h2l-.3 5.8H7.3zM7.1 10.6h1.8v1.8H7.1z" />
  </svg>`;
}
