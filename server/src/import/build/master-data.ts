import type { LoadResult, StagedColumn } from '../../connectors/connector.ts';
import {
  entityPropertiesColumns,
  entityPropertiesTable,
  entityValuesColumns,
  entityValuesTable,
} from '../../graph-schema/table-names.ts';
import type { MasterDataPlan } from '../plan-import.ts';
import { keySql, stagedText } from './key-sql.ts';
import { propertyColumnsSql, propertyNames } from './properties.ts';
import type { GraphShape } from './rows.ts';
import { type StagedExpectations, stagedColumns, stagedExpectations } from './staged-element.ts';
import { type StagedTime, utcTime } from './utc-time.ts';

/** An entry of `entities` whose rows are in the staging database. */
export interface StagedMasterData {
  readonly plan: MasterDataPlan;
  /** Rows that were staged. */
  readonly rows: number;
  readonly columns: readonly StagedColumn[];
  readonly key: readonly StagedColumn[];
  /** The columns of `expect`, as in its query. */
  readonly expect?: StagedExpectations;
  readonly properties: readonly StagedColumn[];
  /** The time from which the values of a row hold; present if entities have versions. */
  readonly validFrom?: StagedTime | undefined;
  readonly rowOrder?: StagedColumn | undefined;
}

export function stagedMasterData(plan: MasterDataPlan, loaded: LoadResult): StagedMasterData {
  const { roles, columns: names } = plan.query;
  const column = stagedColumns(names, loaded, plan.name);
  const since = roles.validFrom === undefined ? undefined : column(roles.validFrom);
  return {
    plan,
    rows: loaded.sourceRows,
    columns: loaded.columns,
    key: roles.key.map(column),
    ...stagedExpectations(roles.expect, column),
    properties: roles.properties.map(column),
    validFrom: since && roles.isValidFromEndOfDay === true ? { ...since, isEndOfDay: true } : since,
    rowOrder: roles.rowOrder === undefined ? undefined : column(roles.rowOrder),
  };
}

/** The table of the rows that count: the last one of each key, or all where rows are versions. */
export function entityRowsTable({ plan }: StagedMasterData): string {
  return `entity_rows_${plan.number}`;
}

/**
 * Creates `entity_rows_<n>`: `row` (place of the staged row) and `key`, one row for each key. Of several rows with one
 * key the last one counts: by its place in the file, then by the canonical text of the whole row. Where rows are
 * versions, all count: `since` is their time, and `place` their order within the key, by time and then as above.
 */
export function createEntityRowsSql(entry: StagedMasterData, shape: GraphShape): string {
  const { build, canonical, identifiers } = shape.dialect;
  const { columns, key, validFrom, rowOrder, plan } = entry;
  const text = build.sortedText(canonical.row(columns.map((column) => stagedText(column, shape))));
  // Joins may make several rows of one row of a file, in any order: their texts decide.
  const placeInFile = rowOrder ? [rowOrder.stagedAs, text, 'rowid'] : ['rowid'];
  const order = shape.hasRowOrder ? placeInFile : [text, 'rowid'];
  const isWhole = key.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ');
  const from = `${identifiers.quote(plan.table)} WHERE ${isWhole}`;
  const keyOfRow = keySql(key, shape);
  const create = `${build.createStaging} ${entityRowsTable(entry)} AS`;
  const place = (by: readonly string[]): string =>
    `row_number() OVER (PARTITION BY ${keyOfRow} ORDER BY ${by.join(', ')}) AS place`;
  if (validFrom) {
    const since = fromStart(utcTime(validFrom, shape));
    return `${create}
    SELECT rowid AS "row", ${keyOfRow} AS key, ${since} AS since, ${place([`${since} NULLS FIRST`, ...order])}
    FROM ${from}`;
  }
  return `${create}
    SELECT "row", key FROM (
      SELECT rowid AS "row", ${keyOfRow} AS key, ${place(order.map((each) => `${each} DESC`))}
      FROM ${from}
    ) AS placed WHERE place = 1`;
}

/** NULL for values that hold from the start. OCEL gives these values the time 1970-01-01. */
function fromStart(time: string): string {
  return `nullif(${time}, TIMESTAMP '1970-01-01 00:00:00')`;
}

/** The rows that count, with the entity and the property values of each. */
function entitiesOfRows(entry: StagedMasterData, { dialect }: GraphShape): string {
  const { plan } = entry;
  const { identifiers, literals, graph } = dialect;
  return `${entityRowsTable(entry)} AS rows JOIN ${identifiers.quote(plan.table)} AS staged ON staged.rowid = rows."row"
      JOIN ${graph}.entity AS entity ON entity.key = rows.key AND entity.entity_type = ${literals.quote(plan.entityType)}`;
}

/**
 * Creates `entity_values_<n>`: the selected properties of each entity of an entry, with the time from which they hold.
 * Times are UTC, as in `event`.
 */
export function createEntityValuesSql(entry: StagedMasterData, shape: GraphShape): string {
  const columns = propertyColumnsSql(entry.properties, entityValuesColumns, shape);
  return `CREATE TABLE ${shape.dialect.graph}.${entityValuesTable(entry.plan.number)} AS SELECT ${['entity.id AS entity_id', 'rows.since AS value_time', 'rows.place AS value_rank', ...columns].join(', ')}
    FROM ${entitiesOfRows(entry, shape)} ORDER BY entity.id, rows.place`;
}

/**
 * Creates `entity_properties_<n>`: the selected properties of each entity of an entry. Times are UTC, as in `event`.
 */
export function createEntityPropertiesSql(entry: StagedMasterData, shape: GraphShape): string {
  const table = `${shape.dialect.graph}.${entityPropertiesTable(entry.plan.number)}`;
  if (entry.validFrom) return `CREATE TABLE ${table} AS ${lastValuesSql(entry, shape)}`;
  const columns = propertyColumnsSql(entry.properties, entityPropertiesColumns, shape);
  return `CREATE TABLE ${table} AS SELECT ${['entity.id AS entity_id', ...columns].join(', ')}
    FROM ${entitiesOfRows(entry, shape)} ORDER BY entity.id`;
}

/** The names of the properties in `entity_properties_<n>`, where versions have those of `entity_values_<n>`. */
export function entityPropertyNames({ properties, validFrom }: StagedMasterData): readonly string[] {
  return propertyNames(properties, validFrom ? entityValuesColumns : entityPropertiesColumns);
}

/** The last value of each property that is not NULL, computed in one pass over the values. */
function lastValuesSql({ plan, properties }: StagedMasterData, { dialect }: GraphShape): string {
  const values = `${dialect.graph}.${entityValuesTable(plan.number)}`;
  const names = propertyNames(properties, entityValuesColumns).map(dialect.identifiers.quote);
  const columns = properties.map(({ stagedType }, index) => {
    const name = names[index] ?? '';
    return `${dialect.build.lastKnown(name, 'value_rank', stagedType)} AS ${name}`;
  });
  return `SELECT ${['entity_id', ...columns].join(', ')}
    FROM ${values} GROUP BY entity_id ORDER BY entity_id`;
}
