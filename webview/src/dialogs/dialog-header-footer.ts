import { type TemplateResult, html, nothing } from 'lit';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';

/** Header of a dialog; `id` labels the dialog. */
export function dialogHeader(id: string, title: string, close: () => void): TemplateResult {
  return html`<header>
    <h2 id=${id}>${title}</h2>
    ${button(icon('close'), close, { appearance: 'icon', title: t('Cancel (Escape)'), label: t('Cancel') })}
  </header>`;
}

/** Conflict of the file with the dialog. */
export function conflictNotice(isConflicting: boolean): TemplateResult | typeof nothing {
  if (!isConflicting) return nothing;
  return html`<p class="notice" role="alert">
    ${icon('warning')}
    ${t('The file changed while this dialog was open. Your input is kept; check the highlighted fields and confirm again.')}
  </p>`;
}

interface Decision {
  /** The last failure, above everything else. */
  readonly message: string | undefined;
  /** Why it cannot be confirmed; undefined when it can. */
  readonly why: string | undefined;
  cancel(): void;
  confirm(): void;
}

/** Footer of a dialog: reason of a disabled Confirm, Cancel and Confirm. */
export function dialogFooter({ message, why, cancel, confirm }: Decision): TemplateResult {
  return html`<span class="space"></span>
    <p class="why" role="status" id="why">${message ?? why ?? ''}</p>
    ${button(t('Cancel'), cancel)}
    ${button(t('Confirm'), confirm, {
      appearance: 'primary',
      disabled: why !== undefined,
      title: why ?? t('Write it into the file (Enter)'),
      id: 'confirm',
    })}`;
}
