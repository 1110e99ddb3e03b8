import { createConnection } from 'mysql2';
import { withBuildDatabase } from '../test/support/build-database.ts';
import { mysqlConnector, mysqlQuery } from '../test/support/mysql-source.ts';
import { measurePull } from './measure-pull.ts';
import type { MysqlPullOrder } from './mysql-pull-order.ts';
import type { PullMeasurement } from './postgresql-pull-order.ts';

process.once('message', (order: MysqlPullOrder) => {
  const work = order.work === 'pull' ? pull(order) : drop(order);
  void work.then((measurement) => process.send?.(measurement, () => process.disconnect()));
});

async function pull({ server, database, sql, memory }: MysqlPullOrder): Promise<PullMeasurement> {
  const connector = await mysqlConnector(server, database);
  return withBuildDatabase(async (staging) => {
    // The settings of an import.
    await staging.run('SET preserve_insertion_order = false');
    await staging.run(`SET memory_limit = '${memory}MB'`);
    return measurePull(async () => {
      const opened = await connector.openPull(staging, {});
      await opened.load(mysqlQuery(sql), 'staged', {});
      await opened.close();
    });
  });
}

/** What a program without this connector would write: rows as the driver gives them by default. */
function drop({ server: { host, port, user, password }, database, sql }: MysqlPullOrder): Promise<PullMeasurement> {
  return measurePull(async () => {
    const connection = createConnection({ host, port, user, password, database });
    await new Promise<void>((resolve, reject) => {
      connection.query(sql).stream().on('error', reject).on('end', resolve).resume();
    });
    connection.destroy();
  });
}
