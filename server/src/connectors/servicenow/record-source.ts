import type { RecordSource } from '../fetched/record-source.ts';
import { reportWait } from '../http/with-retries.ts';
import { checkRead } from './records/check-read.ts';
import type { ServiceNowClient } from './api/client.ts';
import type { ServiceNowConfig } from './read-settings.ts';
import { diagnose } from './diagnose-connection.ts';
import { introspect } from './catalog/introspect.ts';
import { jsonShape } from './records/paged-read.ts';
import { changeReader } from './records/read-changes.ts';
import { checkEndpoint, endpointPagesByPlace, endpointRequest, readEndpoint } from './records/scripted-records.ts';
import { tableRecords } from './records/table-records.ts';
import { keyCondition } from './records/translate-filters.ts';
import { tableRequests } from './records/table-requests.ts';

/** A ServiceNow instance as a source of records. `secrets` grows with new tokens. */
export function serviceNowRecords(
  config: ServiceNowConfig,
  client: ServiceNowClient,
  secrets: Iterable<string>,
): RecordSource {
  const endpoint = (name: string) => config.scripted.find((each) => each.name === name);
  const isTable = (name: string): boolean => endpoint(name) === undefined;
  return {
    name: config.name,
    timeZone: config.timeZone,
    statementTimeoutMs: config.statementTimeoutMs,
    secrets,
    describe: (options) => introspect(config, client, options),
    diagnose: (options) => diagnose(config, client, options),
    changes: config.incremental ? changeReader(config, client, isTable) : undefined,
    async check(read, { signal, onProgress }) {
      const scripted = endpoint(read.dataObject);
      if (scripted) return checkEndpoint(client, scripted, { signal, onProgress });
      return checkRead(config, client, read, { signal, onWait: reportWait(onProgress) });
    },
    requests(read, purpose, mark, options) {
      const scripted = endpoint(read.dataObject);
      if (scripted) return [endpointRequest(config, scripted, [...secrets])];
      return tableRequests({ config, client }, read, purpose, mark, options);
    },
    jsonShape: (read) => (isTable(read.dataObject) ? jsonShape(config, read) : undefined),
    selectsKeys: (column, values) => keyCondition(column, values) !== undefined,
    pagesByPlace(read) {
      const scripted = endpoint(read.dataObject);
      return scripted && endpointPagesByPlace(scripted);
    },
    records(read, options) {
      const scripted = endpoint(read.dataObject);
      return scripted ? readEndpoint(client, scripted, read, options) : tableRecords(config, client, read, options);
    },
    close: () => client.close(),
  };
}
