import type {
  CrossMappingValues,
  CrossTableValues,
  MappingValues,
  RelationshipPatch,
} from '../../../../protocol/canvas-intents.ts';
import { endsText } from '../../../../protocol/relationship-name.ts';
import type { IntentOutcome } from './intent-outcome.ts';
import { crossMappingValues, mappingValues, objectsOf } from './dialog-values.ts';
import { listOf, patched, quoted } from './element-intents.ts';
import { identifyCards, identifyRelationships, relationshipNameOf } from './entry-ids.ts';
import { withRenamedSteps } from './rename-steps.ts';
import { writtenPath } from './written-forms.ts';
import { type JsonObject, type JsonValue, isJsonObject, sameValue } from './json-value.ts';

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
  const { mappings, crossTable, path, ...texts } = values;
  const taken = known.some(
    ({ index, entry }) =>
      index !== found.index && typeof texts.name === 'string' && relationshipNameOf(entry) === texts.name,
  );
  if (taken) return { refusal: `Another relationship is already called "${texts.name}". Choose another name.` };
  const entry = patched(found.entry, {
    ...texts,
    mappings: mappings && (mappings.length > 0 ? mergeMappings(found.entry['mappings'], mappings) : null),
    crossTable: crossTable && writtenCrossTable(found.entry['crossTable'], crossTable),
    path: writtenPath(path, found.entry['path']),
  });
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

function mergeMappings(before: JsonValue | undefined, after: readonly MappingValues[]): readonly JsonValue[] {
  return mergeList(objectsOf(before), after, mappingValues, writtenMapping);
}

function writtenCrossTable(
  before: JsonValue | undefined,
  { dataSource, dataObject, ...sides }: CrossTableValues,
): JsonObject {
  const old = isJsonObject(before) ? before : {};
  const side = (name: 'source' | 'target', values: readonly CrossMappingValues[]): readonly JsonValue[] =>
    mergeList(
      objectsOf(old[`${name}Mappings`]),
      values,
      (entry) => crossMappingValues(entry, name),
      (value) => writtenCrossMapping(value, name),
    );
  const kept = Object.entries(old).filter(([key]) => key.startsWith('x-'));
  return {
    ...(dataSource === undefined ? {} : { dataSource }),
    ...(dataObject === undefined ? {} : { dataObject }),
    sourceMappings: side('source', sides.sourceMappings),
    targetMappings: side('target', sides.targetMappings),
    ...Object.fromEntries(kept),
  };
}

/** Equal entries stay unchanged, including an explicit `=` and unknown keys. */
function mergeList<T>(
  before: readonly JsonObject[],
  after: readonly T[],
  read: (entry: JsonObject) => T,
  write: (value: T) => JsonObject,
): readonly JsonValue[] {
  const unused = new Set(before);
  return after.map((value, index) => {
    const same = [...unused].find((entry) => sameValue(read(entry), value));
    if (same) {
      unused.delete(same);
      return same;
    }
    const here = before[index];
    const changed = here && !after.some((other) => sameValue(read(here), other)) ? here : undefined;
    const extra = Object.entries(changed ?? {}).filter(([key]) => key.startsWith('x-'));
    return { ...write(value), ...Object.fromEntries(extra) };
  });
}

/** A mapping as written, without the default operator. */
export function writtenMapping(mapping: MappingValues): JsonObject {
  if ('expression' in mapping) return { expression: mapping.expression };
  const { source, operator, target } = mapping;
  return { source, ...(operator === undefined || operator === '=' ? {} : { operator }), target };
}

/** A mapping of a cross table side as written. */
export function writtenCrossMapping(
  { column, operator, cross }: CrossMappingValues,
  side: 'source' | 'target',
): JsonObject {
  const compared = operator === undefined || operator === '=' ? {} : { operator };
  return side === 'source' ? { source: column, ...compared, cross } : { cross, ...compared, target: column };
}
