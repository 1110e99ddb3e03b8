import { endsText } from '../../../protocol/relationship-name.ts';
import {
  type EntityGraph,
  type Relationship,
  masterDataName,
  namesOfActivities,
  relationshipName,
  typesNamedByRows,
} from '../model/entity-graph.ts';
import { measureValuesIn } from '../model/measure.ts';
import { valuesIn } from '../model/process-rule.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import type { MeaningChange } from '../model/edits/meaning-change.ts';
import { cannotBeWritten } from '../model/edits/edited-text.ts';
import type { EditOutcome } from '../model/edits/verified-edits.ts';
import { writeChanges } from '../model/edits/write-changes.ts';
import { nodeAt } from '../model/node-path.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** A name of an entity graph with all its occurrences. */
export interface NamedSymbol {
  readonly kind: 'activity' | 'entityType' | 'relationship' | 'rule' | 'calendar' | 'dataObject' | 'dataSource';
  readonly name: string;
  /** The range at the cursor. */
  readonly range: SourceRange;
  /** Its definition: the element, or the selected object. Absent if in another file. */
  readonly definition?: SourceRange | undefined;
  /** All occurrences in text order, including the definition. */
  readonly places: readonly SourceRange[];
}

/** The name at an offset, end inclusive. */
export function nameAt(graph: EntityGraph, offset: number): NamedSymbol | undefined {
  const groups = [
    ...[activities(graph), entityTypes(graph), relationships(graph), rules(graph)],
    ...[calendars(graph), dataObjects(graph), dataSources(graph)],
  ];
  for (const { kind, definitions, uses } of groups) {
    const found = [...definitions, ...uses].find(({ range }) => range.start <= offset && offset <= range.end);
    if (!found) continue;
    const same = ({ value }: Located<string>): boolean => value === found.value;
    const definition = definitions.find(same)?.range;
    // The target of an alias occurs once, regardless of the number of entries.
    const byStart = new Map([...definitions, ...uses].filter(same).map(({ range }) => [range.start, range]));
    const places = [...byStart.values()];
    return {
      kind,
      name: found.value,
      range: found.range,
      places: places.toSorted((left, right) => left.start - right.start),
      definition,
    };
  }
  return undefined;
}

/** Ranges of an activity name for linked editing: those with the same spelling. Undefined for a single one. */
export function linkedNames(graph: EntityGraph, text: string, offset: number): readonly SourceRange[] | undefined {
  const thing = nameAt(graph, offset);
  if (thing?.kind !== 'activity') return undefined;
  const written = text.slice(thing.range.start, thing.range.end);
  // Edits within a multi-line text concern one of its lines.
  if (/[\r\n]/.test(written)) return undefined;
  const alike = thing.places.filter(({ start, end }) => text.slice(start, end) === written);
  return alike.length > 1 ? alike : undefined;
}

interface Names {
  readonly kind: NamedSymbol['kind'];
  readonly definitions: readonly Located<string>[];
  readonly uses: readonly Located<string>[];
}

function activities(graph: EntityGraph): Names {
  return {
    kind: 'activity',
    definitions: [
      ...graph.elements.flatMap(({ activityName }) => activityName ?? []),
      ...graph.entities.flatMap(({ name }) => name ?? []),
      ...graph.elements.flatMap(namesOfActivities),
    ],
    uses: [
      ...endsOf(graph, 'name'),
      ...usedIn(graph, 'activity'),
      ...graph.guards.flatMap(({ element }) => element ?? []),
      ...graph.accepted.flatMap(({ element }) => element ?? []),
    ],
  };
}

/** Explicit names. Derived names of relationships belong to activities. */
function relationships(graph: EntityGraph): Names {
  const given = graph.relationships.flatMap(({ name }) => name ?? []);
  return { kind: 'relationship', definitions: given, uses: usedRelationships(graph) };
}

/** Process rules and measures; the business rules of activities may name them. */
function rules(graph: EntityGraph): Names {
  const definitions = [...graph.rules, ...graph.measures].flatMap(({ name }) => name ?? []);
  const known = new Set(definitions.map(({ value }) => value));
  const said = graph.elements.flatMap(({ processContext }) => processContext?.businessRules ?? []);
  return { kind: 'rule', definitions, uses: said.filter(({ value }) => known.has(value)) };
}

/** The names of a type that rules and measures use. */
function usedIn(
  { rules, measures }: EntityGraph,
  type: 'activity' | 'entityType' | 'relationship',
): readonly Located<string>[] {
  return [
    ...rules.flatMap((rule) => valuesIn(rule, type)),
    ...measures.flatMap((measure) => measureValuesIn(measure, type)),
  ];
}

function calendars(graph: EntityGraph): Names {
  return {
    kind: 'calendar',
    definitions: graph.calendars.map(({ name }) => name),
    uses: [...graph.rules, ...graph.measures].flatMap(({ calendar }) => calendar ?? []),
  };
}

/** In paths, process rules and measures. */
function usedRelationships(graph: EntityGraph): readonly Located<string>[] {
  return [
    ...graph.relationships.flatMap(stepNames),
    ...usedIn(graph, 'relationship'),
    ...graph.guards.flatMap(({ relationship }) => relationship ?? []),
  ];
}

function stepNames({ path }: Relationship): readonly Located<string>[] {
  return path?.steps.map(({ relationship }) => relationship) ?? [];
}

function entityTypes(graph: EntityGraph): Names {
  const { elements, entities } = graph;
  return {
    kind: 'entityType',
    definitions: [...elements, ...entities].flatMap(({ entityType }) => entityType ?? []),
    uses: [...elements.flatMap(typesNamedByRows), ...endsOf(graph, 'entityType'), ...usedIn(graph, 'entityType')],
  };
}

function dataObjects(graph: EntityGraph): Names {
  const { dataObjects: selected, elements, entities, relationships } = graph;
  return {
    kind: 'dataObject',
    definitions: selected,
    uses: [
      ...[...elements, ...entities].flatMap(({ dataObject }) => dataObject ?? []),
      ...relationships.flatMap(({ crossTable }) => crossTable?.dataObject ?? []),
      ...endsOf(graph, 'dataObject'),
    ],
  };
}

/**
 * The ends of relationships that use a name, or the entity type or data object that an entry of `entities` has instead
 * of a name.
 */
function endsOf(graph: EntityGraph, by: 'name' | 'entityType' | 'dataObject'): readonly Located<string>[] {
  const unnamed = new Map(
    graph.entities
      .filter(({ name }) => !name)
      .map((entry) => [masterDataName(entry), entry.entityType ? 'entityType' : 'dataObject'] as const),
  );
  for (const { activityName } of graph.elements) unnamed.delete(activityName?.value);
  return graph.relationships
    .flatMap(({ source, target }) => [source, target])
    .filter((end) => end !== undefined)
    .filter(({ value }) => (unnamed.get(value) ?? 'name') === by);
}

function dataSources({ dataSource }: EntityGraph): Names {
  return { kind: 'dataSource', definitions: [], uses: dataSource ? [dataSource] : [] };
}

/** Reserved names of the format. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** Gives an activity, an entry of `entities`, an entity type or a relationship another name, with all its uses; a sentence when that cannot be done. */
export function renameSymbol(
  { graph, yaml }: ParsedEntityGraph,
  { kind, name, places, definition }: NamedSymbol,
  newName: string,
): EditOutcome {
  if (kind === 'dataObject' || kind === 'dataSource') {
    return {
      refusal:
        'Activities, entities, their types, relationships and rules can be renamed here: other names belong to the data source.',
    };
  }
  if (kind === 'relationship' && !definition)
    return { refusal: `"${name}" is called by its ends. Rename these, or give the relationship a name.` };
  if (newName.trim() === '') return { refusal: `${things[kind]} needs a name.` };
  if (/[\r\n\u2028\u2029\u0085]/.test(newName))
    return { refusal: 'A name must be on one line. Remove the line break.' };
  if (kind !== 'rule' && kind !== 'calendar' && reserved.has(newName))
    return { refusal: `"${newName}" is a reserved name. Choose another one.` };
  if (newName !== name && isTaken(graph, kind, newName, name))
    return {
      refusal: `Another ${kind === 'rule' ? 'rule or measure' : kind === 'relationship' || kind === 'calendar' ? kind : 'element'} is already called "${newName}".`,
    };
  const unsaid = [...graph.elements, ...graph.entities].find(
    ({ entityType, dataObject }) => !entityType && dataObject?.value === name,
  );
  if (kind === 'entityType' && unsaid) {
    return {
      refusal: `"${name}" is also the type of what reads the data object "${name}". Give that an entityType first.`,
    };
  }
  const derived = mayBeEnd(graph, kind, name) ? derivedSteps(graph, name, newName) : [];
  const changes = [...places.map((range) => ({ range, value: newName })), ...derived].map(({ range, value }) => ({
    place: nodeAt(yaml.document.contents, range),
    value,
  }));
  if (changes.some(({ place }) => place === undefined)) return { refusal: cannotBeWritten };
  return writeChanges(
    yaml,
    changes.map(({ place, value }): MeaningChange => {
      const path = place?.path ?? [];
      return place?.role === 'key' ? { kind: 'rename', path, key: value } : { kind: 'set', path, value };
    }),
  );
}

const things = {
  activity: 'An activity',
  entityType: 'An entity type',
  relationship: 'A relationship',
  rule: 'A rule',
  calendar: 'A calendar',
} as const;
type RenamedKind = keyof typeof things;

function isTaken(graph: EntityGraph, kind: RenamedKind, newName: string, name: string): boolean {
  if (kind === 'entityType' && !mayBeEnd(graph, kind, name)) return false;
  if (kind === 'rule') return [...graph.rules, ...graph.measures].some((entry) => entry.name?.value === newName);
  if (kind === 'calendar') return graph.calendars.some((entry) => entry.name.value === newName);
  if (kind === 'relationship')
    return graph.relationships.some((relationship) => relationshipName(relationship) === newName);
  return (
    graph.elements.some(({ activityName }) => activityName?.value === newName) ||
    graph.entities.some((entry) => masterDataName(entry) === newName)
  );
}

/** Whether a relationship end may have this name: that of an activity, or the entity type of an entry of `entities` without a name. */
function mayBeEnd({ entities }: EntityGraph, kind: RenamedKind, name: string): boolean {
  if (kind === 'entityType') return entities.some((entry) => !entry.name && masterDataName(entry) === name);
  return kind === 'activity';
}

/** Steps of paths, and process rules, that call a relationship by its ends, which an activity's new name changes. */
function derivedSteps(
  graph: EntityGraph,
  name: string,
  newName: string,
): readonly { readonly range: SourceRange; readonly value: string }[] {
  const renamed = new Map(
    graph.relationships.flatMap(({ name: own, source, target }) => {
      if (own || (source?.value !== name && target?.value !== name)) return [];
      const endNow = (end: string | undefined): string | undefined => (end === name ? newName : end);
      return [
        [endsText(source?.value, target?.value), endsText(endNow(source?.value), endNow(target?.value))] as const,
      ];
    }),
  );
  return usedRelationships(graph).flatMap(({ value, range }) => {
    const now = renamed.get(value);
    return now === undefined ? [] : [{ range, value: now }];
  });
}
