import { type TemplateResult, html, nothing } from 'lit';
import { entityTypeColours, entityTypesInOrder } from '../../../protocol/entity-type-colours.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { t } from '../ui/translate.ts';

/** The colours of entity types, where there are several. */
export function drawLegend({ elements }: Pick<GraphView, 'elements'>): TemplateResult | typeof nothing {
  const types = entityTypesInOrder(elements.map(({ values }) => values));
  if (types.length < 2) return nothing;
  const colours = entityTypeColours(types);
  return html`<ul id="legend" aria-label=${t('Entity Types')} title=${types.join(', ')}>
    ${types.map(
      (type) =>
        html`<li>
          <span class="swatch" .style=${`--type: ${colours.get(type) ?? ''}`} aria-hidden="true"></span>${type}
        </li>`,
    )}
  </ul>`;
}
