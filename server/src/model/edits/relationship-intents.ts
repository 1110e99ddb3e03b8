import type { MappingValues, RelationshipPatch } from '../../../../protocol/canvas-intents.ts';
import { relationshipFields } from '../../../../protocol/fields/relationship.ts';
import { endsText } from '../../../../protocol/relationship-name.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { listOf, patched, quoted } from './element-intents.ts';
import { identifyCards, identifyRelationships, relationshipNameOf } from './entry-ids.ts';
import { withRenamedSteps } from './rename-steps.ts';
import { writtenFields, writtenMapping } from './written-forms.ts';
import type { JsonObject } from './json-value.ts';

/** Adds a relationship at the end, with an explicit name if the derived one exists. */
export function addRelationship(
  graph: JsonObject,
  source: string,
  target: string,
  mappings: readonly MappingValues[],
): IntentOutcome {
  const cards = identifyCards(graph);
  for (const id of [source, target]) {
    const card = cards.find((each) => each.id === id);
    if (!card) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
    if (card.name !== id) {
      const lacks =
        card.list === 'elements' ? 'Give the element an Activity Name first.' : 'Give the master data a Name first.';
      return { refusal: `A relationship names its ends. ${lacks}` };
    }
  }
  const names = new Set(identifyRelationships(graph).map(({ entry }) => relationshipNameOf(entry)));
  const derived = endsText(source, target);
  const entry = {
    ...(names.has(derived) ? { name: freeName(derived, names) } : {}),
    source,
    target,
    ...(mappings.length > 0 ? { mappings: mappings.map(writtenMapping) } : {}),
  };
  const relationships = [...listOf(graph, 'relationships'), entry];
  const next = { ...graph, relationships };
  return { graph: next, ...relationshipPlace(next, relationships.length - 1) };
}

/** Writes the changed values of a dialog; equal list entries stay unchanged. */
export function configureRelationship(graph: JsonObject, id: string, values: RelationshipPatch): IntentOutcome {
  const known = identifyRelationships(graph);
  const found = known.find((relationship) => relationship.id === id);
  if (!found) return { refusal: `The relationship ${quoted(id)} is no longer in the file.` };
  const entry = patched(found.entry, writtenFields(relationshipFields, values, found.entry));
  const name = relationshipNameOf(entry);
  const isTaken =
    name !== relationshipNameOf(found.entry) &&
    known.some((other) => other.index !== found.index && relationshipNameOf(other.entry) === name);
  if (isTaken) return { refusal: `Another relationship is already called "${name}". Choose another name.` };
  const changed = { ...graph, relationships: listOf(graph, 'relationships').with(found.index, entry) };
  const next = withRenamedSteps(graph, changed);
  return { graph: next, ...relationshipPlace(next, found.index) };
}

function relationshipPlace(graph: JsonObject, index: number) {
  const id = identifyRelationships(graph).find((relationship) => relationship.index === index)?.id;
  return {
    entry: { list: 'relationships', index } as const,
    ...(id === undefined ? {} : { select: `relationship:${id}` }),
  };
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let number = 2; ; number += 1) if (!taken.has(`${name} ${number}`)) return `${name} ${number}`;
}
