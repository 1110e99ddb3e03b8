import type { LinkedKeys } from '../row-correlations.ts';
import type { GraphShape } from '../rows.ts';
import type { StagedElement } from '../staged-element.ts';

/** A copy of the entities that is distributed by key; the table of the graph is distributed by id. */
export const entityOfKey = 'entity_of_key';

/** The rows of an element that have a key, distributed by it. Elements whose events have no entity lack this table. */
export function keyedTable({ plan }: Pick<StagedElement, 'plan'>): string {
  return `keyed_${plan.number}`;
}

/** The keys that rows name, distributed by key. */
export function namedTable({ element, correlation }: Pick<LinkedKeys, 'element' | 'correlation'>): string {
  return `named_${element.plan.number}_${correlation.number}`;
}

/** The events that belong to an entity, distributed by event; created only if some events may belong to no entity. */
export const correlatedEvents = 'correlated_events';

/** The column with the number of a staged row. */
export function rowOf({ dialect }: GraphShape): string {
  return dialect.identifiers.quote('row');
}
