import assert from 'node:assert/strict';
import { startSimulator } from '../simulator/simulator.ts';
import { withGraph } from '../support/import-text.ts';
import { instanceSettings } from '../support/servicenow-source.ts';

const graph = `version: 1
name: T
dataSource: itsm
elements:
  - { activityName: Open, dataObject: incident, startTimestamp: opened_at, sequence: sys_mod_count, properties: all }
  - { activityName: Buy, dataObject: cmdb_ci, startTimestamp: sys_created_on, properties: all }
  - { activityName: Investigate, dataObject: problem, startTimestamp: opened_at, properties: all, where: known_error = true }
`;

/** All fields that an import of the demo reads of its records. */
async function imported(nativeValues: boolean, displayValue: string): Promise<unknown> {
  const simulator = await startSimulator({ incidents: 40 });
  simulator.instance.settings.nativeValues = nativeValues;
  const [first, second] = simulator.instance.data.get('cmdb_ci') ?? [];
  if (first) first['cost'] = '0';
  if (second) second['cost'] = '-1234567890.25';
  const settings = instanceSettings(simulator, { tables: ['incident', 'problem', 'cmdb_ci'], displayValue });
  const files = {
    'entity-sources.json': JSON.stringify({ version: 1, dataSources: { itsm: settings } }),
    'graph.entity.yaml': graph,
  };
  try {
    return await withGraph(files, async (project) => {
      const { error, warnings, totals } = await project.import();
      assert.equal(error, undefined);
      const tables = [1, 2, 3].map((number) => project.rows(`SELECT * FROM properties_${number} ORDER BY event_id`));
      return { warnings, totals, tables: await Promise.all(tables) };
    });
  } finally {
    await simulator.close();
  }
}

describe('ServiceNow record values', () => {
  for (const displayValue of ['false', 'true', 'all']) {
    it(`are equal for JSON numbers, booleans and texts › displayValue: ${displayValue}`, async () => {
      assert.deepEqual(await imported(true, displayValue), await imported(false, displayValue));
    });
  }
});
