import { type EntityGraph, masterDataName } from '../model/entity-graph.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { cannotBeWritten } from '../model/edits/edited-text.ts';
import type { EditOutcome } from '../model/edits/proven-edits.ts';
import { writeChanges } from '../model/edits/write-changes.ts';
import { nodeAt } from '../model/node-path.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** A name of an entity graph with every place where it is written. */
export interface NamedThing {
  readonly kind: 'activity' | 'entityType' | 'dataObject' | 'dataSource';
  readonly name: string;
  /** Where the cursor is. */
  readonly range: SourceRange;
  /** Where it gets its meaning: the element, the entry of the selection. Absent when that is in another file. */
  readonly definition?: SourceRange;
  /** All places in the order of the text, the definition among them. */
  readonly places: readonly SourceRange[];
}

/** The name at an offset, its end included. */
export function nameAt(graph: EntityGraph, offset: number): NamedThing | undefined {
  const groups = [activities(graph), entityTypes(graph), dataObjects(graph), dataSources(graph)];
  for (const { kind, definitions, uses } of groups) {
    const found = [...definitions, ...uses].find(({ range }) => range.start <= offset && offset <= range.end);
    if (!found) continue;
    const same = ({ value }: Located<string>): boolean => value === found.value;
    const definition = definitions.find(same)?.range;
    // What an alias stands for is there once, however many entries have it.
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

/** The places of an activity's name that are typed in together: those that are written alike. Undefined where there is but one. */
export function linkedNames(graph: EntityGraph, text: string, offset: number): readonly SourceRange[] | undefined {
  const thing = nameAt(graph, offset);
  if (thing?.kind !== 'activity') return undefined;
  const written = text.slice(thing.range.start, thing.range.end);
  // What is typed into a text of several lines belongs to one of them.
  if (/[\r\n]/.test(written)) return undefined;
  const alike = thing.places.filter(({ start, end }) => text.slice(start, end) === written);
  return alike.length > 1 ? alike : undefined;
}

interface Names {
  readonly kind: NamedThing['kind'];
  readonly definitions: readonly Located<string>[];
  readonly uses: readonly Located<string>[];
}

function activities(graph: EntityGraph): Names {
  return {
    kind: 'activity',
    definitions: [
      ...graph.elements.flatMap(({ activityName }) => activityName ?? []),
      ...graph.entities.flatMap(({ name }) => name ?? []),
    ],
    uses: endsOf(graph, 'name'),
  };
}

function entityTypes(graph: EntityGraph): Names {
  const { elements, entities } = graph;
  return {
    kind: 'entityType',
    definitions: [...elements, ...entities].flatMap(({ entityType }) => entityType ?? []),
    uses: [
      ...elements.flatMap(({ correlatesWith = [] }) => correlatesWith.flatMap(({ entityType }) => entityType ?? [])),
      ...endsOf(graph, 'entityType'),
    ],
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

/** The ends of relationships that name something by its own name, or an entry of `entities` by what stands in for its name. */
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

/** Names with a meaning of their own in the format. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** Gives an activity, an entry of `entities` or an entity type another name, with all its uses; a sentence when that cannot be done. */
export function renameActivity(
  { graph, yaml }: ParsedEntityGraph,
  { kind, name, places }: NamedThing,
  newName: string,
): EditOutcome {
  if (kind !== 'activity' && kind !== 'entityType') {
    return {
      refusal: 'Only activities, entities and entity types can be renamed here: other names belong to the data source.',
    };
  }
  const isActivity = kind === 'activity';
  if (newName.trim() === '')
    return { refusal: isActivity ? 'An activity needs a name.' : 'An entity type needs a name.' };
  if (/[\r\n\u2028\u2029\u0085]/.test(newName))
    return { refusal: 'A name stands on one line. Leave out the line break.' };
  if (reserved.has(newName)) return { refusal: `"${newName}" is a reserved name. Choose another one.` };
  const others = [
    ...graph.elements.map(({ activityName }) => activityName?.value),
    ...graph.entities.map(masterDataName),
  ];
  const taken = isActivity && newName !== name && others.includes(newName);
  if (taken) return { refusal: `Another element is already called "${newName}".` };
  const unsaid = [...graph.elements, ...graph.entities].find(
    ({ entityType, dataObject }) => !entityType && dataObject?.value === name,
  );
  if (!isActivity && unsaid) {
    return {
      refusal: `"${name}" is also the type of what reads the data object "${name}". Give that an entityType first.`,
    };
  }
  const paths = places.map((range) => nodeAt(yaml.document.contents, range)?.path);
  if (paths.includes(undefined)) return { refusal: cannotBeWritten };
  return writeChanges(
    yaml,
    paths.map((path = []) => ({ kind: 'set', path, value: newName })),
  );
}
