import { type TemplateResult, html } from 'lit';
import { exclamationMark, icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasActions } from './canvas-actions.ts';
import type { Stale } from './canvas-state.ts';

/** Placeholder until a valid version of the file exists. */
export function drawUnreadable({ message, range }: Stale, actions: CanvasActions): TemplateResult {
  return html`<section class="instead" id="unreadable" role="alert">
    <h2>${exclamationMark()} ${t('The file cannot be read')}</h2>
    <p>${message}</p>
    <div class="buttons">
      <button class="button" @click=${() => actions.goToText(range)}>${icon('go-to-file')} ${t('Go to Error')}</button>
    </div>
  </section>`;
}
