import type { HistoryNumber, NumberSql } from '../../../protocol/event-graph.ts';
import { duckdb } from '../dialects/duckdb.ts';
import type { GraphTableName } from '../graph-schema/graph-schema.ts';
import { storedTables } from '../graph-schema/stored-tables.ts';
import {
  entityPropertiesColumns,
  entityValuesColumns,
  entryOf,
  propertiesColumns,
} from '../graph-schema/table-names.ts';
import { type ValueType, valueType } from '../graph-schema/value-type.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

const { identifiers } = duckdb;

/** A table with properties of an entity: of its events, or of the entity itself. */
interface ValuesTable {
  readonly name: string;
  readonly isOfEvents: boolean;
  /** Values of the entity, each with the time since when it holds. */
  readonly hasTimes: boolean;
  readonly properties: ReadonlyMap<string, ValueType>;
}

/** The tables that hold values of an entity, those of master data first. */
export async function valuesTables(
  store: StoreReader,
  entity: number,
  options: StatementOptions,
): Promise<readonly ValuesTable[]> {
  const tables = (await storedTables(store, options)).filter(({ table }) => table.isPerEntryOf !== undefined);
  if (tables.length === 0) return [];
  const columns = await store.query(
    'SELECT table_name AS "table", column_name AS name, data_type AS type FROM duckdb_columns() WHERE NOT internal ORDER BY table_name, column_index',
    options,
  );
  const elements = await elementsOf(store, entity, options);
  const withTimes = new Set(tables.flatMap(({ schema, name }) => (isOfTimes(schema) ? [entryOf(schema, name)] : [])));
  const found: ValuesTable[] = [];
  for (const { name, schema } of tables) {
    const isOfEvents = schema === 'properties_<n>';
    const hasTimes = isOfTimes(schema);
    // The table of last values repeats the last values over time, so it is left out.
    if (!isOfEvents && !hasTimes && withTimes.has(entryOf(schema, name))) continue;
    const fixed = isOfEvents ? propertiesColumns : hasTimes ? entityValuesColumns : entityPropertiesColumns;
    const own = columns.filter((column) => column['table'] === name && !fixed.includes(String(column['name'])));
    if (own.length === 0) continue;
    const hasValues = isOfEvents
      ? elements.has(entryOf(schema, name) ?? 0)
      : (await store.query(`SELECT 1 AS has FROM ${name} WHERE entity_id = ${entity}`, options)).length > 0;
    if (!hasValues) continue;
    const properties = new Map(own.map((column) => [String(column['name']), valueType(String(column['type']))]));
    found.push({ name, isOfEvents, hasTimes, properties });
  }
  return found.sort((one, other) => Number(one.isOfEvents) - Number(other.isOfEvents));
}

function isOfTimes(schema: GraphTableName): boolean {
  return schema === 'entity_values_<n>';
}

/** The numbers of the elements that the events of an entity's own are of. */
async function elementsOf(store: StoreReader, entity: number, options: StatementOptions): Promise<ReadonlySet<number>> {
  const rows = await store.query(`SELECT DISTINCT element FROM event WHERE entity_id = ${entity}`, options);
  const [run] = await store.query(`SELECT counts->>'$.elements[*].activityName' AS names FROM run`, options);
  const names = JSON.parse(String(run?.['names'] ?? '[]')) as readonly string[];
  return new Set(rows.map((row) => names.indexOf(String(row['element'])) + 1));
}

/**
 * SQL of the values of an entity over time (docs/semantics.md#105-values-over-time): rows with `time`, NULL for values from the start, and `event_id`,
 * NULL for master data, and for the n-th property `old_<n>` and `new_<n>`, which differ where the value changes.
 * @param lastEvent values of later events are left out
 */
export function historySql(
  tables: readonly ValuesTable[],
  properties: readonly string[],
  { entity, lastEvent }: { readonly entity: number; readonly lastEvent?: number | undefined },
): string {
  const ofEntity = `v.entity_id = ${entity}${lastEvent === undefined ? '' : ` AND v.id <= ${lastEvent}`}`;
  const rows = tables.map((table, index) => {
    const values = properties
      .map((property, place) => `${valueSql(table, property, tables)} AS v${place + 1}`)
      .join(', ');
    const untilLast =
      lastEvent === undefined || !table.hasTimes
        ? ''
        : ` AND (p.value_time IS NULL OR p.value_time <= (SELECT time FROM event WHERE id = ${lastEvent}))`;
    return table.isOfEvents
      ? `SELECT v.time AS time, v.id AS event_id, v.id AS place, 0 AS rank, ${values}\n  FROM ${table.name} AS p JOIN event AS v ON v.id = p.event_id WHERE ${ofEntity}`
      : `SELECT ${table.hasTimes ? 'p.value_time' : 'NULL::TIMESTAMP'} AS time, NULL::BIGINT AS event_id, ${index - tables.length}::BIGINT AS place, ${table.hasTimes ? 'p.value_rank' : '0'} AS rank, ${values}\n  FROM ${table.name} AS p WHERE p.entity_id = ${entity}${untilLast}`;
  });
  const each = (make: (number: number) => string): string => properties.map((_, index) => make(index + 1)).join(', ');
  return `WITH held AS (
  ${rows.join('\n  UNION ALL\n  ')}
), valid AS (
  -- A missing value changes nothing. Of several events at one time the last one counts.
  SELECT time, event_id, place, ${each((n) => `last_value(v${n} IGNORE NULLS) OVER history AS v${n}`)},
    lead(place) OVER history IS NULL OR lead(time) OVER history IS DISTINCT FROM time AS is_last
  FROM held WINDOW history AS (ORDER BY time NULLS FIRST, place, rank)
)
SELECT time, event_id, ${each((n) => `lag(v${n}) OVER history AS old_${n}, v${n} AS new_${n}`)}
FROM valid WHERE is_last WINDOW history AS (ORDER BY time NULLS FIRST, place)`;
}

/** A value in a type that all tables share: text if they have different types for a property. */
function valueSql(table: ValuesTable, property: string, tables: readonly ValuesTable[]): string {
  const type = table.properties.get(property);
  if (type === undefined) return 'NULL';
  const column = `p.${identifiers.quote(property)}`;
  const value = type === 'time' ? `CASE WHEN isfinite(${column}) THEN ${column} END` : column;
  const isAgreed = tables.every(({ properties }) => (properties.get(property) ?? type) === type);
  return isAgreed && type !== 'string' ? value : `CAST(${value} AS VARCHAR)`;
}

/** The rows behind the values of a property of an entity: its changes, and the events at which they happen. */
export async function historyNumberSql(
  store: StoreReader,
  { entity: id, property }: HistoryNumber,
  options: StatementOptions,
): Promise<NumberSql> {
  const entity = Math.trunc(id);
  const tables = (await valuesTables(store, entity, options)).filter(({ properties }) => properties.has(property));
  const history =
    tables.length === 0
      ? 'SELECT NULL::TIMESTAMP AS time, NULL::BIGINT AS event_id, NULL AS old_value, NULL AS new_value WHERE false'
      : historySql(tables, [property], { entity }).replaceAll(/\b(old|new)_1\b/g, '$1_value');
  const counted = `WITH counted AS (\n  SELECT * FROM (\n${history}\n) AS history WHERE old_value IS DISTINCT FROM new_value\n)\n`;
  return {
    number: `${counted}SELECT count(*) AS n FROM counted`,
    events: `${counted}SELECT v.id AS event_id, v.time, v.activity, v.lifecycle, counted.old_value, counted.new_value
FROM counted JOIN event AS v ON v.id = counted.event_id ORDER BY v.id`,
    entities: `SELECT id AS entity_id, entity_type, key FROM entity WHERE id = ${entity}`,
    rows: `${counted}SELECT * FROM counted ORDER BY time NULLS FIRST, event_id`,
  };
}
