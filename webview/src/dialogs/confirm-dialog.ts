import { html } from 'lit';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';

interface Confirmation {
  readonly title: string;
  /** Text above the list. */
  readonly intro: string;
  readonly items: readonly { readonly icon: string; readonly text: string }[];
  readonly outro: string;
  /** Label of the button. */
  readonly verb: string;
}

/** Confirmation of an action that affects other entries; Enter confirms, Escape cancels. */
export function confirmDialog({ title, intro, items, outro, verb }: Confirmation): Promise<boolean> {
  return new Promise((resolve) => {
    const answer = (value: boolean) => (): void => {
      modal.close();
      resolve(value);
    };
    const modal = createModal({
      className: 'dialog confirm-dialog',
      labelledBy: 'confirm-dialog-title',
      onCancel: answer(false),
      draw: () =>
        html`<header><h2 id="confirm-dialog-title">${title}</h2></header>
          <div class="body">
            <p>${intro}</p>
            <ul class="taken">
              ${items.map((item) => html`<li>${icon(item.icon)} <span>${item.text}</span></li>`)}
            </ul>
            <p class="muted">${outro}</p>
          </div>
          <footer>
            <span class="space"></span>
            ${button(t('Cancel'), answer(false))}
            ${button(verb, answer(true), { appearance: 'primary', autofocus: true })}
          </footer>`,
    });
    modal.open();
  });
}
