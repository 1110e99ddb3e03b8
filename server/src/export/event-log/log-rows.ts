import type { StatementOptions, StoreReader } from '../../store/duckdb-store.ts';
import type { ValueType } from '../../graph-schema/value-type.ts';
import { type ElementProperty, elementTables, mergedProperties } from '../element-tables.ts';
import { masterDataTables } from '../master-data-tables.ts';
import { rowsOfAll } from '../ocel/rows-of-all.ts';
import { quoteIdentifier, embeddedLiteral } from '../../query/quote.ts';

/** The events of the entities of one type, a row for each event and entity: an event of several entities is in the case of each. */
interface LogRows {
  /** A query of `case_id` (the number of the entity), `case_key`, `event_id`, `activity`, `time`, `lifecycle`, `element` and the columns of `values`, in any order. */
  readonly sql: string;
  /** Properties of the events. */
  readonly values: readonly LogValue[];
}

export interface LogValue {
  readonly name: string;
  readonly valueType: ValueType;
  /** In the query: `v1`, `v2`, …; of cases `c1`, `c2`, … */
  readonly column: string;
  /** Every table has it. */
  readonly isOfAll: boolean;
}

/** @param valueSql SQL of a value of this property, which `column` names; where elements disagree about its type, its text is taken */
export async function readLogRows(
  store: StoreReader,
  entityType: string,
  valueSql: ValueSql,
  options: StatementOptions,
): Promise<LogRows> {
  const { values, queries } = valuesOf(await elementTables(store), { prefix: 'v', id: 'event_id', valueSql });
  const held = queries.length === 0 ? undefined : await rowsOfAll(store, 'log_value', queries, options);
  const own = values.map(({ column }) => `, held.${column}`).join('');
  return {
    values,
    sql: `SELECT entity.id AS case_id, entity.key AS case_key, event.id AS event_id, event.activity, event.time, event.lifecycle, event.element${own}
      FROM (SELECT DISTINCT event_id, entity_id FROM event_entity) AS pair
        JOIN entity ON entity.id = pair.entity_id AND entity.entity_type = ${embeddedLiteral(entityType)}
        JOIN event ON event.id = pair.event_id${held === undefined ? '' : ` LEFT JOIN (${held}) AS held ON held.event_id = event.id`}`,
  };
}

/** Attributes that an export adds to every event, besides its case, activity and time. */
const ownAttributes = ['lifecycle', 'event_id', 'element'] as const;
export type OwnAttribute = (typeof ownAttributes)[number];

/**
 * Properties of all elements replace added attributes of the same name, so that a log that was exported before is
 * exported again unchanged. `event_id` has another name in the store if it is taken.
 */
export function takePlaces(values: readonly LogValue[]): {
  readonly own: Partial<Record<OwnAttribute, LogValue>>;
  readonly others: readonly LogValue[];
} {
  const own = Object.fromEntries(
    ownAttributes.flatMap((name) => {
      const value = values.find((each) => each.isOfAll && each.name.replace(/^(event_id)~2$/, '$1') === name);
      return value ? [[name, value]] : [];
    }),
  );
  return { own, others: values.filter((value) => !Object.values(own).includes(value)) };
}

/** Values of the entities of one type that their entries of `entities` give. */
export interface CaseValues {
  /** A query of `case_id` and the columns of `values`, one row for each entity with values. Undefined without any. */
  readonly sql: string | undefined;
  readonly values: readonly LogValue[];
}

/**
 * If several entries have a value of an entity, the last one in the file counts
 * (docs/semantics.md#105-values-over-time).
 */
export async function readCaseValues(
  store: StoreReader,
  entityType: string,
  valueSql: ValueSql,
  options: StatementOptions,
): Promise<CaseValues> {
  const tables = (await masterDataTables(store)).filter((each) => each.entityType === entityType);
  const { values, queries } = valuesOf(tables, { prefix: 'c', id: 'entity_id', valueSql });
  if (queries.length === 0) return { sql: undefined, values };
  const placed = queries.map((query, index) => `SELECT *, ${index} AS place FROM (${query})`);
  const all = await rowsOfAll(store, 'case_value', placed, options);
  const lasts = values.map(
    ({ column }) => `last(${column} ORDER BY place) FILTER (WHERE ${column} IS NOT NULL) AS ${column}`,
  );
  return { sql: `SELECT entity_id AS case_id, ${lasts.join(', ')} FROM (${all}) GROUP BY 1`, values };
}

type ValueSql = (column: string, property: ElementProperty) => string;

/** The merged properties of tables, and a query for each table of its id and all of these. */
function valuesOf(
  tables: readonly { readonly table: string; readonly properties: readonly ElementProperty[] }[],
  { prefix, id, valueSql }: { readonly prefix: string; readonly id: string; readonly valueSql: ValueSql },
): { readonly values: readonly LogValue[]; readonly queries: readonly string[] } {
  const used = tables.filter(({ properties }) => properties.length > 0);
  const values = mergedProperties(used).map((merged, index) => ({
    ...merged,
    column: `${prefix}${index + 1}`,
    isOfAll: tables.every(({ properties }) => properties.some(({ name }) => name === merged.name)),
  }));
  const queries = used.map(({ table, properties }) => {
    const columns = values.map(({ name, valueType, column }) => {
      const own = properties.find((property) => property.name === name);
      if (!own) return `NULL AS ${column}`;
      const value = valueSql(quoteIdentifier(name), own);
      return `${own.valueType === valueType ? value : `CAST(${value} AS VARCHAR)`} AS ${column}`;
    });
    return `SELECT ${id}, ${columns.join(', ')} FROM ${quoteIdentifier(table)}`;
  });
  return { values, queries };
}

/** Unique names of the properties, also distinct from `taken`. @param plain normalises a name for the format */
export function freeNames(
  values: readonly LogValue[],
  taken: readonly string[],
  plain: (name: string) => string,
): readonly string[] {
  const known = new Set(taken.map((name) => name.toLowerCase()));
  return values.map(({ name }) => {
    let free = plain(name);
    for (let number = 2; known.has(free.toLowerCase()); number += 1) free = `${plain(name)}_${number}`;
    known.add(free.toLowerCase());
    return free;
  });
}
