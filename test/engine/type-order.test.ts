import assert from 'node:assert/strict';
import { readTypeOrder } from '../../server/src/event-graph/read-type-order.ts';
import { createBuildDatabase } from '../../server/src/store/duckdb-store.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';

const rows = 'id,at,who,what\n1,2024-01-01,p,q\n2,2024-01-02,p,q\n';

describe('order of entity types', () => {
  const elements = [
    '  - { activityName: Do b, dataObject: b, key: id, startTimestamp: at, correlatesWith: [{ entityType: z, key: who }, { entityType: y, key: what }] }\n',
    '  - { activityName: Note it, dataObject: c, key: id, startTimestamp: at, ownEntity: false, correlatesWith: [{ entityType: x, key: who }] }\n',
    '  - { activityName: Do a, dataObject: a, key: id, entityType: first, startTimestamp: at }\n',
  ].join('');
  const graph = `${graphText(elements)}entities:\n  - { entityType: y, dataObject: c, key: what }\n`;
  const files = { 'a.csv': rows, 'b.csv': rows, 'c.csv': rows };

  it('is the order of the file, from the run record', () =>
    withProject({ 'entity-sources.yaml': csvSources(), ...files, 'graph.entity.yaml': graph }, async (project) => {
      const { store, error } = await project.import();
      assert.ok(store, error?.message);
      const wanted = ['b', 'first', 'y', 'z', 'x'];
      const order = () => project.read((reader) => readTypeOrder(reader, {}));
      assert.deepEqual(await order(), wanted);

      const change = async (sql: string): Promise<void> => {
        const database = await createBuildDatabase({ path: store, temporaryFolder: project.folder });
        await database.run(sql);
        await database.close();
      };
      await change("UPDATE run SET config = 'changed'");
      assert.deepEqual(await order(), wanted, 'the text is not read');
    }));
});
