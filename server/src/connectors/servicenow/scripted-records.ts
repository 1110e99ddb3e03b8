import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { recordsAt, jsonCell } from '../fetched/json-records.ts';
import type { Cells, ReadOptions } from '../fetched/record-source.ts';
import type { ServiceNowClient } from './client.ts';
import type { ScriptedEndpoint, ServiceNowConfig } from './config.ts';
import { httpStep } from './http-step.ts';

/** All records of a scripted endpoint, which answers once: it has no paging that could be known. */
export async function* readEndpoint(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  read: ObjectRead,
  { signal }: ReadOptions,
): AsyncGenerator<readonly Cells[], void, undefined> {
  const records = await endpointRecords(client, endpoint, signal);
  yield records.map((record) => read.columns.map(({ name }) => jsonCell(record[name])));
}

export async function endpointRecords(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  signal: AbortSignal | undefined,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const { value } = await client.scripted.call(endpoint, { signal });
  return recordsAt(value, endpoint.records, endpoint.name);
}

export function endpointRequest(
  config: ServiceNowConfig,
  endpoint: ScriptedEndpoint,
  path: readonly string[],
): QueryStep {
  return httpStep(`Records of ${endpoint.name}`, config, [{ path }]);
}
