import { noEnd } from '../analysis/event-place.ts';
import type { StatementOptions, StoreReader } from '../store/duckdb-store.ts';

/** Of this connection: the rows of `directly_follows` with both events. */
export const stepTable = 'temp.finding_step';
/** Of this connection: each entity with its first and last event, ends apart. */
export const caseTable = 'temp.finding_case';
/** Of this connection: the ids of the events of each finding, by its number. */
export const flaggedTable = 'temp.finding_flagged';

/** Creates the tables that several kinds read. Rejects as the store does. */
export async function createStepTables(store: StoreReader, options: StatementOptions): Promise<void> {
  await store.run(
    `CREATE OR REPLACE TEMP TABLE finding_step AS
SELECT f.entity_id, e.entity_type, f.source_event_id, f.target_event_id, s.element AS source_element, t.element AS target_element,
  s.activity AS source_activity, t.activity AS target_activity, s.time AS source_time, t.time AS target_time
FROM directly_follows AS f JOIN event AS s ON s.id = f.source_event_id JOIN event AS t ON t.id = f.target_event_id
JOIN entity AS e ON e.id = f.entity_id`,
    options,
  );
  await store.run(
    `CREATE OR REPLACE TEMP TABLE finding_case AS
SELECT e.entity_type, c.*, f.activity AS first_activity, l.activity AS last_activity, f.time AS first_time, l.time AS last_time
FROM (
  SELECT c.entity_id, min(c.event_id) AS first_id, max(c.event_id) AS last_id, count(DISTINCT c.event_id) AS events
  FROM event_entity AS c JOIN event AS v ON v.id = c.event_id WHERE ${noEnd('v')} GROUP BY c.entity_id
) AS c JOIN entity AS e ON e.id = c.entity_id JOIN event AS f ON f.id = c.first_id JOIN event AS l ON l.id = c.last_id`,
    options,
  );
  await store.run('CREATE OR REPLACE TEMP TABLE finding_flagged (finding INTEGER, id BIGINT)', options);
}

/** Drops them, and those of single kinds. */
export async function dropStepTables(store: StoreReader): Promise<void> {
  const kinds = [
    'once',
    'disorder',
    'burst',
    'wait',
    'number',
    'value',
    'changed',
    'key',
    'diverging',
    'variant',
    'violation',
  ];
  const own = kinds.map((kind) => `temp.finding_${kind}`);
  for (const table of [stepTable, caseTable, flaggedTable, ...own]) {
    await store.run(`DROP TABLE IF EXISTS ${table}`).catch(() => undefined);
  }
}
