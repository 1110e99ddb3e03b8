import { propertiesTable } from '../graph-schema/table-names.ts';
import type { EntityElement } from '../model/entity-graph.ts';
import type { OpenStore } from './open-store.ts';

/** A property of the events of an element. */
export interface ElementProperty {
  readonly element: EntityElement;
  /** The table with its values, by `event_id`. */
  readonly table: string;
  readonly name: string;
  /** The column of the data object. */
  readonly column: string;
  /** Type name of DuckDB. */
  readonly type: string;
}

export async function readElementProperties(
  elements: readonly EntityElement[],
  { store }: OpenStore,
): Promise<readonly ElementProperty[]> {
  const found = await Promise.all(
    elements.map(async (element) => {
      const table = propertiesTable(element.index + 1);
      // An element without properties has no such table.
      const columns = await store.describe(`SELECT * FROM ${table}`).catch(() => []);
      return columns
        .filter(({ name }) => name !== 'event_id')
        .map(({ name, type }) => ({ element, table, name, column: columnOf(name, element.properties), type }));
    }),
  );
  return found.flat();
}

function columnOf(name: string, properties: EntityElement['properties']): string {
  if (properties.kind === 'all') return name;
  return properties.columns.find((each) => (each.name?.value ?? each.value) === name)?.value ?? name;
}

/** Whether it has whole numbers. */
export function hasIntegers({ type }: ElementProperty): boolean {
  return /^U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?$/.test(type);
}
