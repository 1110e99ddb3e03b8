import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { cardTarget } from '../../../protocol/card-name.ts';
import type { ProblemAddress } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';
import { focusKey } from './canvas-actions.ts';
import { idIn } from './view-key.ts';
import type { CanvasEdits, EditHands, EditModel } from './canvas-edits.ts';
import { createGraphDialog } from './graph-dialog.ts';
import { addingEdits } from './adding-edits.ts';
import { createDialogs } from './entry-dialogs.ts';
import { pictureEdits } from './picture-edits.ts';
import { removingEdits } from './removing-edits.ts';

export function createEdits(model: EditModel): CanvasEdits {
  const { state, update } = model;
  /** Selected and opened once the drawing contains it. */
  let awaited: { readonly key: string; readonly dialog: boolean } | undefined;

  const elementOf: EditHands['elementOf'] = (id) => state().view?.elements.find((element) => element.id === id);
  const relationshipOf: EditHands['relationshipOf'] = (id) =>
    state().view?.relationships.find((relationship) => relationship.id === id);

  function select(key: string | undefined, dialog = false): void {
    if (key === undefined) return;
    update({ ...state(), selected: key, also: [] });
    const known = elementOf(idIn('element', key)) ?? relationshipOf(idIn('relationship', key));
    if (known) model.reveal(key);
    if (!known) awaited = { key, dialog };
    else if (dialog) dialogs.configure(key);
    else requestAnimationFrame(() => focusKey(key));
  }

  const openCorrelations: EditHands['openCorrelations'] = (element, rows, index) =>
    dialogs.openCorrelations(element, rows, index);
  const hands: EditHands = {
    ...model,
    elementOf,
    relationshipOf,
    ...createEditor(model),
    select,
    openCorrelations,
  };
  const dialogs = createDialogs(hands);
  const graphDialog = createGraphDialog(hands);
  return {
    ...addingEdits(hands),
    ...removingEdits(hands),
    ...problemEdits(hands),
    ...queryEdits(hands),
    ...importEdits(hands),
    ...pictureEdits(hands),
    comparison: (action, entry) => void model.ask('textComparison', { action, ...(entry && { entry }) }),
    readSource: model.readSource,
    stopSource: model.stopSource,
    catalog: model.catalog,
    catalogChanged: dialogs.catalogChanged,
    configure: dialogs.configure,
    configureGraph: graphDialog.open,
    follow() {
      dialogs.follow();
      graphDialog.follow();
      if (!awaited) return;
      const { key, dialog } = awaited;
      if (!elementOf(idIn('element', key)) && !relationshipOf(idIn('relationship', key))) return;
      awaited = undefined;
      select(key, dialog);
    },
  };
}

function createEditor({ state, update, ask }: EditModel): Pick<EditHands, 'edit' | 'fail'> {
  async function edit(intent: CanvasIntent, words: string): Promise<string | undefined> {
    const { stale } = state();
    if (stale) {
      fail(
        t(
          'The file cannot be read at the moment, so nothing can be changed here. Correct the error in the text first.',
        ),
      );
      return undefined;
    }
    const outcome = await ask('edit', { intent });
    if (!outcome.ok) {
      fail(outcome.error.message);
      return undefined;
    }
    update({ ...state(), failure: undefined, announcement: words });
    return outcome.value.select;
  }

  function fail(message: string): void {
    update({ ...state(), failure: { code: 'edit-refused', message }, announcement: message });
  }

  return { edit, fail };
}

function problemEdits({
  state,
  update,
  ask,
  fail,
  elementOf,
  relationshipOf,
}: EditHands): Pick<CanvasEdits, 'offerFixes' | 'fix'> {
  return {
    async offerFixes(key, at) {
      const element = elementOf(idIn('element', key));
      const entry = element ?? relationshipOf(idIn('relationship', key));
      const found = await Promise.all(
        (entry?.problems ?? []).map(async (problem) => {
          const address: ProblemAddress = {
            list: element ? 'elements' : 'relationships',
            entry: entry?.id ?? '',
            problem: problem.id,
          };
          const outcome = await ask('problemFixes', address);
          return { problem, address, fixes: outcome.ok ? outcome.value : [] };
        }),
      );
      update({ ...state(), menu: { at, key, fixes: found } });
    },
    fix(address, { id, title }) {
      void ask('fixProblem', { ...address, fix: id }).then((outcome) => {
        if (!outcome.ok) fail(outcome.error.message);
        else update({ ...state(), failure: undefined, announcement: t('Done: {0}', title) });
      });
    },
  };
}

function queryEdits({ ask, fail, elementOf, relationshipOf }: EditHands): Pick<CanvasEdits, 'testQuery' | 'showQuery'> {
  const queryTarget = (key: string) => {
    const element = elementOf(idIn('element', key));
    if (element) return cardTarget(element);
    const relationship = relationshipOf(idIn('relationship', key));
    return relationship && ({ kind: 'relationship', name: relationship.name } as const);
  };

  return {
    testQuery(key) {
      const target = queryTarget(key);
      if (target) void ask('openResults', { target });
      else fail(t('Give it a name first: queries are addressed by it.'));
    },
    showQuery(key) {
      const target = queryTarget(key);
      if (!target) return fail(t('Give it a name first: queries are addressed by it.'));
      void ask('showQuery', { target }).then((outcome) => {
        if (!outcome.ok && outcome.error.code !== 'cancelled') fail(outcome.error.message);
      });
    },
  };
}

function importEdits({
  ask,
  plan,
}: EditHands): Pick<CanvasEdits, 'startImport' | 'cancelImport' | 'openImportLink' | 'plan'> {
  return {
    startImport: (how = {}) => void ask('startImport', how),
    cancelImport: () => void ask('cancelImport', {}),
    openImportLink: (link) => void ask('openImportLink', { link }),
    plan,
  };
}
