import type { StoreReader, StatementOptions } from '../../store/duckdb-store.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { ValueType } from '../element-tables.ts';
import { writableTime } from '../writable-time.ts';
import { valueText } from './value-text.ts';
import type { LogShape, ObjectTypeShape } from './log-shape.ts';
import { rowsOfAll } from './rows-of-all.ts';

/**
 * Creates, for each object type with attributes, a temporary table `object_values_<n>`: `entity_id`, `time`, `first`
 * (true for the earliest row of an object) and `v1`, `v2`, … in the order of the attributes, NULL where the value is
 * missing or still the same. OCEL cannot say that a value has gone, so a value holds until another comes.
 */
export async function createObjectValues(store: StoreReader, shape: LogShape, options: StatementOptions) {
  for (const type of shape.objectTypes) {
    if (type.valuesTable === undefined) continue;
    const rows = await rowsOfAll(store, 'property_row', propertyRows(type, shape), options);
    await store.run(objectValuesSql(type, type.valuesTable, rows), options);
    await store.run('DROP TABLE IF EXISTS temp.property_row', options);
  }
}

/** For each element of the type a query of its values by event. */
function propertyRows({ name, attributes }: ObjectTypeShape, { elements }: LogShape): readonly string[] {
  return elements
    .filter(({ entityType, properties }) => entityType === name && properties.length > 0)
    .map((element) => {
      const values = attributes.map((attribute, index) => {
        const own = element.properties.find((property) => property.name === attribute.name);
        return `${own ? attributeValue(quoteIdentifier(own.name), own.valueType, attribute.type) : 'NULL'} AS v${index + 1}`;
      });
      return `SELECT held.event_id, ${values.join(', ')} FROM ${quoteIdentifier(element.table)} AS held`;
    });
}

function objectValuesSql({ attributes }: ObjectTypeShape, table: string, rows: string): string {
  const columns = attributes.map((_, index) => `v${index + 1}`);
  const held = columns.map((column) => `last_value(${column} IGNORE NULLS) OVER history AS ${column}`);
  const changed = columns.map(
    (column) => `CASE WHEN ${column} IS DISTINCT FROM lag(${column}) OVER history THEN ${column} END AS ${column}`,
  );
  // Of several events at one time the last one counts: an object has one value at a time. Ids of events follow their times. Windows spill to
  // the disk; an aggregate of texts would have to fit into memory.
  return `CREATE TEMP TABLE ${table} AS
    SELECT entity_id, time, row_number() OVER history = 1 AS first, ${changed.join(', ')}
    FROM (
      SELECT event.entity_id, event.time, lead(event.time) OVER history IS DISTINCT FROM event.time AS last_of_time, ${held.join(', ')}
      FROM (${rows}) AS held JOIN event ON event.id = held.event_id
      WINDOW history AS (PARTITION BY event.entity_id ORDER BY event.id)
    ) WHERE last_of_time WINDOW history AS (PARTITION BY entity_id ORDER BY time)`;
}

/** A property as it is, or as text where elements disagree about its type; what cannot be written is missing. */
function attributeValue(column: string, own: ValueType, wanted: ValueType): string {
  if (own !== wanted) return valueText(column, own === 'time' ? 'time' : 'string');
  return own === 'time' ? writableTime(column) : column;
}
