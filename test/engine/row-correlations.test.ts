import assert from 'node:assert/strict';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

describe('row correlations', () => {
  it('correlate start and change events of a row with the entities that it names, not transitively', async () => {
    const files = {
      'entity-sources.yaml': csvSources(),
      'contacts.csv':
        'id,at,closed,incident,tags\nc1,2024-01-01 10:00,2024-01-01 11:00,i1,"[""x"", ""y"", ""x"", null, """", 1.50, 7, true]"\nc2,2024-01-02 10:00,,i9,\n,2024-01-03 10:00,,i2,\nc4,,,i3,[]\n',
      'incidents.csv': 'number,opened\ni1,2024-01-01 09:00\ni2,2024-01-02 09:00\n',
      'graph.entity.yaml': graphText(
        `  - activityName: Call
    dataObject: contacts
    key: id
    startTimestamp: at
    changeTimestamp: closed
    correlatesWith:
      - { entityType: incident, key: incident, qualifier: about }
      - { entityType: tag, key: tags, each: list }
  - { activityName: Open, dataObject: incidents, key: number, entityType: incident, startTimestamp: opened }
`,
      ),
    };
    await withProject(files, async (project) => {
      const summary = await project.import();
      assert.equal(summary.status, 'imported', summary.error?.message);
      assert.deepEqual(summary.warnings, [
        '1 of 4 rows of "Call" have no key and are left out.',
        '2 keys of "Call" in incident match no incident that something else makes: they are entities without properties.',
      ]);
      assert.deepEqual(
        await project.rows(
          `SELECT event.activity, lifecycle, string_agg(entity_type || ' ' || key || ' ' || qualifier, ', ' ORDER BY entity_type, key)
           FROM event JOIN event_entity ON event_id = event.id JOIN entity ON entity.id = event_entity.entity_id GROUP BY event.id, 1, 2 ORDER BY event.id`,
        ),
        [
          ['Open', 'start', 'incident i1 self'],
          ...['start', 'change'].map((lifecycle) => [
            'Call',
            lifecycle,
            'contacts c1 self, incident i1 about, tag 1.5 tag, tag 7 tag, tag true tag, tag x tag, tag y tag',
          ]),
          ['Open', 'start', 'incident i2 self'],
          ['Call', 'start', 'contacts c2 self, incident i9 about'],
        ],
      );
      // A row without start still names its incident, a row without key none.
      assert.deepEqual(
        await project.rows("SELECT string_agg(key, ' ' ORDER BY key) FROM entity WHERE entity_type = 'incident'"),
        [['i1 i2 i3 i9']],
      );
      assert.deepEqual(await project.rows('SELECT count(*) FROM relation'), [['0']]);
    });
  });
});
