import { once } from 'node:events';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withBuildDatabase } from '../test/support/build-database.ts';
import { compiledQuery, postgresqlConnector, tableQuery } from '../test/support/postgresql-source.ts';
import { measurePull } from './measure-pull.ts';
import { duckDbMegabytes, type PullMeasurement, type PullOrder } from './postgresql-pull-order.ts';

process.once('message', (order: PullOrder) => {
  void works[order.work](order).then((measurement) => process.send?.(measurement, () => process.disconnect()));
});

async function connect({ server: { host, port, user, password }, database }: PullOrder): Promise<pg.Client> {
  const client = new pg.Client({ host, port, user, password, database });
  await client.connect();
  return client;
}

async function drop(client: pg.Client, sql: string): Promise<void> {
  const rows = client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT csv)`));
  rows.resume();
  await once(rows, 'end');
}

async function copyAndDrop(order: PullOrder): Promise<PullMeasurement> {
  const client = await connect(order);
  const measurement = await measurePull(() => drop(client, order.sql));
  await client.end();
  return measurement;
}

/** Each connection reads half of the table's blocks, in one snapshot. */
async function copyAndDropOverTwo(order: PullOrder): Promise<PullMeasurement> {
  const [one, other] = [await connect(order), await connect(order)];
  const begin = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';
  const measurement = await measurePull(async () => {
    await one.query(begin);
    const table = order.sql.split(' ').at(-1) ?? '';
    const { rows } = await one.query<{ snapshot: string; middle: string }>(
      `SELECT pg_export_snapshot() AS snapshot, '(' || pg_relation_size('${table}') / 8192 / 2 || ',0)' AS middle`,
    );
    const { snapshot = '', middle = '' } = rows[0] ?? {};
    await other.query(`${begin}; SET TRANSACTION SNAPSHOT '${snapshot}'`);
    await Promise.all([
      drop(one, `${order.sql} WHERE ctid < '${middle}'`),
      drop(other, `${order.sql} WHERE ctid >= '${middle}'`),
    ]);
  });
  await Promise.all([one.end(), other.end()]);
  return measurement;
}

async function findOutWhetherChanged({ server, database, sql }: PullOrder): Promise<PullMeasurement> {
  const connector = await postgresqlConnector(server, database);
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, {});
    const measurement = await measurePull(async () => {
      if ((await pull.fingerprint?.(compiledQuery(sql), {})) === undefined) throw new Error('There is no fingerprint.');
    });
    await pull.close();
    return measurement;
  });
}

const columns = [
  'id',
  'number',
  'opened_at',
  'updated_at',
  'state',
  'cost',
  'active',
  'description',
  'caller',
  'assignment',
];

async function pullAndStage({ server, database, sql, work }: PullOrder): Promise<PullMeasurement> {
  const settings = work === 'pull over one' ? { pull: { connections: 1 } } : {};
  const connector = await postgresqlConnector(server, database, { settings });
  const query = tableQuery(['public', sql.split(' ').at(-1) ?? ''], columns);
  return withBuildDatabase(async (staging) => {
    await staging.run(`SET preserve_insertion_order = false`);
    await staging.run(`SET memory_limit = '${duckDbMegabytes}MB'`);
    const pull = await connector.openPull(staging, {});
    const measurement = await measurePull(() => pull.load(query, 'staged', {}));
    await pull.close();
    return measurement;
  });
}

const works = {
  pull: pullAndStage,
  'pull over one': pullAndStage,
  drop: copyAndDrop,
  'drop over two': copyAndDropOverTwo,
  fingerprint: findOutWhetherChanged,
} as const;
