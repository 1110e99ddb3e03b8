import { html, nothing } from 'lit';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { failureReason, lastFailure } from './entities-state.ts';

interface ReasonActions {
  copy(text: string): void;
  goToText(): void;
}

/** Shows in full why a graph was not or cannot be imported. */
export function showReason(row: EntityRow, { copy, goToText }: ReasonActions): void {
  const reason = failureReason(row);
  if (reason === undefined) return;
  const { problem } = row;
  const also =
    problem && lastFailure(row) !== undefined ? `${sentence(problem.message)} ${problem.remedy ?? ''}` : undefined;
  const modal = createModal({
    className: 'dialog',
    labelledBy: 'reason-title',
    onCancel: () => modal.close(),
    draw: () =>
      html`<header><h2 id="reason-title">${t('{0} was not imported', row.name)}</h2></header>
        <div class="body">
          <p class="whole-reason" tabindex="0">${reason}</p>
          ${also === undefined ? nothing : html`<p class="whole-reason">${also}</p>`}
          <p class="muted">${row.path}</p>
        </div>
        <footer>
          <span class="space"></span>
          ${button(t('Copy'), () => copy([reason, also].filter(Boolean).join('\n')))}
          ${button(t('Go to Text'), () => {
            modal.close();
            goToText();
          })}
          ${button(t('Close'), () => modal.close(), { appearance: 'primary', autofocus: true })}
        </footer>`,
  });
  modal.open();
}
