import { duckdbBuild } from '../server/src/import/build/build-dialect.ts';
import { compressTextsStep, quickTextsSql } from '../server/src/import/build/staging-steps.ts';

const { graph, storage } = duckdbBuild;

/**
 * The least statements known that write what an import of `data/ticket.csv` writes, with the same ids and order of rows:
 * the rows that are kept for the next import, and the tables of the graph without the process map. Types are given,
 * nothing is refused, counted or checked. For `openStaging`, whose files they fill.
 */
export function leastStatements(csv: string): readonly string[] {
  const code = (type: string, name: string): string => `CAST('${name}' AS ${storage.tables}.${type})`;
  const events = (change: boolean): string =>
    `SELECT "row", ${change} AS change, ${change ? 'rows.change' : 'start'} AS time, sequence, entity.id AS entity_id
      FROM rows_1 AS rows JOIN ${graph}.entity AS entity ON entity.key = rows.key
      WHERE start IS NOT NULL ${change ? 'AND rows.change IS NOT NULL AND rows.change <> start' : ''}`;
  const idsOf = (change: boolean): string => `(SELECT id, "row" FROM ranked WHERE ${change ? '' : 'NOT '}change)`;
  return [
    quickTextsSql,
    `CREATE TABLE element_1 AS SELECT * FROM read_csv('${csv.replaceAll("'", "''")}', auto_detect = false, header = true,
      delim = ',', quote = '"', escape = '"', columns = {'c1': 'VARCHAR', 'c2': 'TIMESTAMP', 'c3': 'TIMESTAMP', 'c4': 'BIGINT',
      'c5': 'VARCHAR', 'c6': 'BIGINT', 'c7': 'VARCHAR', 'c8': 'DOUBLE', 'c9': 'BOOLEAN', 'c10': 'VARCHAR'})`,
    ...compressTextsStep.statements.map(({ sql }) => sql),
    // Joins with keys out of the compressed staged rows take twice as long.
    'CREATE TEMP TABLE rows_1 AS SELECT rowid AS "row", c1 AS key, c2 AS start, c3 AS change, c4 AS sequence FROM element_1',
    `CREATE TABLE ${graph}.entity AS SELECT row_number() OVER () AS id, 'ticket' AS entity_type, key
      FROM (SELECT key FROM (SELECT DISTINCT key FROM rows_1 WHERE key IS NOT NULL) AS keys ORDER BY key) AS sorted`,
    `CREATE TEMP TABLE sorted AS SELECT "row", change, time, entity_id FROM (${events(false)} UNION ALL ${events(true)}) AS events
      ORDER BY time, sequence NULLS FIRST, change, "row"`,
    `CREATE TEMP VIEW ranked AS SELECT rowid + 1 AS id, * FROM sorted`,
    `CREATE TYPE ${storage.tables}.element AS ENUM ('Update Ticket')`,
    `CREATE TYPE ${storage.tables}.lifecycle AS ENUM ('change', 'start')`,
    `CREATE TABLE ${storage.tables}.coded_event AS SELECT id, ${code('element', 'Update Ticket')} AS element,
      CASE WHEN change THEN ${code('lifecycle', 'change')} ELSE ${code('lifecycle', 'start')} END AS lifecycle, time, entity_id FROM ranked`,
    `CREATE TABLE ${storage.tables}.row_properties_1 AS
      SELECT started.id AS start_event_id, changed.id AS change_event_id, c5 AS state, c6 AS priority, c7 AS assignment_group,
        c8 AS cost, c9 AS active, c10 AS description
      FROM element_1 AS staged JOIN ${idsOf(false)} AS started ON started."row" = staged.rowid
        LEFT JOIN ${idsOf(true)} AS changed ON changed."row" = staged.rowid`,
    `CREATE TEMP TABLE ordered AS SELECT (entity_id << 32) | CAST(id AS UINTEGER) AS entity_event FROM ranked ORDER BY entity_event`,
    `CREATE TABLE ${graph}.directly_follows AS
      SELECT entity_event >> 32 AS entity_id, previous & 4294967295 AS source_event_id, entity_event & 4294967295 AS target_event_id
      FROM (SELECT entity_event, lag(entity_event) OVER () AS previous FROM ordered) AS neighbours
      WHERE previous >> 32 = entity_event >> 32`,
    `CHECKPOINT ${graph}`,
    'SET max_vacuum_tasks = 0',
    'CHECKPOINT',
  ];
}

/** The tables of the graph that both write; `row_properties_1` and `coded_event` stand for the views of events. */
export const comparedTables = [
  ...['entity', 'directly_follows'].map((name) => `${graph}.${name}`),
  ...['coded_event', 'row_properties_1'].map((name) => `${storage.tables}.${name}`),
];
