import { type TemplateResult, html } from 'lit';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { createModal } from '../ui/modal.ts';
import { t } from '../ui/translate.ts';
import { type CardValues, configureIntent } from './card-values.ts';
import { type DialogDraft, conflicts, rebased } from './dialog-draft.ts';
import { conflictNotice, dialogFooter, dialogHeader } from './dialog-header-footer.ts';
import { dialogKeys } from './dialog-keys.ts';
import { dialogSplit, usualShare } from './dialog-split.ts';
import type { OpenDialog } from './edit-dialog.ts';
import { contextIntent, elementPatch } from './element-draft.ts';
import { processContextFields } from './process-context.ts';
import type { Ask } from '../request-channel.ts';

interface ProcessContextDialogOptions {
  readonly element: CardView;
  readonly ask: Ask;
  /** Values entered before the canvas was hidden. */
  readonly draft?: DialogDraft<CardValues>;
  onDraft(draft: DialogDraft<CardValues>): void;
  onConfirmed(select: string | undefined): void;
  onClosed(): void;
}

/** Edits the annotation of an element, and nothing else. */
// eslint-disable-next-line max-lines-per-function -- The state of one dialog, shared by small functions.
export function openProcessContextDialog(options: ProcessContextDialogOptions): OpenDialog {
  const { ask, element, onConfirmed, onClosed } = options;
  let file: CardValues | undefined = element.values;
  let before: CardValues = options.draft?.before ?? file;
  let values: CardValues = options.draft?.values ?? before;
  let message: string | undefined;
  let confirming = false;
  const isConflicting = (): boolean =>
    file !== undefined && conflicts(elementPatch, before, values, file).includes('processContext');

  const modal = createModal({
    className: 'dialog context-dialog',
    labelledBy: 'context-dialog-title',
    draw,
    onCancel: close,
    onKey: dialogKeys({ confirm: () => void confirm(), testQuery: () => undefined }),
  });

  async function confirm(): Promise<void> {
    if (confirming || !file) return;
    if (isConflicting()) {
      // Confirmed again after the conflict was shown: the dialog's values win over those of the file.
      values = rebased(elementPatch, before, values, file);
      before = file;
    }
    confirming = true;
    const intent = configureIntent(element, contextIntent(before, values));
    const outcome = await ask('edit', { intent });
    confirming = false;
    if (!outcome.ok) {
      message = outcome.error.message;
      return modal.update();
    }
    close();
    onConfirmed(outcome.value.select);
  }

  function close(): void {
    modal.close();
    onClosed();
  }

  function draw(): TemplateResult {
    const name = cardName(element) ?? t('Unnamed Element');
    const form = html`${conflictNotice(isConflicting())}
      <p class="muted">
        ${
          element.isMasterData
            ? t('What people should know of these entities. It changes no query.')
            : t('What people should know of this activity. It changes no query.')
        }
      </p>
      ${processContextFields(
        values.processContext ?? {},
        (processContext) => {
          values = { ...values, processContext };
          message = undefined;
          options.onDraft({ before, values });
          modal.update();
        },
        { autofocus: true },
      )}`;
    return html`
      ${dialogHeader('context-dialog-title', t('Process Context of {0}', name), close)}
      ${dialogSplit({ form, share: usualShare })}
      <footer>
        ${dialogFooter({
          message,
          why: file ? undefined : t('The element is no longer in the file.'),
          cancel: close,
          confirm: () => void confirm(),
        })}
      </footer>
    `;
  }

  modal.open();
  return {
    follow(view) {
      file = (view as CardView | undefined)?.values;
      if (file && !isConflicting()) {
        values = rebased(elementPatch, before, values, file);
        before = file;
      }
      modal.update();
    },
    catalogChanged: () => undefined,
  };
}
