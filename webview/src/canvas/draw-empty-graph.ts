import { type TemplateResult, html } from 'lit';
import { exclamationMark, icon } from '../ui/icons.ts';
import type { CanvasActions, CanvasState, Stale } from './canvas-state.ts';

const example = `elements:
  - activityName: Open Incident
    dataObject: incident
    startTimestamp: opened_at`;

const start = { line: 0, character: 0 };

/** What to do first when the file has no element yet, or none that can be read. */
export function drawEmptyGraph({ stale }: CanvasState, actions: CanvasActions): TemplateResult {
  if (stale) return drawUnreadable(stale, actions);
  return html`<section class="instead" id="empty" aria-label="Empty canvas">
    <h2>No elements yet</h2>
    <p>
      An element says what happens to the records of a data object, and when. Write the first one into the file; the
      picture follows as you type.
    </p>
    <pre tabindex="0" aria-label="Example of an element">${example}</pre>
    <div class="buttons">
      <button class="button" @click=${() => actions.goToText({ start, end: start })}>
        ${icon('go-to-file')} Go to Text
      </button>
    </div>
  </section>`;
}

function drawUnreadable({ message, range }: Stale, actions: CanvasActions): TemplateResult {
  return html`<section class="instead" id="unreadable" role="alert">
    <h2>${exclamationMark()} The file cannot be read</h2>
    <p>${message}</p>
    <div class="buttons">
      <button class="button" @click=${() => actions.goToText(range)}>${icon('go-to-file')} Go to Error</button>
    </div>
  </section>`;
}
