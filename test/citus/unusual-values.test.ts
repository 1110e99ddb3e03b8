import assert from 'node:assert/strict';
import { sharedCitus } from '../support/citus-cluster.ts';
import { compareEngines, sourceSettings } from '../support/compare-engines.ts';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import type { PostgresAccess } from '../support/postgres.ts';

const parcels = `
  CREATE TABLE parcels (code text COLLATE "C", depot name, at timestamp, carrier text COLLATE "en-x-icu", PRIMARY KEY (code));
  INSERT INTO parcels VALUES ('b', 'North', '2024-01-01', 'X'), ('B', 'north', '2024-01-01', 'x'), ('ä', 'North', '2024-01-02', NULL);
  SELECT create_distributed_table('parcels', 'code');
`;

describe('unusual values on Citus', () => {
  let server: PostgresAccess;
  let database: string;

  before(async function () {
    this.timeout(600_000);
    const { coordinator, createDatabase } = await sharedCitus();
    [server, database] = [coordinator, await createDatabase()];
  });

  it('builds the graph of the embedded engine from keys with collations of their own', async () => {
    await server.query(database, parcels);
    const parcel = (name: string, key: string, more = ''): string =>
      `  - { activityName: ${name}, dataObject: parcels, key: ${key}, entityType: ${name}, ${more}startTimestamp: at, properties: all }\n`;
    const named = 'correlatesWith: [{ entityType: Load, key: carrier }], ';
    const { source } = await compareEngines(
      server,
      database,
      graphText(
        parcel('Send', 'code', named) + parcel('Store', 'depot') + parcel('Load', 'carrier'),
        '  - { name: stored, source: Send, target: Store, mappings: [{ source: depot, target: depot }] }\n',
      ),
    );
    assert.ok(source.totals.events > 0);
  });

  it('orders events by numbers beyond the precision of a double', async () => {
    await server.query(
      database,
      `CREATE TABLE weights (id bigint PRIMARY KEY, at timestamp, grams numeric);
       INSERT INTO weights VALUES (1, '2024-01-01', -1e-400), (2, '2024-01-01', 0), (3, '2024-01-01', 1e-400), (4, '2024-01-01', 1e40);
       SELECT create_distributed_table('weights', 'id')`,
    );
    await compareEngines(
      server,
      database,
      graphText('  - { activityName: Weigh, dataObject: weights, startTimestamp: at, sequence: grams }\n'),
    );
  });

  it('reports a text that is not a time, without a row number', async () => {
    await server.query(
      database,
      `CREATE TABLE notes (id bigint PRIMARY KEY, at text);
       INSERT INTO notes VALUES (1, '2024-01-01'), (2, 'soon');
       SELECT create_distributed_table('notes', 'id')`,
    );
    const graph = graphText('  - { activityName: Note, dataObject: notes, startTimestamp: at }\n');
    const files = {
      'entity-sources.yaml': postgresqlSources(server, database),
      'graph.entity.yaml': `${graph}${sourceSettings}`,
    };
    const { error } = await withProject(files, (project) => project.import());
    assert.match(String(error?.message), /^A row of "Note" has "soon" in at, which is not a timestamp/);
  });
});
