/** A job for the measured process: stages both ends as an import does, and joins them. */
export interface CrossSourceOrder {
  /** Each round joins them as the import does, and by hand over the same tables; without rounds, only the former once. */
  readonly rounds: number;
  /** Holds `graph.entity.yaml`, `entity-sources.yaml` and the files of both data sources. */
  readonly folder: string;
  readonly relationship: RelationshipName;
  /** Memory limit of DuckDB; default: the limit of imports. */
  readonly memory?: number;
}

export interface CrossSourceMeasurement {
  /** Seconds of each join. */
  readonly joins: readonly number[];
  readonly byHand: readonly number[];
  /** Peak resident memory of the whole process: staging the ends, and the join. */
  readonly megabytes: number;
  /** Numbers of pairs, which must agree. */
  readonly pairs: readonly number[];
}

export type RelationshipName = 'by text' | 'by number';

/** The source of the tickets: a CSV file, as is usual, or a DuckDB file. */
export type DeskKind = 'csv' | 'duckdb';

export const sourcesTexts: Readonly<Record<DeskKind, string>> = {
  csv: sourcesText(
    '{ kind: csv, path: desk/*.csv, files: { tickets.csv: { types: { id: VARCHAR, caller: VARCHAR, number: BIGINT, opened: TIMESTAMP } } } }',
  ),
  duckdb: sourcesText('{ kind: duckdb, path: desk/tickets.duckdb }'),
};

function sourcesText(desk: string): string {
  return `version: 1
dataSources:
  shop: { kind: duckdb, path: shop.duckdb }
  desk: ${desk}
`;
}

export const graphText = `version: 1
name: Orders and tickets
dataSource: shop
dataObjects: [orders, { source: desk, objects: [tickets] }]
elements:
  - { activityName: Place Order, dataObject: orders, key: id, entityType: order, startTimestamp: placed }
  - { activityName: Open Ticket, dataSource: desk, dataObject: tickets, key: id, entityType: ticket, startTimestamp: opened }
relationships:
  - { name: by text, source: Open Ticket, target: Place Order, mappings: [{ source: caller, target: contact }] }
  - { name: by number, source: Open Ticket, target: Place Order, mappings: [{ source: number, target: number }] }
`;

/** The rows of both sides: each ticket finds an order, in another order than they are stored. */
export function rowsOf(rows: number): { readonly orders: string; readonly tickets: string } {
  return {
    orders: `SELECT i AS id, 'contact ' || i AS contact, i * 3 AS number, TIMESTAMP '2020-01-01' + to_seconds(i * 37) AS placed FROM range(${rows}) AS r(i)`,
    tickets: `SELECT 'T' || i AS id, 'contact ' || (i * 7919) % ${rows} AS caller, (i * 7919) % ${rows} * 3 AS number,
      TIMESTAMP '2020-01-02' + to_seconds(i * 37) AS opened FROM range(${rows}) AS r(i)`,
  };
}

/** The join as an expert would write it for the staged tables: distinct pairs of keys as texts. */
export function joinByHand(
  relationship: RelationshipName,
  staged: { readonly source: StagedNames; readonly target: StagedNames },
): string {
  const { source, target } = staged;
  const column = relationship === 'by text' ? (['caller', 'contact'] as const) : (['number', 'number'] as const);
  return `CREATE TABLE by_hand AS SELECT DISTINCT s.${source.column('id')} AS source, CAST(t.${target.column('id')} AS VARCHAR) AS target
    FROM "${source.table}" AS s JOIN "${target.table}" AS t ON s.${source.column(column[0])} = t.${target.column(column[1])}`;
}

interface StagedNames {
  readonly table: string;
  /** The staged name of a column of the data object. */
  column(name: string): string;
}
