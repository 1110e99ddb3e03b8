import type { DataObject, SettingWarning, UndescribedObject } from '../../../catalog/catalog.ts';
import { inferColumns } from '../../fetched/json-records.ts';
import { unreachable } from '../../source-down.ts';
import { isSourceError, type SourceError } from '../../source-error.ts';
import type { CallOptions } from '../api/call-platform.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ScriptedEndpoint, ServiceNowConfig } from '../read-settings.ts';
import { doubtAt } from '../../endpoints/first-page.ts';
import type { RestPage } from '../../endpoints/read-pages.ts';
import { endpointPage } from '../records/scripted-records.ts';

/** Why an object is unusable. */
export interface ObjectFault {
  readonly name: string;
  readonly error: SourceError;
}

/** Warnings of a catalog. */
export function undescribedBy(faults: readonly ObjectFault[]): readonly UndescribedObject[] {
  return faults.map(({ name, error }) => ({ name, reason: error.message, ...unreachable(error) }));
}

export interface DescribedEndpoints {
  readonly endpoints: readonly DataObject[];
  readonly faults: readonly ObjectFault[];
  /** Why some may have more records than their settings lead to. */
  readonly doubts: readonly SettingWarning[];
}

/** Describes scripted endpoints by their responses, with reasons for unusable ones. */
export async function describeEndpoints(
  { name, scripted }: Pick<ServiceNowConfig, 'name' | 'scripted'>,
  client: ServiceNowClient,
  options: CallOptions,
): Promise<DescribedEndpoints> {
  const endpoints: DataObject[] = [];
  const faults: ObjectFault[] = [];
  const doubts: SettingWarning[] = [];
  for (const [index, endpoint] of scripted.entries()) {
    try {
      const { object, doubt } = await describeEndpoint(client, endpoint, options);
      endpoints.push(object);
      if (doubt !== undefined) doubts.push(doubtAt([name, 'scripted', String(index), 'name'], doubt));
    } catch (error) {
      if (!isSourceError(error)) throw error;
      faults.push({ name: endpoint.name, error });
    }
  }
  return { endpoints, faults, doubts };
}

async function describeEndpoint(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  { signal }: CallOptions,
): Promise<{ readonly object: DataObject; readonly doubt: RestPage['doubt'] }> {
  const { records, doubt } = await endpointPage(client, endpoint, { signal });
  const columns = inferColumns(records, endpoint.key);
  const isAll = (endpoint.pagination?.style ?? 'none') === 'none' && !isSourceError(doubt);
  const object: DataObject = {
    name: endpoint.name,
    kind: 'endpoint',
    path: [endpoint.name],
    columns,
    primaryKey: endpoint.key,
    foreignKeys: [],
    statistics: { columnCount: columns.length, ...(isAll && { rowEstimate: records.length }) },
  };
  return { object, doubt };
}
