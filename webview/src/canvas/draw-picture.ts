import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { entityTypeColours, entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, selectedKeys } from './canvas-state.ts';
import { shownTypeOf } from './correlation-links.ts';
import { drawCard, revealByKeyboard, selectBy, styleOf } from './draw-card.ts';
import { drawLines } from './draw-lines.ts';
import { drawRelationship } from './draw-relationship.ts';
import type { NameBoxes } from './name-boxes.ts';
import type { Picture } from './picture.ts';
import { keyOf } from './view-key.ts';

/** Lines below, cards and labels above; two lists for screen readers. */
export function drawPicture(
  state: CanvasState,
  picture: Picture,
  hands: CanvasHandlers,
  boxes: NameBoxes | undefined,
): TemplateResult {
  const selected = new Set(selectedKeys(state));
  const { names, colours, keys, firstKey } = factsOf(picture, state.view);
  const stop = state.selected !== undefined && keys.has(state.selected) ? state.selected : firstKey;
  return html`
    ${drawLines(picture, selected, hands)}
    <ul aria-label=${t('Elements')}>
      ${repeat(
        picture.cards,
        ({ element }) => element.id,
        (card) => {
          const key = keyOf.element(card.element.id);
          const [isSelected, isStop] = [selected.has(key), stop === key];
          const colour = colours.get(shownTypeOf(card.element) ?? '');
          const [larger, nameless] = [boxes?.larger.get(key), boxes?.nameless.has(key)];
          return guard([card, isSelected, isStop, colour, larger, nameless], () =>
            drawCard(card, { selected: isSelected, tabStop: isStop, colour, larger, nameless }, hands),
          );
        },
      )}
    </ul>
    ${drawTypes(picture, colours, boxes)} ${drawCorrelations(picture, { names, selected, stop }, hands)}
    <ul aria-label=${t('Relationships')}>
      ${repeat(
        picture.relationships,
        ({ relationship }) => relationship.id,
        (placed) => {
          const { id, source, target } = placed.relationship;
          const [from, to] = [names.get(source ?? ''), names.get(target ?? '')];
          const key = keyOf.relationship(id);
          const [isSelected, isStop] = [selected.has(key), stop === key];
          const [larger, nameless] = [boxes?.larger.get(key), boxes?.nameless.has(key) ?? true];
          return guard([placed, from, to, isSelected, isStop, larger, nameless], () => {
            const ends = t('from {0} to {1}', from ?? t('no element'), to ?? t('no element'));
            return drawRelationship(placed, ends, { selected: isSelected, tabStop: isStop, larger, nameless }, hands);
          });
        },
      )}
    </ul>
  `;
}

/** Handles of the lines to entity types: by them, lines are chosen by keyboard. */
function drawCorrelations(
  { correlations }: Picture,
  {
    names,
    selected,
    stop,
  }: {
    readonly names: PictureFacts['names'];
    readonly selected: ReadonlySet<string>;
    readonly stop: string | undefined;
  },
  hands: CanvasHandlers,
): TemplateResult | typeof nothing {
  if (correlations.length === 0) return nothing;
  return html`<ul aria-label=${t('Entities of Each Row')}>
    ${repeat(
      correlations,
      ({ link }) => link.id,
      ({ link, handle }) => {
        const key = keyOf.correlation(link.id);
        const text = t('{0} is also about {1}', names.get(link.source) ?? link.source, link.entityType);
        return html`<li>
          <div
            class=${`correlation-handle ${selected.has(key) ? 'selected' : ''}`}
            data-key=${key}
            .style=${styleOf(handle)}
            role="button"
            tabindex=${stop === key ? '0' : '-1'}
            aria-current=${selected.has(key) ? 'true' : nothing}
            aria-label=${link.qualifier === undefined ? text : `${text}: ${link.qualifier}`}
            title=${link.qualifier === undefined ? text : `${text}\n${link.qualifier}`}
            @click=${selectBy(key, hands)}
            @dblclick=${() => hands.edits.configure(key)}
            @focus=${revealByKeyboard(key, hands)}
          ></div>
        </li>`;
      },
    )}
  </ul>`;
}

/** Entity types that have no card: where the lines of their correlations end. */
function drawTypes(
  { types }: Picture,
  colours: ReadonlyMap<string, string>,
  boxes: NameBoxes | undefined,
): TemplateResult | typeof nothing {
  if (types.length === 0) return nothing;
  return html`<ul aria-label=${t('Entity types without a card')}>
    ${repeat(
      types,
      ({ entityType }) => entityType,
      ({ entityType, box }) =>
        html`<li
          class=${`entity-type ${boxes?.nameless.has(keyOf.entityType(entityType)) ? 'nameless' : ''}`}
          data-type=${entityType}
          .style=${`${styleOf(boxes?.larger.get(keyOf.entityType(entityType)) ?? box)}; --type: ${colours.get(entityType) ?? ''}`}
          title=${t('Entity type {0}, which only rows of elements name', entityType)}
        >
          <span class="title">${icon('symbol-class')}<span class="clip">${entityType}</span></span>
        </li>`,
    )}
  </ul>`;
}

/** Facts that do not depend on the selection. */
interface PictureFacts {
  /** Titles of cards by id. */
  readonly names: ReadonlyMap<string, string>;
  /** By entity type. */
  readonly colours: ReadonlyMap<string, string>;
  /** Of all cards, relationships and correlations. */
  readonly keys: ReadonlySet<string>;
  /** The tab stop without a selection: the first card. */
  readonly firstKey: string | undefined;
}

/** A click draws the same picture again. */
const known = new WeakMap<Picture, { readonly view: GraphView | undefined; readonly facts: PictureFacts }>();

function factsOf(picture: Picture, view: GraphView | undefined): PictureFacts {
  const before = known.get(picture);
  if (before && before.view === view) return before.facts;
  const { cards, relationships, correlations } = picture;
  const inFile = (view?.elements ?? cards.map(({ element }) => element)).map(({ values }) => values);
  const cardKeys = cards.map(({ element }) => keyOf.element(element.id));
  const facts = {
    names: new Map(cards.map(({ element, content }) => [element.id, content.title])),
    colours: entityTypeColours(entityTypesInOrder(inFile)),
    keys: new Set([
      ...cardKeys,
      ...relationships.map(({ relationship }) => keyOf.relationship(relationship.id)),
      ...correlations.map(({ link }) => keyOf.correlation(link.id)),
    ]),
    firstKey: cardKeys[0],
  };
  known.set(picture, { view, facts });
  return facts;
}
