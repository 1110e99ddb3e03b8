import type { LoadResult, StagedColumn } from '../../connectors/connector.ts';
import { entityPropertiesColumns, entityPropertiesTable } from '../../graph-schema/table-names.ts';
import type { MasterDataPlan } from '../plan-import.ts';
import { keySql, stagedText } from './key-sql.ts';
import { propertyColumnsSql } from './properties.ts';
import type { GraphShape } from './rows.ts';
import { type StagedExpectations, stagedColumns, stagedExpectations } from './staged-element.ts';

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
  readonly rowOrder?: StagedColumn;
}

export function stagedMasterData(plan: MasterDataPlan, loaded: LoadResult): StagedMasterData {
  const { roles, columns: names } = plan.query;
  const column = stagedColumns(names, loaded, plan.name);
  return {
    plan,
    rows: loaded.sourceRows,
    columns: loaded.columns,
    key: roles.key.map(column),
    ...stagedExpectations(roles.expect, column),
    properties: roles.properties.map(column),
    ...(roles.rowOrder !== undefined && { rowOrder: column(roles.rowOrder) }),
  };
}

/** The table of the rows that count: the last one of each key. */
export function entityRowsTable({ plan }: StagedMasterData): string {
  return `entity_rows_${plan.number}`;
}

/**
 * Creates `entity_rows_<n>`: `row` (place of the staged row) and `key`, one row for each key. Of several rows with one
 * key the last one counts: by its place in the file, then by the canonical text of the whole row.
 */
export function createEntityRowsSql(entry: StagedMasterData, shape: GraphShape): string {
  const { build, canonical, identifiers } = shape.dialect;
  const { columns, key, rowOrder, plan } = entry;
  const text = build.sortedText(canonical.row(columns.map((column) => stagedText(column, shape))));
  // Joins may make several rows of one row of a file, in any order: their texts decide.
  const place = rowOrder ? [rowOrder.stagedAs, text, 'rowid'] : ['rowid'];
  const order = shape.hasRowOrder ? place : [text, 'rowid'];
  const descending = order.map((each) => `${each} DESC`).join(', ');
  const isWhole = key.map(({ stagedAs }) => `${stagedAs} IS NOT NULL`).join(' AND ');
  const keyText = keySql(key, shape);
  return `${build.createStaging} ${entityRowsTable(entry)} AS
    SELECT "row", key FROM (
      SELECT rowid AS "row", ${keyText} AS key, row_number() OVER (PARTITION BY ${keyText} ORDER BY ${descending}) AS place
      FROM ${identifiers.quote(plan.table)} WHERE ${isWhole}
    ) AS placed WHERE place = 1`;
}

/** Creates `entity_properties_<n>`: the selected properties of each entity of an entry. Times are UTC, as in `event`. */
export function createEntityPropertiesSql(entry: StagedMasterData, shape: GraphShape): string {
  const { plan, properties } = entry;
  const { identifiers, literals, graph } = shape.dialect;
  const columns = propertyColumnsSql(properties, entityPropertiesColumns, shape);
  return `CREATE TABLE ${graph}.${entityPropertiesTable(plan.number)} AS SELECT ${['entity.id AS entity_id', ...columns].join(', ')}
    FROM ${entityRowsTable(entry)} AS rows JOIN ${identifiers.quote(plan.table)} AS staged ON staged.rowid = rows."row"
      JOIN ${graph}.entity AS entity ON entity.key = rows.key AND entity.entity_type = ${literals.quote(plan.entityType)} ORDER BY entity.id`;
}
