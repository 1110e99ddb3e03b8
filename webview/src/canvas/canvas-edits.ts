import type { DataObjectName, RelationshipValues } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { cardName, cardTarget } from '../../../protocol/card-name.ts';
import type { CardView, ProblemAddress, ProblemFix, RelationshipView } from '../../../protocol/graph-view.ts';
import type { CardValues } from '../dialogs/card-values.ts';
import { confirmDialog } from '../dialogs/confirm-dialog.ts';
import type { DialogDraft } from '../dialogs/dialog-draft.ts';
import type { OpenDialog } from '../dialogs/edit-dialog.ts';
import { openElementDialog } from '../dialogs/element-dialog.ts';
import type { PreviewShare } from '../../../protocol/canvas-intents.ts';
import { openProcessContextDialog } from '../dialogs/process-context-dialog.ts';
import { openRelationshipDialog } from '../dialogs/relationship-dialog.ts';
import type { Ask } from '../request-channel.ts';
import { t } from '../ui/translate.ts';
import type { CatalogReader } from '../catalog/catalog-reader.ts';
import { type AlignEdge, alignBoxes } from './align.ts';
import { type CanvasActions, focusKey } from './canvas-actions.ts';
import { type CanvasState, type Draft, objectsOfSource, otherSourcesOf, selectedKeys } from './canvas-state.ts';
import { exportPng, exportSvg } from './export-image.ts';
import type { Point } from './geometry.ts';
import { removalCascade } from './removal-cascade.ts';
import type { ImportLink } from '../../../protocol/import-page.ts';
import type { CanvasParams } from '../../../protocol/requests/canvas-requests.ts';
import type { ImportReader } from './import-page.ts';
import type { Removal } from '../../../protocol/removal.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import { showSources } from './source-filter.ts';
import { idIn } from './view-key.ts';

/** Canvas actions that change the file or query the data source. */
interface CanvasEdits {
  addElement(object: DataObjectName, at?: Point): void;
  addMasterData(object: DataObjectName, at?: Point): void;
  /** Confirms first what will be removed with a data object. */
  selectObjects(objects: readonly DataObjectName[]): Promise<void>;
  /** Reads a data source of the sources file, which may ask for its secrets. */
  readSource(dataSource: string): void;
  stopSource(dataSource: string): void;
  readonly catalog: CatalogReader;
  configure(key: string, options?: { readonly showContext?: boolean; readonly draft?: Draft }): void;
  /** Offers the quick fixes of an entry's problems in a menu. */
  offerFixes(key: string, at: Point): Promise<void>;
  /** Applies a quick fix to the text. */
  fix(problem: ProblemAddress, fix: ProblemFix): void;
  duplicate(id: string): void;
  /** Confirms first which relationships will be removed. */
  remove(keys: readonly string[]): Promise<void>;
  relate(source: string, target: string): void;
  testQuery(key: string): void;
  showQuery(key: string): void;
  startImport(how?: CanvasParams<'startImport'>): void;
  cancelImport(): void;
  openImportLink(link: ImportLink): void;
  readonly plan: Pick<ImportReader, 'cancelPlan' | 'planAgain'>;
  /** Corners of elements during and after dragging. */
  move(corners: ReadonlyMap<string, Point>, isDragging?: boolean): void;
  arrange(): void;
  align(edge: AlignEdge): void;
  exportImage(kind: 'svg' | 'png'): void;
  /** Updates an open dialog with the new values of the file. */
  follow(): void;
  /** Updates an open dialog with the current catalog. */
  catalogChanged(): void;
}

interface EditModel {
  readonly plan: CanvasEdits['plan'];
  state(): CanvasState;
  update(next: CanvasState): void;
  readonly ask: Ask;
  readonly catalog: CatalogReader;
  readSource(dataSource: string): void;
  stopSource(dataSource: string): void;
  expectAt(point: Point | undefined): void;
  move(corners: ReadonlyMap<string, Point>, isDragging?: boolean): void;
  forgetPositions(): void;
  /** Scrolls the canvas as little as necessary to show a card or label. */
  reveal(key: string): void;
}

/** What the groups of edits share. */
interface Hands extends EditModel {
  elementOf(id: string | undefined): CardView | undefined;
  relationshipOf(id: string | undefined): RelationshipView | undefined;
  /** Edits the text; returns what to select, and nothing where the edit was refused. */
  edit(intent: CanvasIntent, words: string): Promise<string | undefined>;
  fail(message: string): void;
  select(key: string | undefined, dialog?: boolean): void;
}

export function createEdits(model: EditModel): CanvasEdits {
  const { state, update } = model;
  /** Selected and opened once the drawing contains it. */
  let awaited: { readonly key: string; readonly dialog: boolean } | undefined;

  const elementOf: Hands['elementOf'] = (id) => state().view?.elements.find((element) => element.id === id);
  const relationshipOf: Hands['relationshipOf'] = (id) =>
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

  const hands: Hands = { ...model, elementOf, relationshipOf, ...createEditor(model), select };
  const dialogs = createDialogs(hands);
  return {
    ...addingEdits(hands),
    ...removingEdits(hands),
    ...problemEdits(hands),
    ...queryEdits(hands),
    ...importEdits(hands),
    ...pictureEdits(hands),
    readSource: model.readSource,
    stopSource: model.stopSource,
    catalog: model.catalog,
    catalogChanged: dialogs.catalogChanged,
    configure: dialogs.configure,
    follow() {
      dialogs.follow();
      if (!awaited) return;
      const { key, dialog } = awaited;
      if (!elementOf(idIn('element', key)) && !relationshipOf(idIn('relationship', key))) return;
      awaited = undefined;
      select(key, dialog);
    },
  };
}

function createEditor({ state, update, ask }: EditModel): Pick<Hands, 'edit' | 'fail'> {
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

type Dialogs = Pick<CanvasEdits, 'configure' | 'catalogChanged' | 'follow'>;

/** The dialogs of entries, of which one is open at a time. */
function createDialogs(hands: Hands): Dialogs {
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

function dialogCallbacks({ state, update, ask, select, ...model }: Hands, closed: () => void) {
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

function addingEdits({
  state,
  update,
  edit,
  fail,
  select,
  elementOf,
  expectAt,
}: Hands): Pick<CanvasEdits, 'addElement' | 'addMasterData' | 'duplicate' | 'relate'> {
  function add(intent: CanvasIntent, at: Point | undefined, words: string): void {
    expectAt(at);
    void edit(intent, words).then((key) => {
      if (key === undefined) expectAt(undefined);
      select(key);
    });
  }

  /** A new card is in sight, also if a filter hides its data source. */
  function addedObject({ name, dataSource }: DataObjectName) {
    const { view, hiddenSources } = state();
    const source = dataSource ?? view?.dataSource;
    if (source !== undefined && hiddenSources.includes(source))
      update(
        showSources(
          state(),
          hiddenSources.filter((each) => each !== source),
        ),
      );
    return { dataObject: name, ...(source === undefined || !view?.dataSources ? {} : { dataSource: source }) };
  }

  return {
    addElement(object, at) {
      const words = t('Element for {0} added. Press Enter to configure it.', object.name);
      add({ kind: 'addElement', ...addedObject(object) }, at, words);
    },
    addMasterData(object, at) {
      const words = t('Master data for {0} added. Press Enter to configure it.', object.name);
      add({ kind: 'addMasterData', ...addedObject(object) }, at, words);
    },
    duplicate: (id) =>
      void edit({ kind: 'duplicateElement', element: id }, t('Element duplicated')).then((key) => select(key)),
    relate(source, target) {
      update({ ...state(), drawing: undefined });
      const ends = [source, target].map((id) => elementOf(id));
      if (ends.some((end) => cardName(end) === undefined)) {
        return fail(t('A relationship names its ends. Give both of them a name first.'));
      }
      void edit({ kind: 'addRelationship', source, target }, t('Draft relationship added')).then((key) =>
        select(key, true),
      );
    },
  };
}

/** Edits that ask first when other entries go along. */
function removingEdits({ state, edit, elementOf }: Hands): Pick<CanvasEdits, 'selectObjects' | 'remove'> {
  /** Asks when other entries go along; invalid edits are refused later with a message. */
  async function agreed(title: string, verb: string, removal: Removal): Promise<boolean> {
    const { view, stale } = state();
    if (!view || stale) return true;
    const { elements, relationships } = removalCascade(view, removal);
    if (elements.length + relationships.length === 0) return true;
    return confirmDialog({
      title,
      verb,
      intro: t('This is removed as well:'),
      items: [
        ...elements.map((card) => ({
          icon: card.isMasterData ? 'database' : 'symbol-event',
          text: cardName(card) ?? t('An unnamed element on {0}', card.dataObject ?? ''),
        })),
        ...relationships.map((relationship) => ({ icon: 'arrow-right', text: relationship.name })),
      ],
      outro: t('Undo brings all of it back.'),
    });
  }

  return {
    async selectObjects(dataObjects) {
      const { view } = state();
      const kept = new Set(dataObjects.map(keyOfObject));
      const removed = view?.dataObjects.filter((object) => !kept.has(keyOfObject(object))) ?? [];
      const title =
        removed.length === 1 ? t('Remove {0}?', removed[0]?.name ?? '') : t('Remove {0} data objects?', removed.length);
      if (!(await agreed(title, t('Remove'), { dataObjects: removed }))) return;
      await edit({ kind: 'selectDataObjects', dataObjects }, t('{0} data objects selected', dataObjects.length));
    },
    async remove(keys) {
      const elements = keys.flatMap((key) => idIn('element', key) ?? []);
      const relationships = keys.flatMap((key) => idIn('relationship', key) ?? []);
      if (elements.length + relationships.length === 0) return;
      const name = cardName(elementOf(elements[0]));
      const one = name === undefined ? t('Delete the element?') : t('Delete {0}?', name);
      const title = elements.length === 1 ? one : t('Delete {0} elements?', elements.length);
      if (!(await agreed(title, t('Delete'), { elements, relationships }))) return;
      await edit({ kind: 'remove', elements, relationships }, t('Deleted. Undo brings it back.'));
      focusKey(undefined);
    },
  };
}

function problemEdits({
  state,
  update,
  ask,
  fail,
  elementOf,
  relationshipOf,
}: Hands): Pick<CanvasEdits, 'offerFixes' | 'fix'> {
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

function queryEdits({ ask, fail, elementOf, relationshipOf }: Hands): Pick<CanvasEdits, 'testQuery' | 'showQuery'> {
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
}: Hands): Pick<CanvasEdits, 'startImport' | 'cancelImport' | 'openImportLink' | 'plan'> {
  return {
    startImport: (how = {}) => void ask('startImport', how),
    cancelImport: () => void ask('cancelImport', {}),
    openImportLink: (link) => void ask('openImportLink', { link }),
    plan,
  };
}

function pictureEdits({
  state,
  ask,
  fail,
  move,
  forgetPositions,
}: Hands): Pick<CanvasEdits, 'move' | 'arrange' | 'align' | 'exportImage'> {
  return {
    move,
    arrange: forgetPositions,
    align(edge) {
      const ids = selectedKeys(state()).flatMap((key) => idIn('element', key) ?? []);
      const boxes = new Map(
        (state().picture?.cards ?? [])
          .filter(({ element }) => ids.includes(element.id))
          .map(({ element, box }) => [element.id, box]),
      );
      if (boxes.size > 1) move(alignBoxes(boxes, edge));
    },
    exportImage(kind) {
      const { picture, view } = state();
      if (!picture || !view) return;
      const name = view.name || t('entity graph');
      const work = kind === 'svg' ? Promise.resolve(exportSvg(picture, name)) : exportPng(picture, name);
      work.then(
        async (base64) => {
          const outcome = await ask('saveImage', { name, kind, base64 });
          if (!outcome.ok) fail(outcome.error.message);
        },
        (error: unknown) =>
          fail(t('The image could not be made: {0}.', error instanceof Error ? error.message : String(error))),
      );
    },
  };
}

/** All actions available to the drawing functions. */
export interface CanvasHandlers {
  readonly edits: CanvasEdits;
  readonly actions: CanvasActions;
}
