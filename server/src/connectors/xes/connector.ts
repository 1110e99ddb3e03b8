import type { DataSource } from '../../model/data-sources.ts';
import type { ConnectorContext } from '../connector-context.ts';
import type { KindConnector } from '../connector.ts';
import { fetchedConnector } from '../fetched/connector.ts';
import { logRecords } from '../log-file/log-records.ts';
import { resolveSource } from '../resolve-source.ts';
import { loadXesLog } from './load-log.ts';
import { logFileSettings } from '../log-file/log-file-settings.ts';

/** Connector of an XES log. Rejects like `resolveSource` for invalid settings. */
export async function createXesConnector(source: DataSource, context: ConnectorContext): Promise<KindConnector> {
  const { config } = await resolveSource(source, context, logFileSettings('xes'));
  return fetchedConnector(logRecords(config, loadXesLog));
}
