import { duckdb } from '../../dialects/duckdb.ts';
import { type ValueType, valueType } from '../../graph-schema/value-type.ts';
import type { JudgedGraphTables, PropertyTable } from '../../rule-kinds/judged-tables.ts';

const { identifiers } = duckdb;

/** A property of entities, with the common type of its columns. */
export interface EntityProperty {
  readonly name: string;
  readonly type: ValueType;
}

/** The properties in the order of their tables. Where tables have different types, values are texts. */
export function entityProperties(names: readonly string[], graph: JudgedGraphTables): readonly EntityProperty[] {
  return names.map((name) => {
    const types = graph.properties.flatMap(({ properties, types: all }) =>
      properties.flatMap((property, index) => (property === name ? [valueType(all[index] ?? '')] : [])),
    );
    const [first = 'string'] = types;
    const isNumber = types.every((type) => type === 'integer' || type === 'float');
    return { name, type: types.every((type) => type === first) ? first : isNumber ? 'float' : 'string' };
  });
}

const sqlTypes: Readonly<Record<ValueType, string>> = {
  string: 'VARCHAR',
  boolean: 'VARCHAR',
  integer: 'DOUBLE',
  float: 'DOUBLE',
  // Times are compared as numbers, too.
  time: 'DOUBLE',
};

/**
 * A SELECT of the first known value of each property of the entities of the table `subject`: `judged`, and for the n-th
 * property `value_<n>` and `known_<n>`, the id of the event that gave it, -1 for master data. Values that change later
 * may follow from what is to be explained.
 */
export function firstValuesSql(properties: readonly EntityProperty[], graph: JudgedGraphTables): string {
  const rows = graph.properties
    .filter((table) => properties.some(({ name }) => table.properties.includes(name)))
    .map((table) => rowsOf(table, properties));
  const columns = properties.map(
    (_, index) =>
      `arg_min(value_${index}, place) FILTER (WHERE value_${index} IS NOT NULL) AS value_${index}, min(place) FILTER (WHERE value_${index} IS NOT NULL) AS known_${index}`,
  );
  return `SELECT judged, ${columns.join(', ')} FROM (\n${rows.join('\nUNION ALL\n')}\n) AS known GROUP BY judged`;
}

function rowsOf({ name, isOfEvents, properties: own }: PropertyTable, properties: readonly EntityProperty[]): string {
  const values = properties.map(({ name: property, type }, index) => {
    const column = `p.${identifiers.quote(property)}`;
    const value = !own.includes(property)
      ? 'NULL'
      : type === 'time'
        ? `CASE WHEN isfinite(${column}) THEN epoch_us(CAST(${column} AS TIMESTAMP)) END`
        : column;
    return `CAST(${value} AS ${sqlTypes[type]}) AS value_${index}`;
  });
  const [entity, place, from] = isOfEvents
    ? ['v.entity_id', 'v.id', `${name} AS p JOIN event AS v ON v.id = p.event_id`]
    : ['p.entity_id', 'CAST(-1 AS BIGINT)', `${name} AS p`];
  return `SELECT ${entity} AS judged, ${place} AS place, ${values.join(', ')} FROM ${from} WHERE ${entity} IN (SELECT judged FROM subject)`;
}
