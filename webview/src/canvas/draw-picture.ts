import { type TemplateResult, html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { t } from '../ui/translate.ts';
import { entityTypeColours, entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, selectedKeys } from './canvas-state.ts';
import { drawCard } from './draw-card.ts';
import { drawLines } from './draw-lines.ts';
import { drawRelationship } from './draw-relationship.ts';
import type { Picture } from './picture.ts';
import { keyOf } from './view-key.ts';

/** Lines below, cards and labels above; two lists for screen readers. */
export function drawPicture(state: CanvasState, picture: Picture, hands: CanvasHandlers): TemplateResult {
  const selected = new Set(selectedKeys(state));
  const stop = tabStop(state, picture);
  const names = new Map(picture.cards.map(({ element, content }) => [element.id, content.title]));
  const nameOf = (id: string | undefined): string => (id === undefined ? undefined : names.get(id)) ?? t('no element');
  const elements = picture.cards.map(({ element }) => element);
  const inFile = (state.view?.elements ?? elements).map(({ values }) => values);
  const colours = entityTypeColours(entityTypesInOrder(inFile));
  return html`
    ${drawLines(picture, selected)}
    <ul aria-label=${t('Elements')}>
      ${repeat(
        picture.cards,
        ({ element }) => element.id,
        (card) => {
          const key = keyOf.element(card.element.id);
          const [isSelected, isStop] = [selected.has(key), stop === key];
          const { entityType, dataObject } = card.element.values;
          const colour = colours.get(entityType ?? dataObject ?? '');
          return guard([card, isSelected, isStop, colour], () =>
            drawCard(card, { selected: isSelected, tabStop: isStop, colour }, hands),
          );
        },
      )}
    </ul>
    <ul aria-label=${t('Relationships')}>
      ${repeat(
        picture.relationships,
        ({ relationship }) => relationship.id,
        (placed) => {
          const { id, source, target } = placed.relationship;
          const ends = t('from {0} to {1}', nameOf(source), nameOf(target));
          const key = keyOf.relationship(id);
          const [isSelected, isStop] = [selected.has(key), stop === key];
          return guard([placed, ends, isSelected, isStop], () =>
            drawRelationship(placed, ends, { selected: isSelected, tabStop: isStop }, hands),
          );
        },
      )}
    </ul>
  `;
}

/** One tab stop: the selected entry, else the first card. */
function tabStop({ selected }: CanvasState, { cards, relationships }: Picture): string | undefined {
  const known =
    cards.some(({ element }) => keyOf.element(element.id) === selected) ||
    relationships.some(({ relationship }) => keyOf.relationship(relationship.id) === selected);
  const [first] = cards;
  return known ? selected : first && keyOf.element(first.element.id);
}
