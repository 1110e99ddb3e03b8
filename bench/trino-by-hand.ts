/** How many ranges cut the order of entities and of events, as in the build. */
const ranges = 256;
const percentiles = `transform(sequence(1, ${ranges - 1}), i -> i / ${ranges}e0)`;

/** A number in the order of the first characters behind the one that all keys of a type share. */
const keyNumber = (key: string): string =>
  `CAST(from_big_endian_64(X'0000' || rpad(substr(to_utf8(substr(${key}, 2, 6)), 1, 6), 6, X'00')) AS double)`;

const timeNumber = "round(to_unixtime(with_timezone(time, 'UTC')) * 1e6)";

/** The statements that count the rows of each range, and number all rows by the count of the ranges before. @param order of the rows in a range */
function ranked(table: string, name: string, number: string, kind: string, order: string, columns: string): string[] {
  const cut = `SELECT t.*, 1000 * ${kind} + width_bucket(${number}, element_at(b.bounds, ${kind})) AS part FROM ${table} AS t CROSS JOIN ${table}_bounds AS b`;
  return [
    `CREATE TABLE ${table}_bounds AS SELECT map_agg(kind, bounds) AS bounds FROM (SELECT ${kind} AS kind, array_sort(array_distinct(approx_percentile(${number}, ${percentiles}))) AS bounds FROM ${table} GROUP BY 1) AS ranges`,
    `CREATE TABLE ${table}_offsets AS SELECT map_agg(part, before) AS offsets FROM (SELECT part, sum(size) OVER (ORDER BY part) - size AS before FROM (SELECT part, count(*) AS size FROM (${cut}) AS cut GROUP BY part) AS sizes) AS ranges`,
    `CREATE TABLE ${name} AS SELECT before + row_number() OVER (PARTITION BY part ORDER BY ${order}) AS id, ${columns} FROM (SELECT cut.*, element_at(offsets, part) AS before FROM (${cut}) AS cut CROSS JOIN ${table}_offsets AS o) AS placed`,
  ];
}

/**
 * The tables of the graph of `trino.ts` as an expert would write them who knows the data: no ties, no missing values, and
 * values of rows that go along with their events instead of being joined again. Names without schema are of the session.
 * @param source schema of the rows
 */
export function graphByHand(source: string): readonly string[] {
  const event = (kind: string, time: string): string =>
    `SELECT 1 AS element, ${kind} AS change, ${time} AS time, entity.id AS entity_id, state, priority, cost FROM ${source}.ticket AS t JOIN entity ON entity.key = t.ticket AND entity.entity_type = 'ticket'`;
  const none = 'CAST(NULL AS bigint), CAST(NULL AS bigint), CAST(NULL AS decimal(12, 2))';
  const name = "(ARRAY['Update Ticket', 'Join'])[element]";
  return [
    `CREATE TABLE entity_keys AS SELECT DISTINCT 'ticket' AS entity_type, BIGINT '1' AS kind, ticket AS key FROM ${source}.ticket UNION ALL SELECT DISTINCT 'customer', BIGINT '0', CAST(id AS varchar) FROM ${source}.customer`,
    ...ranked(
      'entity_keys',
      'entity',
      `CASE kind WHEN 1 THEN ${keyNumber('key')} ELSE ${keyNumber("' ' || key")} END`,
      'kind',
      'key',
      'entity_type, key',
    ),
    `CREATE TABLE unranked AS ${event('false', 'opened_at')} UNION ALL ${event('true', 'updated_at')} WHERE updated_at <> opened_at
     UNION ALL SELECT 2, false, since, entity.id, ${none} FROM ${source}.customer AS c JOIN entity ON entity.key = CAST(c.id AS varchar) AND entity.entity_type = 'customer'`,
    ...ranked(
      'unranked',
      'ranked',
      timeNumber,
      "BIGINT '0'",
      'time, change, element, entity_id, state, priority, cost',
      'element, change, time, entity_id, state, priority, cost',
    ),
    `CREATE TABLE event AS SELECT id, ${name} AS element, ${name} AS activity, CASE WHEN change THEN 'change' ELSE 'start' END AS lifecycle, time, entity_id FROM ranked ORDER BY id`,
    'CREATE TABLE properties_1 AS SELECT id AS event_id, state, priority, cost FROM ranked WHERE element = 1 ORDER BY id',
    `CREATE TABLE relation AS SELECT DISTINCT 'opens' AS relationship, s.id AS source_entity_id, e.id AS target_entity_id FROM ${source}.customer AS c
     JOIN ${source}.ticket AS t ON t.customer = c.id JOIN entity AS s ON s.key = CAST(c.id AS varchar) AND s.entity_type = 'customer' JOIN entity AS e ON e.key = t.ticket AND e.entity_type = 'ticket'`,
    `CREATE TABLE event_entity AS SELECT id AS event_id, entity_id, 'self' AS qualifier FROM event
     UNION ALL SELECT event.id, r.target_entity_id, r.relationship FROM relation AS r JOIN event ON event.entity_id = r.source_entity_id
     UNION ALL SELECT event.id, r.source_entity_id, r.relationship FROM relation AS r JOIN event ON event.entity_id = r.target_entity_id`,
    `CREATE TABLE directly_follows AS SELECT entity_id, source_event_id, target_event_id FROM (SELECT entity_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id, event_id AS target_event_id FROM event_entity) AS neighbours WHERE source_event_id IS NOT NULL`,
  ];
}
