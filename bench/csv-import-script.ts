/**
 * The floor: a hand-written DuckDB script for the tables of the import from `data/ticket.csv`, with the same event
 * order (time, sequence, start before change, file row) and ids.
 */
export function handWrittenScript(csv: string): readonly string[] {
  return [
    `CREATE TEMP TABLE ticket AS SELECT * FROM read_csv('${csv.replaceAll("'", "''")}', auto_detect = false, header = true,
      delim = ',', quote = '"', escape = '"', columns = {'ticket': 'VARCHAR', 'opened_at': 'TIMESTAMP', 'updated_at': 'TIMESTAMP',
      'seq': 'BIGINT', 'state': 'VARCHAR', 'priority': 'BIGINT', 'assignment_group': 'VARCHAR', 'cost': 'DOUBLE',
      'active': 'BOOLEAN', 'description': 'VARCHAR'})`,
    `CREATE TABLE entity AS SELECT row_number() OVER (ORDER BY key) AS id, 'ticket' AS entity_type, key
      FROM (SELECT DISTINCT ticket AS key FROM ticket WHERE ticket IS NOT NULL)`,
    `CREATE TEMP TABLE ranked AS
      SELECT row_number() OVER (ORDER BY time, seq NULLS FIRST, change, file_row) AS id, change, time, entity_id, file_row
      FROM (
        SELECT opened_at AS time, seq, false AS change, t.rowid AS file_row, e.id AS entity_id
        FROM ticket AS t JOIN entity AS e ON e.key = t.ticket WHERE opened_at IS NOT NULL
        UNION ALL
        SELECT updated_at, seq, true, t.rowid, e.id
        FROM ticket AS t JOIN entity AS e ON e.key = t.ticket
        WHERE opened_at IS NOT NULL AND updated_at IS NOT NULL AND updated_at <> opened_at
      )`,
    `CREATE TABLE event AS SELECT id, 'Update Ticket' AS element, 'Update Ticket' AS activity,
      CASE WHEN change THEN 'change' ELSE 'start' END AS lifecycle, time, entity_id FROM ranked`,
    `CREATE TABLE properties_1 AS SELECT r.id AS event_id, state, priority, assignment_group, cost, active, description
      FROM ranked AS r JOIN ticket AS t ON t.rowid = r.file_row`,
    `CREATE TABLE relation (relationship VARCHAR, source_entity_id BIGINT, target_entity_id BIGINT)`,
    `CREATE TABLE event_entity AS SELECT id AS event_id, entity_id, 'self' AS qualifier FROM event`,
    `CREATE TABLE directly_follows AS SELECT * FROM (
        SELECT entity_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id, event_id AS target_event_id
        FROM (SELECT DISTINCT event_id, entity_id FROM event_entity)
      ) WHERE source_event_id IS NOT NULL`,
    'CHECKPOINT',
  ];
}
