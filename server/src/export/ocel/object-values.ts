import type { StoreReader, StatementOptions } from '../../store/duckdb-store.ts';
import { quoteIdentifier } from '../../query/quote.ts';
import type { ValueType } from '../../graph-schema/value-type.ts';
import type { ElementProperty } from '../element-tables.ts';
import type { MasterDataTable } from '../master-data-tables.ts';
import { isWritable, writableTime } from '../writable-time.ts';
import { valueText } from './value-text.ts';
import type { LogShape, ObjectTypeShape } from './log-shape.ts';
import { rowsOfAll } from './rows-of-all.ts';

/**
 * Creates a temporary table `object_values_<n>` for each object type with attributes: `entity_id`, `time`, `first`
 * (true for the earliest row of an object, unless it has a time of its own) and `v1`, `v2`, … in attribute order, NULL for missing and unchanged values.
 * OCEL cannot express that a value was removed, so a value is valid until the next one.
 */
export async function createObjectValues(store: StoreReader, shape: LogShape, options: StatementOptions) {
  for (const type of shape.objectTypes) {
    if (type.valuesTable === undefined) continue;
    const rows = await rowsOfAll(store, 'property_row', propertyRows(type, shape), options);
    await store.run(objectValuesSql(type, type.valuesTable, rows), options);
    await store.run('DROP TABLE IF EXISTS temp.property_row', options);
  }
}

/**
 * For each element, and each entry of `entities`, of the type a query of its values: `entity_id`, `time`, `place` and `rank` (the order of
 * values of one time), `dated` (the values of an entity hold since then) and `v1`, … Values of entities without time are there before any event.
 */
function propertyRows({ name, attributes }: ObjectTypeShape, { elements, masterData }: LogShape): readonly string[] {
  const valuesOf = (properties: readonly ElementProperty[]): string =>
    attributes
      .map((attribute, index) => {
        const own = properties.find((property) => property.name === attribute.name);
        return `${own ? attributeValue(`held.${quoteIdentifier(own.name)}`, own.valueType, attribute.type) : 'NULL'} AS v${index + 1}`;
      })
      .join(', ');
  const isOfType = ({ entityType, properties }: Pick<MasterDataTable, 'entityType' | 'properties'>): boolean =>
    entityType === name && properties.length > 0;
  return [
    ...elements
      .filter(isOfType)
      .map(
        ({ table, properties }) =>
          `SELECT event.entity_id, event.time, event.id AS place, 0 AS rank, false AS dated, ${valuesOf(properties)} FROM ${quoteIdentifier(table)} AS held JOIN event ON event.id = held.event_id`,
      ),
    ...masterData.filter(isOfType).map(({ table, valuesTable, properties }, index, all) => {
      const [time, rank, dated, from] =
        valuesTable === undefined
          ? [fromStart, '0', 'false', quoteIdentifier(table)]
          : [
              `coalesce(held.value_time, ${fromStart})`,
              'held.value_rank',
              'held.value_time IS NOT NULL',
              `(FROM ${quoteIdentifier(valuesTable)} WHERE value_time IS NULL OR ${isWritable('value_time')})`,
            ];
      return `SELECT held.entity_id, ${time} AS time, CAST(${index - all.length} AS BIGINT) AS place, ${rank} AS rank, ${dated} AS dated, ${valuesOf(properties)} FROM ${from} AS held`;
    }),
  ];
}

const fromStart = "CAST('-infinity' AS TIMESTAMP)";

function objectValuesSql({ attributes }: ObjectTypeShape, table: string, rows: string): string {
  const columns = attributes.map((_, index) => `v${index + 1}`);
  const held = columns.map((column) => `last_value(${column} IGNORE NULLS) OVER history AS ${column}`);
  const changed = columns.map(
    (column) => `CASE WHEN ${column} IS DISTINCT FROM lag(${column}) OVER history THEN ${column} END AS ${column}`,
  );
  // Of events at the same time the last one applies, because an object has one value at a time. Event ids are
  // chronological. Window functions spill to disk; an aggregate of texts would have to fit into memory.
  return `CREATE TEMP TABLE ${table} AS
    SELECT entity_id, time, row_number() OVER history = 1 AND NOT dated AS first, ${changed.join(', ')}
    FROM (
      SELECT entity_id, time, bool_or(dated) OVER history AS dated, lead(time) OVER history IS DISTINCT FROM time AS last_of_time, ${held.join(', ')}
      FROM (${rows}) AS held WINDOW history AS (PARTITION BY entity_id ORDER BY time, place, rank)
    ) WHERE last_of_time WINDOW history AS (PARTITION BY entity_id ORDER BY time)`;
}

/** A property value, as text if elements disagree about its type; unwritable values are missing. */
function attributeValue(column: string, own: ValueType, wanted: ValueType): string {
  if (own !== wanted) return valueText(column, own === 'time' ? 'time' : 'string');
  return own === 'time' ? writableTime(column) : column;
}
