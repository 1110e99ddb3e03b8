import type { EntityGraph } from '../model/entity-graph.ts';
import type { Located, SourceRange } from '../model/source-range.ts';
import { cannotBeWritten } from '../model/edits/edited-text.ts';
import type { EditOutcome } from '../model/edits/proven-edits.ts';
import { writeChanges } from '../model/edits/write-changes.ts';
import { nodeAt } from '../model/node-path.ts';
import type { ParsedEntityGraph } from '../model/parse-model.ts';

/** A name of an entity graph with every place where it is written. */
export interface NamedThing {
  readonly kind: 'activity' | 'dataObject' | 'dataSource';
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
  const groups = [activities(graph), dataObjects(graph), dataSources(graph)];
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

/** Names with a meaning of their own in the format. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** Gives an activity another name, with all its uses; a sentence when that cannot be done. */
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
