/** An event log: each event is one of an order, about a customer, and about the items that it lists. */
export const logGraphFile = `version: 1
name: Log
dataSource: files
elements:
  - activityName: Log
    dataObject: log
    key: order_no
    entityType: order
    startTimestamp: happened
    activityColumn: step
    properties: [amount]
    correlatesWith:
      - { entityType: customer, key: customer }
      - { entityType: item, key: items, separator: ";", qualifier: about }
`;

/** The rows of `log.csv`: ten events an order, one or two items an event; 40 events a customer, 150 an item. */
export function logRows(events: number): string {
  const [orders, customers, items] = [events / 10, events / 40, events / 100];
  return `SELECT TIMESTAMP '2020-01-01' + to_seconds(i * 3) AS happened, 'Step ' || (i // ${orders} + i % 3) AS step, i % ${orders} AS order_no,
    'C' || (i * 7919) % ${customers} AS customer,
    'I' || (i * 31) % ${items} || CASE WHEN i % 2 = 0 THEN ';I' || (i * 17 + 5) % ${items} ELSE '' END AS items,
    (i * 125 % 1000000) / 100 AS amount FROM range(${events}) AS r(i)`;
}

/** The floor: the same tables by a hand-written script on the file of `folder`, but those of the process map. */
export function handWrittenLog(folder: string): readonly string[] {
  return [
    `CREATE TEMP TABLE log AS SELECT * FROM read_csv('${folder}/data/log.csv', auto_detect = false, header = true, delim = ',', quote = '"', escape = '"',
      columns = {'happened': 'TIMESTAMP', 'step': 'VARCHAR', 'order_no': 'VARCHAR', 'customer': 'VARCHAR', 'items': 'VARCHAR', 'amount': 'DOUBLE'})`,
    `CREATE TEMP TABLE listed AS SELECT row, item FROM (SELECT rowid AS row, unnest(string_split(items, ';')) AS item FROM log) WHERE item <> ''`,
    `CREATE TABLE entity AS SELECT row_number() OVER (ORDER BY entity_type, key) AS id, entity_type, key FROM (
      SELECT 'customer' AS entity_type, customer AS key FROM log WHERE customer IS NOT NULL UNION SELECT 'item', item FROM listed
      UNION SELECT 'order', order_no FROM log WHERE order_no IS NOT NULL)`,
    `CREATE TEMP TABLE ranked AS SELECT row_number() OVER (ORDER BY happened, log.rowid) AS id, log.rowid AS row, happened AS time, entity.id AS entity_id
      FROM log JOIN entity ON entity.key = order_no AND entity_type = 'order'`,
    `CREATE TABLE event AS SELECT id, 'Log' AS element, step AS activity, 'start' AS lifecycle, time, entity_id
      FROM ranked JOIN log ON log.rowid = row ORDER BY id`,
    `CREATE TABLE properties_1 AS SELECT id AS event_id, amount FROM ranked JOIN log ON log.rowid = row ORDER BY 1`,
    `CREATE TABLE relation (relationship VARCHAR, source_entity_id BIGINT, target_entity_id BIGINT)`,
    `CREATE TABLE event_entity AS SELECT id AS event_id, entity_id, 'self' AS qualifier FROM ranked
      UNION ALL SELECT ranked.id, entity.id, 'customer' FROM ranked JOIN log ON log.rowid = row JOIN entity ON key = customer AND entity_type = 'customer'
      UNION ALL (SELECT DISTINCT ranked.id, entity.id, 'about' FROM ranked JOIN listed USING (row) JOIN entity ON key = item AND entity_type = 'item')`,
    `CREATE TABLE directly_follows AS SELECT * FROM (
        SELECT entity_id, lag(event_id) OVER (PARTITION BY entity_id ORDER BY event_id) AS source_event_id, event_id AS target_event_id FROM event_entity
      ) WHERE source_event_id IS NOT NULL`,
    'CHECKPOINT',
  ];
}

/** The floor with the process map: distinct events of each activity, and exact quantiles of the time between two. */
export function handWrittenMap(folder: string): readonly string[] {
  const script = handWrittenLog(folder);
  return [
    ...script.slice(0, -1),
    `CREATE TABLE process_map_activity AS SELECT entity_type, activity, count(DISTINCT event_id) AS events
      FROM event_entity JOIN event ON event.id = event_id JOIN entity ON entity.id = event_entity.entity_id GROUP BY ALL ORDER BY ALL`,
    `CREATE TABLE process_map_path AS SELECT entity_type, source AS source_activity, target AS target_activity, steps, quantiles[1] AS median, quantiles[2] AS p90 FROM (
        SELECT entity_type, source.activity AS source, target.activity AS target, count(*) AS steps,
          quantile_cont((epoch_us(target.time) - epoch_us(source.time)) / 1000, [0.5, 0.9]) AS quantiles
        FROM directly_follows JOIN event AS source ON source.id = source_event_id JOIN event AS target ON target.id = target_event_id
          JOIN entity ON entity.id = directly_follows.entity_id GROUP BY ALL
      ) ORDER BY ALL`,
    ...script.slice(-1),
  ];
}
