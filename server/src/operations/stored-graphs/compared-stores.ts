import type { SchemaChange } from '../../../../protocol/graph-diff.ts';
import { elementTables } from '../../export/element-tables.ts';
import { masterDataTables } from '../../export/master-data-tables.ts';
import { type ComparedChanges, type ComparedGraphs, compareGraphs } from '../../graph-changes/compare-graphs.ts';
import { type PropertyTable, comparedTables } from '../../graph-changes/compared-schema.ts';
import { storedTables } from '../../graph-schema/stored-tables.ts';
import { embeddedLiteral } from '../../query/quote.ts';
import { openScratch } from '../../store/duckdb-store.ts';
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

/** By the names of elements, entries of `entities` and properties: their order does not matter. */
export function schemaChanges(before: StoredProperties, after: StoredProperties): readonly SchemaChange[] {
  const [old, now] = [propertyTypes(before), propertyTypes(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .filter((key) => old.get(key) !== now.get(key))
    .map((key) => {
      const [element = '', property = ''] = JSON.parse(key) as string[];
      const [was, is] = [old.get(key), now.get(key)];
      return {
        element,
        property,
        ...(was === undefined ? {} : { before: was }),
        ...(is === undefined ? {} : { after: is }),
      };
    });
}

function propertyTypes({ elements, entries }: StoredProperties): ReadonlyMap<string, string> {
  return new Map(
    [...elements, ...entries].flatMap((table) =>
      table.properties.map(({ name, storedType }) => [JSON.stringify([table.name, name]), storedType] as const),
    ),
  );
}

/** Compares two stores; the rows of the changes can be read until `use` is done. Rejects like the store. */
export async function compareStores<T>(
  { before, after }: { readonly before: string; readonly after: string },
  signal: AbortSignal,
  use: (compared: ComparedChanges, schema: readonly SchemaChange[]) => Promise<T>,
): Promise<T> {
  const [old, now] = [await propertyTables(before), await propertyTables(after)];
  const both = await openScratch({ memoryLimit: '1GB' });
  try {
    await both.run(`ATTACH ${embeddedLiteral(before)} AS before (READ_ONLY)`);
    await both.run(`ATTACH ${embeddedLiteral(after)} AS after (READ_ONLY)`);
    return await use(await compareGraphs(both, comparedGraphs(old, now), { signal }), schemaChanges(old, now));
  } finally {
    await both.close();
  }
}
