import type { DataObject, UndescribedObject } from '../../../catalog/catalog.ts';
import { inferColumns } from '../../fetched/json-records.ts';
import { unreachable } from '../../source-down.ts';
import { isSourceError, type SourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ScriptedEndpoint, ServiceNowConfig } from '../read-settings.ts';
import { endpointRecords } from '../records/scripted-records.ts';

/** Why an object is unusable. */
export interface ObjectFault {
  readonly name: string;
  readonly error: SourceError;
}

/** Warnings of a catalog. */
export function undescribedBy(faults: readonly ObjectFault[]): readonly UndescribedObject[] {
  return faults.map(({ name, error }) => ({ name, reason: error.message, ...unreachable(error) }));
}

/** Describes scripted endpoints by their responses, with reasons for unusable ones. */
export async function describeEndpoints(
  { scripted }: Pick<ServiceNowConfig, 'scripted'>,
  client: ServiceNowClient,
  options: CallOptions,
): Promise<{ readonly endpoints: readonly DataObject[]; readonly faults: readonly ObjectFault[] }> {
  const endpoints: DataObject[] = [];
  const faults: ObjectFault[] = [];
  for (const endpoint of scripted) {
    try {
      endpoints.push(await describeEndpoint(client, endpoint, options));
    } catch (error) {
      if (!isSourceError(error)) throw error;
      faults.push({ name: endpoint.name, error });
    }
  }
  return { endpoints, faults };
}

async function describeEndpoint(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  { signal }: CallOptions,
): Promise<DataObject> {
  const records = await endpointRecords(client, endpoint, signal);
  const columns = inferColumns(records, endpoint.key);
  return {
    name: endpoint.name,
    kind: 'endpoint',
    path: [endpoint.name],
    columns,
    primaryKey: endpoint.key,
    foreignKeys: [],
    statistics: { columnCount: columns.length, ...(!endpoint.pagination && { rowEstimate: records.length }) },
  };
}
