import { cardName } from '../../../protocol/card-name.ts';
import { confirmDialog } from '../dialogs/confirm-dialog.ts';
import { t } from '../ui/translate.ts';
import { correlationOf } from './correlation-links.ts';
import { focusKey } from './canvas-actions.ts';
import { removalCascade } from './removal-cascade.ts';
import type { Removal } from '../../../protocol/removal.ts';
import { keyOfObject } from '../../../protocol/removal.ts';
import { idIn, isGoneKey } from './view-key.ts';
import type { CanvasEdits, EditHands } from './canvas-edits.ts';

/** Edits that ask first when other entries go along. */
export function removingEdits({
  state,
  edit,
  elementOf,
  relationshipOf,
}: EditHands): Pick<CanvasEdits, 'selectObjects' | 'remove'> {
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
    async remove(chosen) {
      const keys = chosen.filter((key) => !isGoneKey(key));
      const correlations = keys
        .flatMap((key) => correlationOf(state().view, key) ?? [])
        .map(({ source, index }) => ({ element: source, index }));
      const elements = keys.flatMap((key) => idIn('element', key) ?? []);
      const relationships = keys.flatMap((key) => idIn('relationship', key) ?? []);
      if (elements.length + relationships.length + correlations.length === 0) return;
      const name = cardName(elementOf(elements[0])) ?? relationshipOf(relationships[0])?.name;
      const one = name === undefined ? t('Delete the element?') : t('Delete {0}?', name);
      const count = elements.length + relationships.length;
      const many =
        relationships.length === 0
          ? t('Delete {0} elements?', count)
          : elements.length === 0
            ? t('Delete {0} relationships?', count)
            : t('Delete {0} elements and relationships?', count);
      const title = count === 1 ? one : many;
      if (!(await agreed(title, t('Delete'), { elements, relationships }))) return;
      await edit(
        { kind: 'remove', elements, relationships, ...(correlations.length > 0 && { correlations }) },
        t('Deleted. Undo brings it back.'),
      );
      focusKey(undefined);
    },
  };
}
