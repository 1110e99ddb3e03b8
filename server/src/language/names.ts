import { endsText } from '../../../protocol/relationship-name.ts';
import { type EntityGraph, type Relationship, relationshipName } from '../model/entity-graph.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { cannotBeWritten } from '../model/edits/edited-text.ts';
import type { EditOutcome } from '../model/edits/proven-edits.ts';
import { writeChanges } from '../model/edits/write-changes.ts';
import { nodeAt } from '../model/node-path.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** A name of an entity graph with all its occurrences. */
export interface NamedThing {
  readonly kind: 'activity' | 'relationship' | 'dataObject' | 'dataSource';
  readonly name: string;
  /** The range at the cursor. */
  readonly range: SourceRange;
  /** Its definition: the element, or the selected object. Absent if in another file. */
  readonly definition?: SourceRange;
  /** All occurrences in text order, including the definition. */
  readonly places: readonly SourceRange[];
}

/** The name at an offset, end inclusive. */
export function nameAt(graph: EntityGraph, offset: number): NamedThing | undefined {
  const groups = [activities(graph), relationships(graph), dataObjects(graph), dataSources(graph)];
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
      ...(definition ? { definition } : {}),
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
  readonly kind: NamedThing['kind'];
  readonly definitions: readonly Located<string>[];
  readonly uses: readonly Located<string>[];
}

function activities({ elements, relationships }: EntityGraph): Names {
  return {
    kind: 'activity',
    definitions: elements.flatMap(({ activityName }) => activityName ?? []),
    uses: relationships.flatMap(({ source, target }) => [source, target].filter((end) => end !== undefined)),
  };
}

/** Explicit names. Derived names of relationships belong to activities. */
function relationships({ relationships: all }: EntityGraph): Names {
  const given = all.flatMap(({ name }) => name ?? []);
  return { kind: 'relationship', definitions: given, uses: all.flatMap(stepNames) };
}

function stepNames({ path }: Relationship): readonly Located<string>[] {
  return path?.steps.map(({ relationship }) => relationship) ?? [];
}

function dataObjects({ dataObjects: selected, elements, relationships }: EntityGraph): Names {
  return {
    kind: 'dataObject',
    definitions: selected,
    uses: [
      ...elements.flatMap(({ dataObject }) => dataObject ?? []),
      ...relationships.flatMap(({ crossTable }) => crossTable?.dataObject ?? []),
    ],
  };
}

function dataSources({ dataSource }: EntityGraph): Names {
  return { kind: 'dataSource', definitions: [], uses: dataSource ? [dataSource] : [] };
}

/** Reserved names of the format. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** Gives an activity or a relationship another name, with all its uses; a sentence when that cannot be done. */
export function renameThing(
  { graph, yaml }: ParsedEntityGraph,
  { kind, name, places, definition }: NamedThing,
  newName: string,
): EditOutcome {
  if (kind !== 'activity' && kind !== 'relationship')
    return {
      refusal: 'Only activities and relationships can be renamed here: other names belong to the data source.',
    };
  if (kind === 'relationship' && !definition)
    return { refusal: `"${name}" is called by its ends. Rename these, or give the relationship a name.` };
  const thing = kind === 'activity' ? 'An activity' : 'A relationship';
  if (newName.trim() === '') return { refusal: `${thing} needs a name.` };
  if (/[\r\n\u2028\u2029\u0085]/.test(newName))
    return { refusal: `${thing} name stands on one line. Leave out the line break.` };
  if (reserved.has(newName)) return { refusal: `"${newName}" is a reserved name. Choose another one.` };
  const taken = newName !== name && isTaken(graph, kind, newName);
  if (taken)
    return { refusal: `Another ${kind === 'activity' ? 'element' : 'relationship'} is already called "${newName}".` };
  const derived = kind === 'activity' ? derivedSteps(graph, name, newName) : [];
  const changes = [...places.map((range) => ({ range, value: newName })), ...derived].map(({ range, value }) => ({
    path: nodeAt(yaml.document.contents, range)?.path,
    value,
  }));
  if (changes.some(({ path }) => path === undefined)) return { refusal: cannotBeWritten };
  return writeChanges(
    yaml,
    changes.map(({ path = [], value }) => ({ kind: 'set', path, value })),
  );
}

function isTaken(graph: EntityGraph, kind: 'activity' | 'relationship', newName: string): boolean {
  return kind === 'activity'
    ? graph.elements.some(({ activityName }) => activityName?.value === newName)
    : graph.relationships.some((relationship) => relationshipName(relationship) === newName);
}

/** Steps of paths that call a relationship by its ends, which an activity's new name changes. */
function derivedSteps(
  { relationships: all }: EntityGraph,
  name: string,
  newName: string,
): readonly { readonly range: SourceRange; readonly value: string }[] {
  const renamed = new Map(
    all.flatMap(({ name: own, source, target }) => {
      if (own || (source?.value !== name && target?.value !== name)) return [];
      const endNow = (end: string | undefined): string | undefined => (end === name ? newName : end);
      return [
        [endsText(source?.value, target?.value), endsText(endNow(source?.value), endNow(target?.value))] as const,
      ];
    }),
  );
  return all.flatMap(stepNames).flatMap(({ value, range }) => {
    const now = renamed.get(value);
    return now === undefined ? [] : [{ range, value: now }];
  });
}
