import { html } from 'lit';
import { cardName } from '../../../protocol/card-name.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';
import { type CardValues, configureIntent } from './card-values.ts';
import { conflictNotice } from './dialog-header-footer.ts';
import {
  type DialogKind,
  type EditDialog,
  type EditDialogHost,
  type OpenDialog,
  createEditDialog,
} from './edit-dialog.ts';
import { contextIntent, elementPatch } from './element-draft.ts';
import { processContextFields } from './process-context.ts';

/** Edits the annotation of an element, and nothing else. */
export const processContextDialog: DialogKind = {
  open: ({ element, isContext, host }) => (element && isContext ? openDialog(element, host()) : undefined),
};

function openDialog(element: CardView, host: EditDialogHost<CardValues>): OpenDialog {
  const dialog: EditDialog<CardValues> = createEditDialog(host, {
    name: 'context',
    title: t('Process Context of {0}', cardName(element) ?? t('Unnamed Element')),
    file: element.values,
    patchOf: elementPatch,
    intent: () => configureIntent(element, contextIntent(dialog.before, dialog.values)),
    isUnchecked: true,
    missing: () => undefined,
    gone: t('The element is no longer in the file.'),
    load: () => Promise.resolve(),
    catalogChanged: () => undefined,
    draw: () =>
      html`${conflictNotice(dialog.conflicting.length > 0)}
        <p class="muted">
          ${
            element.isMasterData
              ? t('What people should know of these entities. It changes no query.')
              : t('What people should know of this activity. It changes no query.')
          }
        </p>
        ${processContextFields(dialog.values.processContext ?? {}, (processContext) => dialog.set({ processContext }), {
          autofocus: true,
        })}`,
  });
  dialog.open();
  return dialog;
}
