import type { StoreReader } from '../../store/duckdb-store.ts';
import type { ValueType } from '../../graph-schema/value-type.ts';
import { type ElementTable, elementTables, mergedProperties } from '../element-tables.ts';
import { type MasterDataTable, masterDataTables } from '../master-data-tables.ts';

/** The types of a log, and the location of their attribute values in the store. */
export interface LogShape {
  readonly elements: readonly ElementTable[];
  readonly masterData: readonly MasterDataTable[];
  readonly eventTypes: readonly OcelTypeShape[];
  readonly objectTypes: readonly ObjectTypeShape[];
  /** Distinct names of all properties. */
  readonly eventAttributes: readonly string[];
}

export interface OcelTypeShape {
  readonly name: string;
  /** In element order; `string` when two elements disagree. */
  readonly attributes: readonly OcelAttribute[];
}

interface OcelAttribute {
  readonly name: string;
  readonly type: ValueType;
}

export interface ObjectTypeShape extends OcelTypeShape {
  /** The temporary table of `createObjectValues`; absent for object types without attributes. */
  readonly valuesTable?: string | undefined;
}

/**
 * The types and attributes of an object-centric log of this graph: an activity's attributes are the properties of all
 * elements whose events have it, an entity type's those of the elements and entries of `entities` with this entity
 * type.
 * @param endTime the property with the times of ends, which is of events only
 */
export async function readLogShape(store: StoreReader, endTime?: string): Promise<LogShape> {
  const elements = await elementTables(store);
  const masterData = await masterDataTables(store);
  const activities = await store.query('SELECT DISTINCT activity, element FROM event ORDER BY 1, 2');
  const types = await store.query('SELECT DISTINCT entity_type AS name FROM entity ORDER BY 1');
  const elementsOf = new Map<string, ElementTable[]>();
  for (const row of activities) {
    const name = String(row['activity']);
    const own = elements.filter(({ activityName }) => activityName === row['element']);
    elementsOf.set(name, [...(elementsOf.get(name) ?? []), ...own]);
  }
  return {
    elements,
    masterData,
    eventAttributes: mergedAttributes(elements).map(({ name }) => name),
    eventTypes: [...elementsOf].map(([name, own]) => ({ name, attributes: mergedAttributes(own) })),
    objectTypes: types.map((row, index) => {
      const name = String(row['name']);
      const attributes = mergedAttributes(
        [...elements, ...masterData].filter(({ entityType }) => entityType === name),
      ).filter((attribute) => attribute.name !== endTime);
      return { name, attributes, valuesTable: attributes.length > 0 ? `object_values_${index + 1}` : undefined };
    }),
  };
}

function mergedAttributes(elements: readonly Pick<ElementTable, 'properties'>[]): readonly OcelAttribute[] {
  return mergedProperties(elements).map(({ name, valueType }) => ({ name, type: valueType }));
}
