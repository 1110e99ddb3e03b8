import { isEmptyCell } from './column-profile.ts';
import type { DraftElement, DraftEntity, DraftRelationship } from './draft-model.ts';
import { suggests } from './name-words.ts';
import type { Reference } from './reference.ts';
import { linkOf } from './select-objects.ts';
import type { TableReading } from './read-table.ts';

interface Ends {
  readonly elements: readonly DraftElement[];
  readonly entities: readonly DraftEntity[];
}

/** A relationship for each reference between tables of the graph, and for each table that links two of them. */
export function relationshipsOf(
  readings: readonly TableReading[],
  references: readonly Reference[],
  { elements, entities }: Ends,
): readonly DraftRelationship[] {
  const ends = new Map<string, string>(entities.map(({ dataObject, name }) => [dataObject, name]));
  // A thing with several elements is addressed by its first.
  for (const { dataObject, activityName } of elements.toReversed()) ends.set(dataObject, activityName);
  const withEvents = new Set(elements.map(({ dataObject }) => dataObject));
  const logs = new Set(readings.filter(({ log }) => log).map(({ input }) => input.object.name));
  const direct = references.flatMap((reference): readonly DraftRelationship[] => {
    const [source, target] = [ends.get(reference.from), ends.get(reference.to)];
    // Columns of a log describe events, not the case: they become objects of each event.
    if (source === undefined || target === undefined || logs.has(reference.from)) return [];
    // References to superiors describe the organisation, not the process.
    if (reference.columns.every((column) => suggests(column, 'leader'))) return [];
    const haveEvents = withEvents.has(reference.from) && withEvents.has(reference.to);
    const isShared = haveEvents && sharesTargets(reference, readings) === true;
    return [
      {
        name: nameOf(reference),
        source,
        target,
        mappings: mappingsOf(reference),
        ...(isShared && { correlate: 'source' }),
      },
    ];
  });
  const links = readings.flatMap((reading): readonly DraftRelationship[] => {
    const pair = ends.has(reading.input.object.name) ? undefined : linkOf(reading, references);
    const [one, two] = pair ?? [];
    const [source, target] = [ends.get(one?.to ?? ''), ends.get(two?.to ?? '')];
    if (!one || !two || source === undefined || target === undefined) return [];
    return [
      {
        name: reading.input.object.name,
        source,
        target,
        mappings: [],
        crossTable: {
          dataObject: reading.input.object.name,
          sourceMappings: one.columns.map((cross, index) => ({ source: one.toColumns[index] ?? '', cross })),
          targetMappings: two.columns.map((cross, index) => ({ cross, target: two.toColumns[index] ?? '' })),
        },
      },
    ];
  });
  return [...direct, ...links];
}

function nameOf({ from, columns }: Reference): string {
  return `${from} ${columns.join(', ')}`;
}

function mappingsOf({ columns, toColumns }: Reference): DraftRelationship['mappings'] {
  return columns.map((source, index) => ({ source, target: toColumns[index] ?? '' }));
}

/**
 * Whether several rows refer to the same row, whose events then are not correlated with each of them: an employee was not hired
 * for every order. Undefined if rows were not read.
 */
function sharesTargets(reference: Reference, readings: readonly TableReading[]): boolean | undefined {
  const sample = readings.find(({ input }) => input.object.name === reference.from)?.input.sample;
  if (!sample) return undefined;
  const places = reference.columns.map((column) => sample.columns.indexOf(column));
  const keys = sample.rows
    .map((row) => places.map((place) => row[place] ?? null))
    .filter((cells) => !cells.some(isEmptyCell))
    .map((cells) => JSON.stringify(cells));
  return new Set(keys).size < 0.95 * keys.length;
}
