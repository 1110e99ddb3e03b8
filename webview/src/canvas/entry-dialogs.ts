import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import type { CardView } from '../../../protocol/graph-view.ts';
import type { DialogDraft } from '../dialogs/dialog-draft.ts';
import { noSections } from '../dialogs/element-form.ts';
import { openDialog } from '../dialogs/dialog-kinds.ts';
import type { EditDialogHost, OpenDialog } from '../dialogs/edit-dialog.ts';
import { t } from '../ui/translate.ts';
import { objectsOfSource, otherSourcesOf } from './canvas-state.ts';
import { correlationOf } from './correlation-links.ts';
import { centreOf } from './geometry.ts';
import { boxOf } from './picture.ts';
import { idIn, keyOf } from './view-key.ts';
import type { CanvasEdits, EditHands } from './canvas-edits.ts';

type Dialogs = Pick<CanvasEdits, 'configure' | 'catalogChanged' | 'follow'> & Pick<EditHands, 'openCorrelations'>;

/** The dialogs of entries, of which one is open at a time. */
export function createDialogs(hands: EditHands): Dialogs {
  const { state, elementOf, relationshipOf } = hands;
  let open: { readonly key: string; readonly dialog: OpenDialog } | undefined;

  const configure: Dialogs['configure'] = (key, { showContext = false, draft } = {}) => {
    if (open || state().stale) return;
    const row = correlationOf(state().view, key);
    const owner = row && elementOf(row.source);
    if (owner && !owner.isMasterData) return openCorrelations(owner, owner.values.correlatesWith ?? [], row.index);
    const isContext = showContext || draft?.isContext === true;
    const dialog = openDialog({
      element: elementOf(idIn('element', key)),
      relationship: relationshipOf(idIn('relationship', key)),
      isContext,
      elementOf,
      cards: () => state().view?.elements ?? [],
      host: <T>(): EditDialogHost<T> => ({
        ...dialogHost(hands, () => {
          open = undefined;
        }),
        ...(draft && { draft: draft as unknown as DialogDraft<T> }),
        onDraft: (held) => hands.update({ ...state(), draft: { key, ...held, isContext } }),
      }),
    });
    if (dialog) open = { key, dialog };
  };

  const openCorrelations: Dialogs['openCorrelations'] = (element, rows, index = rows.length - 1) => {
    const { values: before, id } = element;
    const view = { ...noSections, areCorrelationsOpen: true };
    const key = keyOf.element(id);
    configure(key, { draft: { key, before, values: { ...before, correlatesWith: rows }, view } });
    requestAnimationFrame(() => {
      const field = document.querySelector<HTMLElement>(`#correlation-key-${index}`);
      field?.scrollIntoView({ block: 'center' });
      field?.focus();
    });
  };

  return {
    configure,
    openCorrelations,
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

function dialogHost({ state, update, ask, select, edit, expectAt, ...model }: EditHands, closed: () => void) {
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
    becomeMasterData({ id, dataSource, values: { dataObject = '' } }: CardView) {
      const box = boxOf(state().picture, keyOf.element(id));
      expectAt(box && centreOf(box));
      const intent = { kind: 'addMasterData', dataObject, dataSource, inPlaceOf: id } as const;
      void edit(intent, t('Master data for {0} added.', dataObject)).then((key) => {
        if (key === undefined) expectAt(undefined);
        select(key, true);
      });
    },
    onClosed: () => {
      closed();
      update({ ...state(), draft: undefined });
    },
  };
}
