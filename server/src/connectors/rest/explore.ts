import type { ApiList, ApiRequest } from '../../../../protocol/api-explorer.ts';
import type { DataSource } from '../../model/data-sources.ts';
import { checkReads, endpointEntry, withQueryAsParameters } from '../endpoints/explored-entry.ts';
import { loginLines } from '../fetched/login-lines.ts';
import { redactTrace } from '../fetched/query-objects.ts';
import type { ConnectionSettings } from '../http/client-settings.ts';
import { openHttpClient } from '../http/open-client.ts';
import { redactSecrets } from '../redact-secrets.ts';
import { type SourceError, isSourceError } from '../source-error.ts';
import type { ExploredEntry, SourceExplorer } from '../source-explorer.ts';
import { restConnection } from './connection.ts';
import { findOperations } from './find-endpoints.ts';
import type { RestConfig } from './read-settings.ts';
import { type KnownService, serviceEndpoints } from './service-endpoints.ts';

/** Lists the endpoints of the settings and of an OpenAPI document. */
export const restExplorer: SourceExplorer = {
  async open(source, context, { endpoints }) {
    const isNew = hasNoEndpoint(source);
    const { config, connection, secrets } = await restConnection(isNew ? withAnyEndpoint(source) : source, context);
    const address = config.baseUrl.href;
    if (!endpoints || isNew)
      return { connection, secrets, headers: config.headers, view: { address, endpoints: [], warnings: [] } };
    const { warnings: found, ...known } = await findEndpoints(config, connection, secrets);
    const warnings = found.map((each) => redactSecrets(each, [...secrets]));
    const proposed = serviceEndpoints({ ...known, sent: sentAnyway(connection, config) }, [...secrets]);
    return { connection, secrets, headers: config.headers, view: { address, endpoints: proposed, warnings } };
  },
  entryOf: restEntry,
};

/** Configured and documented endpoints; without a readable document the explorer still works. */
async function findEndpoints(
  config: RestConfig,
  connection: ConnectionSettings,
  secrets: ReadonlySet<string>,
): ReturnType<typeof findOperations> {
  const client = await openHttpClient(connection);
  try {
    return await findOperations(config, client, connection.retryPolicy);
  } catch (error) {
    // A failure to read the document would also affect requests, unless it concerns the document itself.
    if (!isSourceError(error) || !documentFaults.has(error.code)) throw error;
    const { message, details } = redactTrace(error, { secrets }) as SourceError;
    return {
      endpoints: config.endpoints,
      operations: [],
      warnings: [[message, details.remedy].filter(Boolean).join(' ')],
    };
  } finally {
    client.close();
  }
}

/** Headers and parameters that are always sent. */
function sentAnyway({ auth }: ConnectionSettings, { headers }: RestConfig): KnownService['sent'] {
  const login = loginLines(auth).map((line) => line.split(':')[0] ?? '');
  const parameters = auth.kind === 'apiKey' && 'parameter' in auth ? [auth.parameter] : [];
  return { headers: ['Accept', 'Content-Type', ...Object.keys(headers), ...login], parameters };
}

const documentFaults = new Set<SourceError['code']>([
  'source-config',
  'file-missing',
  'file-unreadable',
  'object-missing',
  'source-failed',
]);

/** The explorer may be used to find the first endpoint. */
function hasNoEndpoint({ settings }: DataSource): boolean {
  const { endpoints, openapi } = settings;
  return (openapi ?? '') === '' && (Array.isArray(endpoints) ? endpoints.length === 0 : (endpoints ?? '') === '');
}

function withAnyEndpoint(source: DataSource): DataSource {
  return { ...source, settings: { ...source.settings, endpoints: [{ name: 'any', path: '/' }] } };
}

/** The settings entry of a list request. Throws `source-config` when it cannot be one. */
export function restEntry(source: DataSource, request: ApiRequest, list: ApiList): ExploredEntry {
  checkReads(request);
  return endpointEntry(source, withQueryAsParameters(request), list, { list: 'endpoints', usualRecords: '' });
}
