import type { JoinSuggestion, RelationshipValues } from '../../../protocol/canvas-intents.ts';
import { t } from '../ui/translate.ts';

/** A suggested join on one line, such as `customer_id = id`; that of a cross table is its reason. */
export function suggestionText({ mappings, crossTable, reason }: JoinSuggestion): string {
  return crossTable
    ? reason
    : mappings
        .map((mapping) => ('source' in mapping ? `${mapping.source} = ${mapping.target}` : ''))
        .reduce((before, last) => (before === '' ? last : t('{0} and {1}', before, last)), '');
}

/** Whether the relationship has the suggested join already. */
export function isUsed({ mappings, crossTable }: JoinSuggestion, values: RelationshipValues): boolean {
  if (crossTable) return JSON.stringify(crossTable) === JSON.stringify(values.crossTable);
  return mappings.every((mapping) => values.mappings.some((each) => JSON.stringify(each) === JSON.stringify(mapping)));
}
