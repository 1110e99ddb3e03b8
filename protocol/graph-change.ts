import type { GraphWithFirstLines } from './first-lines.ts';
import type { CardView, GraphView, RelationshipView } from './graph-view.ts';
import { isSameData } from './same-data.ts';

/** The difference between two versions of a graph: an edit of a large graph sends only the entries that it changed. */
export interface GraphChange {
  /** All fields that are no long list; they are always sent. */
  readonly fields: Omit<GraphView, 'dataObjects' | 'elements' | 'relationships' | 'firstLines'>;
  /** Absent when unchanged. */
  readonly dataObjects?: GraphView['dataObjects'];
  readonly elements: ListChange<CardView>;
  readonly relationships: ListChange<RelationshipView>;
}

interface ListChange<T> {
  /** New and changed entries with their indexes. */
  readonly entries: readonly (readonly [index: number, entry: T])[];
  /** The index that each entry had before, -1 for a new one; absent when each has the one that it had. */
  readonly from?: readonly number[];
  /** The first lines of all entries; absent when none moved. */
  readonly firstLines?: readonly number[];
}

/** The change that `applyChange` turns `before` into `now` with. */
export function changeBetween(before: GraphWithFirstLines, now: GraphWithFirstLines): GraphChange {
  const { dataObjects, elements, relationships, firstLines, ...fields } = now;
  return {
    fields,
    ...(isSameData(before.dataObjects, dataObjects) ? {} : { dataObjects }),
    elements: {
      ...changedEntries(before.elements, elements),
      ...changedLines(before.firstLines.elements, firstLines.elements),
    },
    relationships: {
      ...changedEntries(before.relationships, relationships),
      ...changedLines(before.firstLines.relationships, firstLines.relationships),
    },
  };
}

/** Unchanged entries and lists stay the same objects, which are not measured and drawn again. */
export function applyChange(before: GraphView, change: GraphChange): GraphWithFirstLines {
  const { fields, dataObjects = before.dataObjects, elements, relationships } = change;
  return {
    ...fields,
    dataObjects,
    elements: withEntries(before.elements, elements),
    relationships: withEntries(before.relationships, relationships),
    firstLines: {
      elements: elements.firstLines ?? before.firstLines?.elements ?? [],
      relationships: relationships.firstLines ?? before.firstLines?.relationships ?? [],
    },
  };
}

function changedEntries<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): ListChange<T> {
  const known = new Map(before.map(({ id }, index) => [id, index]));
  const from = now.map(({ id }, index) => (before[index]?.id === id ? index : (known.get(id) ?? -1)));
  const entries = now.flatMap((entry, index) =>
    isSameData(before[from[index] ?? -1], entry) ? [] : [[index, entry] as const],
  );
  const isInPlace = before.length === now.length && from.every((place, index) => place === index);
  return { entries, ...(isInPlace ? {} : { from }) };
}

function changedLines(before: readonly number[], now: readonly number[]): { readonly firstLines?: readonly number[] } {
  return isSameData(before, now) ? {} : { firstLines: now };
}

function withEntries<T>(before: readonly T[], { entries, from }: ListChange<T>): readonly T[] {
  if (entries.length === 0 && !from) return before;
  const list: (T | undefined)[] = from ? from.map((index) => before[index]) : [...before];
  for (const [index, entry] of entries) list[index] = entry;
  return list.filter((entry) => entry !== undefined);
}
