import { type TemplateResult, html, nothing } from 'lit';
import { entityTypeColours, entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';

/** The colours of entity types, where there are several. */
export function drawLegend(
  { elements }: Pick<GraphView, 'elements'>,
  isDrawing: boolean,
  onType: (type: string) => void,
): TemplateResult | typeof nothing {
  const types = entityTypesInOrder(elements.map(({ values }) => values));
  if (types.length < 2) return nothing;
  const colours = entityTypeColours(types);
  return html`<ul id="legend" aria-label=${t('Entity Types')} title=${types.join(', ')}>
    ${types.map(
      (type) =>
        html`<li data-type=${type}>
          ${button(
            html`<span class="swatch" .style=${`--type: ${colours.get(type) ?? ''}`} aria-hidden="true"></span>${type}`,
            () => onType(type),
            {
              appearance: 'bare',
              className: 'legend-type',
              title: isDrawing
                ? t('The rows of the element are also about {0}', type)
                : t('Select the cards of {0}', type),
            },
          )}
        </li>`,
    )}
  </ul>`;
}
