import assert from 'node:assert/strict';
import { checkFile } from '../../server/src/check/check-file.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

describe('names that events repeat', () => {
  it('are texts in queries, even with more activities than are stored as codes', () => {
    const activities = Array.from({ length: 10_050 }, (_, index) =>
      index % 1000 === 999 ? '' : `Activity '${index}'`,
    );
    const rows = activities.map((activity, index) => `${index % 7},2024-01-01 00:00:00,${activity}`);
    const files = {
      'entity-sources.yaml': csvSources(),
      'log.csv': `id,at,activity\n${rows.join('\n')}\n`,
      'graph.entity.yaml': graphText(
        '  - { activityName: Do, dataObject: log, key: id, startTimestamp: at, activityColumn: activity }\n',
      ),
    };
    return withProject(files, async (project) => {
      const { store, error } = await project.import();
      assert.ok(store, error?.message);
      const named = activities.map((activity) => [activity === '' ? 'Do' : activity]);
      assert.deepEqual(await project.rows('SELECT activity FROM event ORDER BY id'), named);
      assert.deepEqual(
        await project.rows(
          'SELECT DISTINCT typeof(element), typeof(activity), typeof(lifecycle), element, lifecycle FROM event',
        ),
        [['VARCHAR', 'VARCHAR', 'VARCHAR', 'Do', 'start']],
      );
      assert.deepEqual(
        await project.rows('SELECT count(other_activity), count(activity) FROM entity_graph_storage.coded_event'),
        [['40', '10010']],
      );
      const { results } = await checkFile(store, new AbortController().signal);
      assert.deepEqual(
        results.filter(({ ok }) => !ok),
        [],
      );
    });
  });
});
