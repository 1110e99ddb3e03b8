import type { DataObject } from '../../catalog/catalog.ts';
import type { EntityGraph } from '../../model/entity-graph.ts';

/** The most likely start timestamp: the first time column. */
export function likelyStart(object: DataObject | undefined): string | undefined {
  const first = (sense: string): string | undefined => object?.columns.find((column) => column.sense === sense)?.name;
  return first('timestamp') ?? first('date');
}

/** An unused activity name: the given one, possibly numbered. */
export function freeActivityName(wanted: string, { elements }: EntityGraph): string {
  return freeName(wanted, new Set(elements.map(({ activityName }) => activityName?.value)));
}

export function freeName(wanted: string, taken: ReadonlySet<string | undefined>): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? wanted : `${wanted} ${number}`;
    if (!taken.has(name)) return name;
  }
}
