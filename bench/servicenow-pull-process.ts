import { Agent } from 'node:http';
import fetch from 'node-fetch';
import type { Column } from '../server/src/catalog/catalog.ts';
import { openServiceNow } from '../server/src/connectors/servicenow/connection.ts';
import { createConnector } from '../test/support/create-connector.ts';
import { tableRecords } from '../server/src/connectors/servicenow/records/table-records.ts';
import type { ObjectRead } from '../server/src/query/compiled-query.ts';
import type { DataSource } from '../server/src/model/data-sources.ts';
import { createBuildFolder } from '../server/src/import/build-folder.ts';
import { openStaging } from '../server/src/import/open-staging.ts';
import type { BuildDatabase } from '../server/src/store/duckdb-store.ts';
import { folderWith, removeFolder } from '../test/support/temporary-folder.ts';
import { fileQuery } from '../test/support/csv-source.ts';
import { dataSource } from '../test/support/postgresql-source.ts';
import {
  concurrency,
  pageSize,
  type ServiceNowPullMeasurement,
  type ServiceNowPullOrder,
} from './servicenow-pull-order.ts';
import { noSecrets } from '../test/support/no-secrets.ts';

process.once('message', (order: ServiceNowPullOrder) => {
  void works[order.work](order).then((measurement) => process.send?.(measurement, () => process.disconnect()));
});

const works = { pull, read, loop };

/** Offset pages over keep-alive connections, read completely and discarded. */
async function loop({ url, records }: ServiceNowPullOrder): Promise<ServiceNowPullMeasurement> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < records) {
      const offset = next;
      next += pageSize;
      const page = `${url}/api/now/table/incident?sysparm_limit=${pageSize}&sysparm_offset=${offset}&sysparm_no_count=true`;
      await (await fetch(page, { agent })).arrayBuffer();
    }
  };
  const measurement = await measure(async () => {
    await Promise.all(Array.from({ length: concurrency }, worker));
  });
  agent.destroy();
  return measurement;
}

const columns = [
  ['sys_id', 'VARCHAR'],
  ['number', 'VARCHAR'],
  ['opened_at', 'TIMESTAMP WITH TIME ZONE'],
  ['state', 'BIGINT'],
  ['short_description', 'VARCHAR'],
].map(([name = '', type = '']): Column => ({
  name,
  type,
  sense: 'text',
  nullable: true,
  primaryKey: name === 'sys_id',
}));
/** A read of all incidents, with the number of records that the catalog knows. */
function incidents(records: number): ObjectRead {
  return { dataObject: 'incident', columns, rowEstimate: records, leads: true };
}

const context = { folder: process.cwd(), ...noSecrets };

function sourceOf(url: string): DataSource {
  return dataSource('itsm', { kind: 'servicenow', instanceUrl: url, pageSize, concurrency });
}

/** Memory of reading alone: records are discarded. */
async function read({ url, records }: ServiceNowPullOrder): Promise<ServiceNowPullMeasurement> {
  const { config, client } = await openServiceNow(sourceOf(url), context);
  const measurement = await measure(async () => {
    let rows = 0;
    const pages = tableRecords(config, client, incidents(records), { purpose: 'import', onWarning: () => undefined });
    for await (const page of pages) rows += page.length;
    if (rows !== records) throw new Error(`${rows} of ${records} records arrived.`);
  });
  client.close();
  return measurement;
}

async function pull({ url, records }: ServiceNowPullOrder): Promise<ServiceNowPullMeasurement> {
  const connector = await createConnector(sourceOf(url), context);
  const query = { ...fileQuery('SELECT * FROM incident', ['incident']), reads: [incidents(records)] };
  try {
    return await withStagingDatabase(async (staging) => {
      const open = await connector.openPull(staging, { queries: [query] });
      const measurement = await measure(async () => {
        const { sourceRows } = await open.load(query, 'staged', {});
        if (sourceRows !== records) throw new Error(`${sourceRows} of ${records} records arrived.`);
      });
      await open.close();
      return measurement;
    });
  } finally {
    await connector.close();
  }
}

/** Opens a staging database like that of an import: in a file, without row order. */
async function withStagingDatabase<T>(use: (staging: BuildDatabase) => Promise<T>): Promise<T> {
  const folder = await folderWith({});
  const build = await createBuildFolder(folder, 'bench');
  const staging = await openStaging(build);
  try {
    await staging.run('SET preserve_insertion_order = false');
    return await use(staging);
  } finally {
    await staging.close();
    await removeFolder(folder);
  }
}

async function measure(work: () => Promise<unknown>): Promise<ServiceNowPullMeasurement> {
  const memory = (): { readonly node: number; readonly resident: number } => {
    const { heapUsed, external, rss } = process.memoryUsage();
    return { node: heapUsed + external, resident: rss };
  };
  const idle = memory();
  const peak = { ...idle };
  const sampler = setInterval(() => {
    const { node, resident } = memory();
    peak.node = Math.max(peak.node, node);
    peak.resident = Math.max(peak.resident, resident);
  }, 20);
  const started = performance.now();
  await work();
  const seconds = (performance.now() - started) / 1000;
  clearInterval(sampler);
  const above = (kind: 'node' | 'resident'): number => (peak[kind] - idle[kind]) / 2 ** 20;
  return { seconds, nodeMemory: above('node'), residentMemory: above('resident') };
}
