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
  /** Imports once although a guard is broken. */
  importAnyway(): void;
}

/** Shows in full why a graph was not or cannot be imported. */
export function showReason(row: EntityRow, { copy, goToText, importAnyway }: ReasonActions): void {
  const reason = failureReason(row);
  if (reason === undefined) return;
  const { problem } = row;
  const also =
    problem && lastFailure(row) !== undefined ? `${sentence(problem.message)} ${problem.remedy ?? ''}` : undefined;
  const isStoppedByGuard = row.failedWith === 'guard-broken';
  const isKept = row.status === 'Imported' && lastFailure(row) !== undefined;
  const modal = createModal({
    className: 'dialog',
    labelledBy: 'reason-title',
    onCancel: () => modal.close(),
    draw: () =>
      html`<header>
          <h2 id="reason-title">
            ${isKept ? t('The last import of {0} failed', row.name) : t('{0} was not imported', row.name)}
          </h2>
        </header>
        <div class="body">
          <p class="whole-reason" tabindex="0">${reason}</p>
          ${also === undefined ? nothing : html`<p class="whole-reason">${also}</p>`}
          ${isKept ? html`<p>${t('Nothing was published: the earlier graph is still in use.')}</p>` : nothing}
          <p class="muted">${row.path}</p>
        </div>
        <footer>
          ${
            isStoppedByGuard
              ? button(
                  t('Import Anyway'),
                  () => {
                    modal.close();
                    importAnyway();
                  },
                  { title: t('Publish once although a guard is broken; the run says so') },
                )
              : nothing
          }
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
