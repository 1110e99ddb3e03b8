import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';
import type { JsonObject } from '../../model/edits/json-value.ts';
import { writeFlow } from '../../model/edits/write-value.ts';
import type { CompletionProposal } from './completion-proposal.ts';
import type { CursorPlace } from '../cursor/cursor-place.ts';
import { line } from '../markdown.ts';
import { suggestJoinsOf } from './suggest-joins.ts';
import { endNamed } from '../../model/relationship-ends.ts';
import { trailingComma, isJson, jsonGroup } from '../json-text.ts';

/** Complete mappings derived from foreign keys, at the start of an entry of `mappings`. */
export function completeJoins(
  { graph, catalog }: { readonly graph: EntityGraph; readonly catalog?: GraphCatalog | undefined },
  place: CursorPlace & { readonly indexes: readonly number[] },
  text: string,
): readonly CompletionProposal[] {
  const inEntry = place.path.at(-1) === '[]';
  const path = (inEntry ? place.path.slice(0, -1) : place.path).join('.');
  const json = isJson(text);
  if (
    !catalog ||
    path !== 'relationships.[].mappings' ||
    (json ? !inEntry || place.style !== 'plain' : place.inFlow || !place.startsLine)
  )
    return [];
  const relationship = graph.relationships[place.indexes[0] ?? -1];
  const endOf = (activity: string | undefined) => (activity === undefined ? undefined : endNamed(graph, activity));
  const ends = [endOf(relationship?.source?.value), endOf(relationship?.target?.value)] as const;
  const dash = inEntry ? '' : '- ';
  const indent = ' '.repeat(place.extraIndent + place.lead.trimStart().length);
  return suggestJoinsOf(catalog, ...ends)
    .filter(({ mappings, crossTable }) => mappings.length > 0 && !crossTable)
    .map(({ mappings, reason }, index) => {
      const [first = '', ...rest] = mappings.map((mapping) =>
        json ? jsonGroup(mapping) : writeFlow(mapping as JsonObject, false),
      );
      const label = mappings
        .map((mapping) => ('source' in mapping ? `${mapping.source} = ${mapping.target}` : ''))
        .join(', ');
      const inBlock = `${dash}${[first, ...rest.map((entry) => `- ${entry}`)].join(`\n${indent}`)}`;
      return {
        label,
        kind: 'snippet',
        detail: reason,
        documentation: line`The columns that join these two data objects.`,
        insertText: `${place.lead}${json ? `${[first, ...rest].join(', ')}${trailingComma(text, place.replace.end)}` : inBlock}`,
        replace: place.replace,
        filterText: label,
        // Sorted before the empty entries.
        sortText: ` ${index}`,
      };
    });
}
