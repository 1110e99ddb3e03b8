import { type TemplateResult, html } from 'lit';
import type { LineChange } from '../../../protocol/line-changes.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';

/** Shown lines; longer comparisons are cut. */
const maxLines = 2_000;

/** Shows the lines that *Reset* discards and restores, and asks for confirmation. */
export function resetDialog(name: string, changes: readonly LineChange[]): Promise<boolean> {
  const count = (kind: LineChange['kind']): number => changes.filter((change) => change.kind === kind).length;
  const more = changes.length - maxLines;
  return new Promise((resolve) => {
    const answer = (value: boolean) => (): void => {
      modal.close();
      resolve(value);
    };
    const modal = createModal({
      className: 'dialog',
      labelledBy: 'reset-title',
      onCancel: answer(false),
      draw: () =>
        html`<header><h2 id="reset-title">${t('Reset {0} to its last import?', name)}</h2></header>
          <div class="body">
            <p>
              <span class="lost">${icon('diff-removed')} ${t('Lines that will be lost: {0}', count('lost'))}</span>
              <span class="restored">${icon('diff-added')} ${t('Lines that come back: {0}', count('restored'))}</span>
            </p>
            <div class="changes" role="group" tabindex="0" aria-label=${t('Changes')}>
              ${changes.slice(0, maxLines).map(drawLine)}
            </div>
            ${more > 0 ? html`<p class="muted">${t('{0} more lines are not shown.', more)}</p>` : ''}
          </div>
          <footer>
            <span class="space"></span>
            ${button(t('Cancel'), answer(false), { autofocus: true })}
            ${button(t('Reset'), answer(true), { appearance: 'primary' })}
          </footer>`,
    });
    modal.open();
  });
}

const signs: Readonly<Record<LineChange['kind'], string>> = { same: ' ', lost: '−', restored: '+', gap: '⋯' };

function drawLine({ kind, text }: LineChange): TemplateResult {
  return html`<div class=${`line ${kind}`}><i aria-hidden="true">${signs[kind]}</i><span>${text}</span></div>`;
}
