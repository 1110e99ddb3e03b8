/** A job for the measured process. */
export interface ImportOrder {
  /** The product's import, or the hand-written script. */
  readonly work: 'import' | 'script';
  /** Holds `data/ticket.csv`, `ticket.entity.yaml` and `entity-sources.yaml`. */
  readonly folder: string;
}

/** The result of the measured process. */
export interface ImportMeasurement {
  readonly seconds: number;
  /** Peak resident memory of the process, DuckDB's included. */
  readonly megabytes: number;
  /** Sizes of the tables, which must agree. */
  readonly totals: ImportTotals;
}

export interface ImportTotals {
  readonly events: number;
  readonly entities: number;
  readonly correlations: number;
  readonly relations: number;
  readonly directlyFollows: number;
}

/** `data/ticket.csv`: rows of ten columns, ten updates a ticket; every twentieth has no change of its own. */
export const ticketRows = (rows: number): string => `
SELECT 'T' || lpad(CAST((i * 7919) % ${rows / 10} AS VARCHAR), 7, '0') AS ticket,
  TIMESTAMP '2020-01-01' + to_seconds(i * 37) AS opened_at,
  TIMESTAMP '2020-01-01' + to_seconds(i * 37 + CASE WHEN i % 20 = 0 THEN 0 ELSE i % 86400 END) AS updated_at,
  i // ${rows / 10} AS seq,
  ['New', 'Active', 'Waiting', 'Resolved', 'Closed'][CAST(i % 5 AS INTEGER) + 1] AS state,
  i % 4 + 1 AS priority,
  CASE WHEN i % 7 <> 0 THEN 'group ' || i % 50 END AS assignment_group,
  (i * 125 % 1000000) / 100 AS cost,
  i % 3 = 0 AS active,
  'Short description number ' || i AS description
FROM range(${rows}) AS r(i)`;

export const sourcesFile = `version: 1
dataSources:
  files: { kind: csv, path: data/*.csv }
`;

export const entityFile = `version: 1
name: Tickets
dataSource: files
dataObjects: [ticket]
elements:
  - activityName: Update Ticket
    dataObject: ticket
    key: ticket
    entityType: ticket
    startTimestamp: opened_at
    changeTimestamp: updated_at
    sequence: seq
    properties: [state, priority, assignment_group, cost, active, description]
`;
