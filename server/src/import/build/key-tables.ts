import type { BuildDialect } from './build-dialect.ts';
import { correlatedEvents, entityOfKey, keyedTable, namedTable } from './distributed/names.ts';
import type { LinkedKeys } from './row-correlations.ts';
import { rowsTable } from './rows.ts';
import type { StagedElement } from './staged-element.ts';

/** The tables in which a finished build looks up keys, and events that have no entity of their own. */
export interface KeyTables {
  /** The rows of an element whose events have an entity. */
  readonly rows: (element: StagedElement) => string;
  /** The keys that rows name, as SQL behind FROM. */
  readonly named: (link: LinkedKeys) => string;
  /** The events that belong to an entity, by `event_id`. */
  readonly correlated: string;
  /** A copy of the entities that is distributed by key, in a cluster; otherwise undefined. */
  readonly entityOfKey: string | undefined;
}

/** In a cluster, the tables are copies that are distributed by the column in which a build looks up rows. */
export function keyTables({ graph, distribute }: BuildDialect): KeyTables {
  return distribute
    ? { rows: keyedTable, named: namedTable, correlated: correlatedEvents, entityOfKey }
    : { rows: rowsTable, named: ({ from }) => from, correlated: `${graph}.event_entity`, entityOfKey: undefined };
}
