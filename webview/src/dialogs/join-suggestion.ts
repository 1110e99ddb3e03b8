import { type TemplateResult, html, nothing } from 'lit';
import type {
  CrossMappingValues,
  CrossTableValues,
  JoinSuggestion,
  MappingValues,
  RelationshipValues,
} from '../../../protocol/canvas-intents.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';

/** Maximum number of suggested joins in a dialog. */
const maxSuggestions = 4;

/** The suggested joins that the relationship does not have yet. */
export function drawSuggestions(
  suggestions: readonly JoinSuggestion[],
  values: RelationshipValues,
  use: (suggestion: JoinSuggestion) => void,
): TemplateResult | typeof nothing {
  const shown = suggestions.filter((suggestion) => !isUsed(suggestion, values)).slice(0, maxSuggestions);
  if (shown.length === 0) return nothing;
  return html`<div class="suggestions" role="group" aria-label=${t('Suggested joins')}>
    ${shown.map((suggestion) =>
      button(
        html`${icon('lightbulb')} ${suggestionText(suggestion)} <span class="muted">${suggestion.reason}</span>`,
        () => use(suggestion),
        { appearance: 'chip', title: t('Use this join') },
      ),
    )}
  </div>`;
}

/** A suggested join on one line, such as `customer_id = id`; that of a cross table is its reason. */
function suggestionText({ mappings, crossTable, reason }: JoinSuggestion): string {
  return crossTable
    ? reason
    : mappings
        .map((mapping) => ('source' in mapping ? `${mapping.source} = ${mapping.target}` : ''))
        .reduce((before, last) => (before === '' ? last : t('{0} and {1}', before, last)), '');
}

/** Whether the relationship has the suggested join already. */
function isUsed({ mappings, crossTable }: JoinSuggestion, values: RelationshipValues): boolean {
  if (crossTable) return values.crossTable !== undefined && crossText(crossTable) === crossText(values.crossTable);
  const used = new Set(values.mappings.map(mappingText));
  return mappings.every((mapping) => used.has(mappingText(mapping)));
}

/** Equal for mappings that join alike, however they are written. */
function mappingText(mapping: MappingValues): string {
  if ('expression' in mapping) return JSON.stringify(mapping.expression.trim());
  return JSON.stringify([mapping.source, mapping.operator ?? '=', mapping.target]);
}

function crossText({ dataObject, sourceMappings, targetMappings }: CrossTableValues): string {
  const text = ({ column, operator = '=', cross }: CrossMappingValues): string =>
    JSON.stringify([column, operator, cross]);
  return JSON.stringify([dataObject, sourceMappings.map(text).toSorted(), targetMappings.map(text).toSorted()]);
}
