import assert from 'node:assert/strict';
import { csvSources, graphText, withGraph } from '../support/import-text.ts';

/** Two people who name each other, and another relationship that correlates events too. */
const files = {
  'entity-sources.yaml': csvSources(),
  'people.csv': 'id,born,friend,home\na,2024-01-01 10:00:00,b,h\nb,2024-01-02 10:00:00,a,h\n',
  'houses.csv': 'id,built\nh,2023-01-01 10:00:00\n',
  'graph.entity.yaml': graphText(
    `  - { activityName: Be Born, dataObject: people, key: id, entityType: person, startTimestamp: born }
  - { activityName: Build, dataObject: houses, key: id, entityType: house, startTimestamp: built }
`,
    `  - { name: knows, source: Be Born, target: Be Born, mappings: [{ source: friend, target: id }], correlate: both }
  - { name: lives in, source: Be Born, target: Build, mappings: [{ source: home, target: id }], correlate: both }
`,
  ),
};

describe('entities of one type that are related in both directions', () => {
  it('have each event of the other entity once', () =>
    withGraph(files, async (project) => {
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
      const correlations = `SELECT event.activity, own.key, entity.key, qualifier FROM event_entity
        JOIN event ON event.id = event_id JOIN entity ON entity.id = event_entity.entity_id JOIN entity AS own ON own.id = event.entity_id
        WHERE qualifier = 'knows' ORDER BY ALL`;
      assert.deepEqual(await project.rows(correlations), [
        ['Be Born', 'a', 'b', 'knows'],
        ['Be Born', 'b', 'a', 'knows'],
      ]);
      assert.equal((await project.rows('SELECT count(*) FROM directly_follows'))[0]?.[0], '6');
    }));
});
