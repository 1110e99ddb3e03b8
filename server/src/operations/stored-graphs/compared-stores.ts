import { elementTables } from '../../export/element-tables.ts';
import { masterDataTables } from '../../export/master-data-tables.ts';
import type { ComparedGraphs } from '../../graph-changes/compare-graphs.ts';
import { type PropertyTable, comparedTables } from '../../graph-changes/compared-schema.ts';
import { storedTables } from '../../graph-schema/stored-tables.ts';
import { openGraphStore } from './open-graph-store.ts';

/** The tables of a store whose columns depend on its entity graph. */
export interface StoredProperties {
  readonly elements: readonly PropertyTable[];
  /** The entries of `entities`, and their tables of values over time. */
  readonly entries: readonly PropertyTable[];
  readonly versions: readonly PropertyTable[];
  /** Whether it has the tables of rules. */
  readonly isJudged: boolean;
}

/** Rejects like `openGraphStore`. */
export async function propertyTables(path: string): Promise<StoredProperties> {
  const store = await openGraphStore(path);
  try {
    const elements = (await elementTables(store)).map(({ activityName: name, table, properties }) => ({
      name,
      table,
      properties,
    }));
    const entries = await masterDataTables(store);
    const versions = entries.flatMap(({ valuesTable, ...entry }) =>
      valuesTable === undefined ? [] : [{ ...entry, table: valuesTable }],
    );
    const isJudged = (await storedTables(store)).some(({ schema }) => schema === 'rule');
    return { elements, entries, versions, isJudged };
  } finally {
    await store.close();
  }
}

/** What two stores are compared by. */
export function comparedGraphs(before: StoredProperties, after: StoredProperties): ComparedGraphs {
  return {
    elements: comparedTables(before.elements, after.elements),
    entries: comparedTables(before.entries, after.entries),
    versions: comparedTables(before.versions, after.versions),
    judged: { before: before.isJudged, after: after.isJudged },
  };
}
