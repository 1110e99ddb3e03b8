import { html } from 'lit';
import { shownText } from './shown-text.ts';

/** A value on one line: invisible characters have a symbol, and are still contained for selection and copying. */
export function drawShownText(text: string): unknown {
  const { parts, left } = shownText(text);
  const drawn = parts.map((part) =>
    part.kind === 'text'
      ? part.text
      : html`<span class=${`character ${part.isCode ? 'code' : ''}`} data-mark=${part.mark}>${part.text}</span>`,
  );
  return html`<span class="value"
    >${drawn}${left > 0 ? html`<span class="character" data-mark="…"></span>` : ''}</span
  >`;
}

export const shownTextStyles = `
.value { white-space: pre; }
/* A line end in the text does not end the line here. */
.value .character { font-size: 0; white-space: nowrap; }
.value .character::before { content: attr(data-mark); font-size: var(--vscode-font-size); color: var(--eg-muted); }
.value .character.code::before { padding: 0 2px; border: 1px solid var(--eg-line); border-radius: 3px; font-size: calc(var(--vscode-font-size) * 0.85); }
`;
