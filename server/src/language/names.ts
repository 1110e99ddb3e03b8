import type { EntityGraph } from '../model/entity-graph.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { cannotBeWritten } from '../model/edits/edited-text.ts';
import type { EditOutcome } from '../model/edits/proven-edits.ts';
import { writeChanges } from '../model/edits/write-changes.ts';
import { nodeAt } from '../model/node-path.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** A name of an entity graph with all its occurrences. */
export interface NamedThing {
  readonly kind: 'activity' | 'dataObject' | 'dataSource';
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
  const groups = [activities(graph), dataObjects(graph), dataSources(graph)];
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

/** Renames an activity with all its uses; a message when that is not possible. */
export function renameActivity(
  { graph, yaml }: ParsedEntityGraph,
  { kind, name, places }: NamedThing,
  newName: string,
): EditOutcome {
  if (kind !== 'activity')
    return { refusal: 'Only activities can be renamed here: other names belong to the data source.' };
  if (newName.trim() === '') return { refusal: 'An activity needs a name.' };
  if (/[\r\n\u2028\u2029\u0085]/.test(newName))
    return { refusal: 'An activity name stands on one line. Leave out the line break.' };
  if (reserved.has(newName)) return { refusal: `"${newName}" is a reserved name. Choose another one.` };
  const taken = graph.elements.some(({ activityName }) => activityName?.value === newName && newName !== name);
  if (taken) return { refusal: `Another element is already called "${newName}".` };
  const paths = places.map((range) => nodeAt(yaml.document.contents, range)?.path);
  if (paths.includes(undefined)) return { refusal: cannotBeWritten };
  return writeChanges(
    yaml,
    paths.map((path = []) => ({ kind: 'set', path, value: newName })),
  );
}
