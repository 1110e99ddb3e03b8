import type { DataObjectName } from '../../../protocol/canvas-intents.ts';
import type { CanvasIntent } from '../../../protocol/shapes/canvas-shapes.ts';
import { cardName } from '../../../protocol/card-name.ts';
import { t } from '../ui/translate.ts';
import type { Point } from './geometry.ts';
import { entityTypeOf } from './correlation-links.ts';
import { showSources } from './source-filter.ts';
import type { CanvasEdits, EditHands } from './canvas-edits.ts';

/** Edits that add entries. */
export function addingEdits({
  state,
  update,
  edit,
  fail,
  select,
  elementOf,
  expectAt,
  openCorrelations,
}: EditHands): Pick<CanvasEdits, 'addElement' | 'addMasterData' | 'duplicate' | 'relate' | 'correlate'> {
  function add(intent: CanvasIntent, at: Point | undefined, words: string): void {
    expectAt(at);
    void edit(intent, words).then((key) => {
      if (key === undefined) expectAt(undefined);
      select(key);
    });
  }

  function correlate(source: string, entityType: string): void {
    update({ ...state(), drawing: undefined });
    const element = elementOf(source);
    if (!element) return;
    if (element.isMasterData)
      return fail(t('Only rows of elements are also about other entities. Draw from an element.'));
    openCorrelations(element, [...(element.values.correlatesWith ?? []), { entityType, key: [] }]);
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
    correlate,
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
      const [from, to] = ends;
      const type = to && entityTypeOf(to);
      // Events without an entity of their own have no relationships.
      if (from && !from.isMasterData && from.values.ownEntity === false && type !== undefined)
        return correlate(source, type);
      if (ends.some((end) => cardName(end) === undefined)) {
        return fail(t('A relationship names its ends. Give both of them a name first.'));
      }
      void edit({ kind: 'addRelationship', source, target }, t('Draft relationship added')).then((key) =>
        select(key, true),
      );
    },
  };
}
