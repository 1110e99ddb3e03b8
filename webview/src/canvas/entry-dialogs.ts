import type { RelationshipValues } from '../../../protocol/canvas-intents.ts';
import type { CardValues } from '../dialogs/card-values.ts';
import type { DialogDraft } from '../dialogs/dialog-draft.ts';
import type { OpenDialog } from '../dialogs/edit-dialog.ts';
import { openElementDialog } from '../dialogs/element-dialog.ts';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import { openProcessContextDialog } from '../dialogs/process-context-dialog.ts';
import { openRelationshipDialog } from '../dialogs/relationship-dialog.ts';
import { t } from '../ui/translate.ts';
import { objectsOfSource, otherSourcesOf } from './canvas-state.ts';
import { idIn } from './view-key.ts';
import type { CanvasEdits, EditHands } from './canvas-edits.ts';

type Dialogs = Pick<CanvasEdits, 'configure' | 'catalogChanged' | 'follow'>;

/** The dialogs of entries, of which one is open at a time. */
export function createDialogs(hands: EditHands): Dialogs {
  const { state, elementOf, relationshipOf, fail } = hands;
  let open: { readonly key: string; readonly dialog: OpenDialog } | undefined;

  const configure: Dialogs['configure'] = (key, { showContext = false, draft } = {}) => {
    if (open || state().stale) return;
    const element = elementOf(idIn('element', key));
    const relationship = relationshipOf(idIn('relationship', key));
    const isContext = showContext || draft?.isContext === true;
    const callbacks = {
      ...dialogCallbacks(hands, () => {
        open = undefined;
      }),
      onDraft: (held: { readonly before: unknown; readonly values: unknown }): void =>
        hands.update({ ...state(), draft: { key, ...held, isContext } }),
    };
    // The key determines the type of the kept values.
    const heldBy = <T>() => (draft ? { draft: draft as unknown as DialogDraft<T> } : {});
    if (element) {
      const openDialog = isContext ? openProcessContextDialog : openElementDialog;
      open = { key, dialog: openDialog({ element, ...heldBy<CardValues>(), ...callbacks }) };
    }
    if (!relationship) return;
    const [source, target] = [elementOf(relationship.source), elementOf(relationship.target)];
    if (source && target) {
      const ofEnds = { relationship, source, target };
      open = { key, dialog: openRelationshipDialog({ ...ofEnds, ...heldBy<RelationshipValues>(), ...callbacks }) };
    } else
      fail(
        t('An end of this relationship names no element of the graph. Correct its source or target in the text first.'),
      );
  };

  return {
    configure,
    catalogChanged: () => open?.dialog.catalogChanged(),
    follow() {
      const { draft } = state();
      // The canvas was hidden while a dialog was open.
      if (draft && !open) configure(draft.key, { draft });
      if (open)
        open.dialog.follow(elementOf(idIn('element', open.key)) ?? relationshipOf(idIn('relationship', open.key)));
    },
  };
}

function dialogCallbacks({ state, update, ask, select, ...model }: EditHands, closed: () => void) {
  return {
    catalog: {
      ...model.catalog,
      dataSource: state().view?.dataSource,
      objectsOf: (dataSource: string | undefined) => objectsOfSource(state(), dataSource),
      others: () => otherSourcesOf(state()),
      readOther: model.readSource,
      stopOther: model.stopSource,
    },
    ask,
    share: () => state().previewShare,
    onShare: (previewShare: PreviewShare) => update({ ...state(), previewShare }),
    onConfirmed: (selected: string | undefined) => select(selected),
    onClosed: () => {
      closed();
      update({ ...state(), draft: undefined });
    },
  };
}
