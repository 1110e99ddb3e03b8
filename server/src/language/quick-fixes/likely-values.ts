import type { DataObject } from '../../catalog/catalog.ts';
import { type EntityGraph, masterDataName } from '../../model/entity-graph.ts';

/** The most likely start timestamp: the first time column. */
export function likelyStart(object: DataObject | undefined): string | undefined {
  const first = (sense: string): string | undefined => object?.columns.find((column) => column.sense === sense)?.name;
  return first('timestamp') ?? first('date');
}

/** A name that neither an activity nor an entry of `entities` has: the given one, possibly numbered. */
export function freeActivityName(wanted: string, { elements, entities }: EntityGraph): string {
  const taken = [...elements.map(({ activityName }) => activityName?.value), ...entities.map(masterDataName)];
  return freeName(wanted, new Set(taken));
}

export function freeName(wanted: string, taken: ReadonlySet<string | undefined>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(name)) return name;
  }
}
