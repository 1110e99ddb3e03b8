import assert from 'node:assert/strict';
import { join } from 'node:path';
import { removeFolder } from '../support/temporary-folder.ts';
import { copySample, expectClean, importGraph, queryDuckDb } from './samples-import.ts';
import { withAllProcessors } from '../support/with-all-processors.ts';

describe('samples/incidents', () => {
  withAllProcessors();
  let folder = '';
  before(async () => (folder = await copySample('incidents')));
  after(() => removeFolder(folder));

  it('has no problems', async () => {
    await expectClean(join(folder, 'trail.entity.yaml'));
    await expectClean(join(folder, 'incidents.entity.yaml'));
  });

  it('imports the incident trail in its original order', async () => {
    const { totals, elements, rules, warnings, store } = await importGraph(join(folder, 'trail.entity.yaml'));
    assert.deepEqual(totals, { events: 5998, entities: 890, correlations: 5998, relations: 0, directlyFollows: 5108 });
    assert.deepEqual(elements, [
      {
        activityName: 'Update Incident',
        rows: 5998,
        events: 5998,
        entities: 890,
        rowsWithoutStart: 0,
        rowsWithoutKey: 0,
        activities: await statesByFrequency(folder),
      },
    ]);
    assert.deepEqual(warnings, []);
    assert.deepEqual(
      rules?.map(({ name, judged, broken, holds }) => ({ name, judged, broken, holds })),
      [
        {
          name: 'Resolved incidents are closed',
          judged: 890,
          broken: await notClosedAfterResolved(folder),
          holds: true,
        },
        { name: 'Incidents are closed once', judged: 890, broken: await notClosedOnce(folder), holds: false },
      ],
    );
    assert.deepEqual(await storyOfEachIncident(store), await storyInTheLog(folder));
    assert.deepEqual(await storyByDirectlyFollows(store), await storyInTheLog(folder));
  });

  it('import counts of opening, resolving, closing and callers equal independent SQL', async () => {
    const { totals, elements, relationships, store } = await importGraph(join(folder, 'incidents.entity.yaml'));
    const [expected] = await queryDuckDb(independentCounts(folder));
    assert.deepEqual(totals, expected);
    assert.deepEqual(
      elements.map(({ activityName, events, entities }) => [activityName, events, entities]),
      [
        ['Update Incident', 5998, 890],
        ['Open Incident', 890, 890],
        ['Resolve Incident', 861, 861],
        ['Close Incident', 890, 890],
        ['Contact Service Desk', 890, 639],
      ],
    );
    assert.deepEqual(relationships, [
      {
        name: 'reports',
        pairs: 890,
        source: { name: 'Contact Service Desk', entities: 639, related: 639 },
        target: { name: 'Open Incident', entities: 890, related: 890 },
      },
    ]);
    const [contacts] = await queryDuckDb(
      `SELECT count(*)::INT AS contacts, count(DISTINCT event_entity.event_id)::INT AS events FROM event_entity
       JOIN event ON event.id = event_id JOIN entity ON entity.id = event_entity.entity_id
       WHERE activity = 'Contact Service Desk' AND entity_type = 'incident'`,
      store,
    );
    // Each contact belongs to one incident, not to all of its caller.
    assert.deepEqual(contacts, { contacts: 890, events: 890 });
  });
});

/** The states of each incident in event order. */
function storyOfEachIncident(store: string): Promise<readonly Record<string, unknown>[]> {
  return queryDuckDb(
    `SELECT entity.key AS number, string_agg(event.activity, ' > ' ORDER BY event.id) AS story
     FROM event JOIN entity ON entity.id = event.entity_id GROUP BY 1 ORDER BY 1`,
    store,
  );
}

/** The same by following the edges: each one must lead to the next event. */
function storyByDirectlyFollows(store: string): Promise<readonly Record<string, unknown>[]> {
  return queryDuckDb(
    `WITH RECURSIVE walk AS (
       SELECT event.entity_id, event.id, event.activity AS story, 1 AS steps FROM event
       WHERE NOT EXISTS (SELECT 1 FROM directly_follows AS edge WHERE edge.target_event_id = event.id)
       UNION ALL
       SELECT walk.entity_id, edge.target_event_id, walk.story || ' > ' || event.activity, walk.steps + 1
       FROM walk JOIN directly_follows AS edge ON edge.entity_id = walk.entity_id AND edge.source_event_id = walk.id
       JOIN event ON event.id = edge.target_event_id
     )
     SELECT entity.key AS number, arg_max(walk.story, walk.steps) AS story
     FROM walk JOIN entity ON entity.id = walk.entity_id GROUP BY 1 ORDER BY 1`,
    store,
  );
}

/** Ties within a minute are resolved by `sys_mod_count`, further ties by the order in the file. */
function storyInTheLog(folder: string): Promise<readonly Record<string, unknown>[]> {
  return queryDuckDb(
    `WITH log AS (SELECT *, row_number() OVER () AS place FROM ${readLog(folder)})
     SELECT number, string_agg(incident_state, ' > ' ORDER BY sys_updated_at, sys_mod_count, place) AS story
     FROM log GROUP BY 1 ORDER BY 1`,
  );
}

async function statesByFrequency(folder: string): Promise<unknown> {
  const states = await queryDuckDb(
    `SELECT incident_state AS name FROM ${readLog(folder)} GROUP BY 1 ORDER BY count(*) DESC, 1`,
  );
  return { column: 'incident_state', names: states.map(({ name }) => name), count: states.length };
}

async function notClosedOnce(folder: string): Promise<number> {
  const [row] = await queryDuckDb(
    `SELECT count(*)::INT AS broken FROM (
       SELECT number FROM ${readLog(folder)} GROUP BY 1 HAVING count(*) FILTER (incident_state = 'Closed') <> 1
     )`,
  );
  return Number(row?.['broken']);
}

async function notClosedAfterResolved(folder: string): Promise<number> {
  const [row] = await queryDuckDb(
    `WITH log AS (SELECT number, incident_state, (sys_updated_at, sys_mod_count) AS place FROM ${readLog(folder)})
     SELECT count(DISTINCT number)::INT AS broken FROM log AS resolved
     WHERE incident_state = 'Resolved' AND NOT EXISTS (
       SELECT 1 FROM log WHERE number = resolved.number AND incident_state = 'Closed' AND place >= resolved.place
     )`,
  );
  return Number(row?.['broken']);
}

function independentCounts(folder: string): string {
  return `
    WITH log AS (SELECT * FROM ${readLog(folder)}),
    closing AS (
      SELECT number, any_value(caller_id) AS caller, bool_or(resolved_at IS NOT NULL) AS resolved FROM log
      WHERE incident_state = 'Closed' AND sys_mod_count = (SELECT max(m.sys_mod_count) FROM log AS m WHERE m.number = log.number)
      GROUP BY number
    ),
    incident AS (
      SELECT closing.number, caller, updates + 2 + CASE WHEN resolved THEN 1 ELSE 0 END AS own
      FROM closing JOIN (SELECT number, count(*) AS updates FROM log GROUP BY 1) USING (number)
    ),
    caller AS (SELECT caller, count(*) AS own, sum(own) AS of_incidents FROM incident GROUP BY 1),
    correlated AS (
      SELECT own + CASE WHEN caller IS NULL THEN 0 ELSE 1 END AS events FROM incident
      UNION ALL SELECT own + of_incidents FROM caller
    )
    SELECT
      (SELECT sum(own) FROM incident)::INT + (SELECT sum(own) FROM caller)::INT AS events,
      (SELECT count(*) FROM incident) + (SELECT count(*) FROM caller) AS entities,
      (SELECT sum(events) FROM correlated)::INT AS correlations,
      (SELECT count(*) FROM incident) AS relations,
      (SELECT sum(events - 1) FROM correlated)::INT AS "directlyFollows"`;
}

function readLog(folder: string): string {
  const file = join(folder, 'data/incident_event_log.csv').replaceAll("'", "''");
  return `read_csv('${file}', nullstr = '?', timestampformat = '%d-%m-%Y %H:%M')`;
}
