import { type TemplateResult, html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { type CanvasActions, keyOf } from './canvas-state.ts';
import { drawCard } from './draw-card.ts';
import { drawLines } from './draw-lines.ts';
import { drawRelationship } from './draw-relationship.ts';
import type { Picture } from './picture.ts';

/** Lines below, cards and labels above: two lists for people who cannot see where they are. */
export function drawPicture(picture: Picture, selected: string | undefined, actions: CanvasActions): TemplateResult {
  const names = new Map(picture.cards.map(({ element, content }) => [element.id, content.title]));
  const nameOf = (id: string | undefined): string => (id === undefined ? undefined : names.get(id)) ?? 'no element';
  return html`
    ${drawLines(picture, selected)}
    <ul aria-label="Elements">
      ${repeat(
        picture.cards,
        ({ element }) => element.id,
        (card) => drawCard(card, keyOf.element(card.element.id) === selected, actions),
      )}
    </ul>
    <ul aria-label="Relationships">
      ${repeat(
        picture.relationships,
        ({ relationship }) => relationship.id,
        (placed) => {
          const { id, source, target } = placed.relationship;
          const ends = `from ${nameOf(source)} to ${nameOf(target)}`;
          return drawRelationship(placed, ends, keyOf.relationship(id) === selected, actions);
        },
      )}
    </ul>
  `;
}
