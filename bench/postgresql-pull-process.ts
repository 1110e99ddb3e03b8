import { once } from 'node:events';
import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { withBuildDatabase } from '../test/support/build-database.ts';
import { compiledQuery, postgresqlConnector } from '../test/support/postgresql-source.ts';
import { duckDbMegabytes, type PullMeasurement, type PullOrder } from './postgresql-pull-order.ts';

process.once('message', (order: PullOrder) => {
  const work = order.work === 'pull' ? pullAndStage(order) : copyAndDrop(order);
  void work.then((measurement) => process.send?.(measurement, () => process.disconnect()));
});

async function copyAndDrop({
  server: { host, port, user, password },
  database,
  sql,
}: PullOrder): Promise<PullMeasurement> {
  const client = new pg.Client({ host, port, user, password, database });
  await client.connect();
  const measurement = await measure(async () => {
    const rows = client.query(copyTo(`COPY (${sql}) TO STDOUT (FORMAT csv)`));
    rows.resume();
    await once(rows, 'end');
  });
  await client.end();
  return measurement;
}

async function pullAndStage({ server, database, sql }: PullOrder): Promise<PullMeasurement> {
  const connector = await postgresqlConnector(server, database);
  return withBuildDatabase(async (staging) => {
    await staging.run(`SET preserve_insertion_order = false`);
    await staging.run(`SET memory_limit = '${duckDbMegabytes}MB'`);
    const pull = await connector.openPull(staging, {});
    const measurement = await measure(() => pull.load(compiledQuery(sql), 'staged', {}));
    await pull.close();
    return measurement;
  });
}

async function measure(work: () => Promise<unknown>): Promise<PullMeasurement> {
  const peak = { node: 0, resident: 0 };
  const sampler = setInterval(() => {
    const { heapUsed, external, rss } = process.memoryUsage();
    peak.node = Math.max(peak.node, heapUsed + external);
    peak.resident = Math.max(peak.resident, rss);
  }, 20);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampler);
  return { seconds, nodeMegabytes: peak.node / 1e6, residentMegabytes: peak.resident / 1e6 };
}
