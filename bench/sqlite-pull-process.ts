import { DatabaseSync } from '@photostructure/sqlite';
import { noSecrets } from '../test/support/no-secrets.ts';
import { withBuildDatabase } from '../test/support/build-database.ts';
import { createConnector } from '../test/support/create-connector.ts';
import { dataSource } from '../test/support/postgresql-source.ts';
import { measurePull } from './measure-pull.ts';
import type { PullMeasurement } from './postgresql-pull-order.ts';
import type { SqlitePullOrder } from './sqlite-pull-order.ts';

process.once('message', (order: SqlitePullOrder) => {
  const measured = order.work === 'pull' ? pull(order) : scan(order);
  void measured.then((measurement) => process.send?.(measurement, () => process.disconnect()));
});

const sql = 'SELECT * FROM pulled';

async function pull({ path, memory }: SqlitePullOrder): Promise<PullMeasurement> {
  const connector = await createConnector(dataSource('bench', { kind: 'sqlite', path }), { folder: '/', ...noSecrets });
  const query = { dialect: 'sqlite', sql, columns: [], dataObjects: ['pulled'], fragments: [], references: [] };
  return withBuildDatabase(async (staging) => {
    // The settings of an import.
    await staging.run('SET preserve_insertion_order = false');
    await staging.run(`SET memory_limit = '${memory}MB'`);
    return measurePull(async () => {
      const opened = await connector.openPull(staging, {});
      await opened.load(query, 'staged', {});
      await opened.close();
    });
  });
}

function scan({ path }: SqlitePullOrder): Promise<PullMeasurement> {
  return measurePull(async () => {
    const database = new DatabaseSync(path, { readOnly: true });
    const statement = database.prepare(sql);
    statement.setReturnArrays(true);
    const rows = statement.iterate();
    while (!rows.next().done);
    database.close();
  });
}
