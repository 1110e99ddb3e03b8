import type { DataSource } from '../../model/data-sources.ts';
import { loginLines } from '../fetched/login-lines.ts';
import { withoutSecrets } from '../fetched/query-objects.ts';
import type { ConnectionSettings } from '../http/client-settings.ts';
import { openHttpClient } from '../http/open-client.ts';
import { scrubSecrets } from '../scrub-secrets.ts';
import { type SourceError, isSourceError } from '../source-error.ts';
import type { SourceExplorer } from '../source-explorer.ts';
import type { RestConfig } from './config.ts';
import { restConnection } from './connection.ts';
import { restEntry } from './explored-entry.ts';
import { findOperations } from './find-endpoints.ts';
import { type KnownService, serviceEndpoints } from './service-endpoints.ts';

/** Proposes the endpoints of the settings and those of an OpenAPI document. */
export const restExplorer: SourceExplorer = {
  async open(source, context, { endpoints }) {
    const isNew = hasNoEndpoint(source);
    const { config, connection, secrets } = await restConnection(isNew ? withAnyEndpoint(source) : source, context);
    const address = config.baseUrl.href;
    if (!endpoints || isNew) return { connection, secrets, view: { address, endpoints: [], warnings: [] } };
    const { warnings: found, ...known } = await findEndpoints(config, connection, secrets);
    const warnings = found.map((each) => scrubSecrets(each, [...secrets]));
    const proposed = serviceEndpoints({ ...known, sent: sentAnyway(connection) }, [...secrets]);
    return { connection, secrets, view: { address, endpoints: proposed, warnings } };
  },
  entryOf: restEntry,
};

/** Those of the settings, and of a document as far as it can be read: without it, everything else can be explored. */
async function findEndpoints(
  config: RestConfig,
  connection: ConnectionSettings,
  secrets: ReadonlySet<string>,
): ReturnType<typeof findOperations> {
  const client = await openHttpClient(connection);
  try {
    return await findOperations(config, client, connection.retryPolicy);
  } catch (error) {
    // What keeps the document from being read keeps requests from being answered, unless it is the document itself.
    if (!isSourceError(error) || !documentFaults.has(error.code)) throw error;
    const { message, details } = withoutSecrets(error, { secrets }) as SourceError;
    return {
      endpoints: config.endpoints,
      operations: [],
      warnings: [[message, details.remedy].filter(Boolean).join(' ')],
    };
  } finally {
    client.close();
  }
}

/** What nobody has to put into a request. */
function sentAnyway({ auth }: ConnectionSettings): KnownService['sent'] {
  const login = loginLines(auth).map((line) => line.split(':')[0] ?? '');
  const parameters = auth.kind === 'apiKey' && 'parameter' in auth ? [auth.parameter] : [];
  return { headers: ['Accept', 'Content-Type', ...login], parameters };
}

const documentFaults = new Set<SourceError['code']>([
  'source-config',
  'file-missing',
  'file-unreadable',
  'object-missing',
  'source-failed',
]);

/** Whoever explores may be about to find the first one. */
function hasNoEndpoint({ settings }: DataSource): boolean {
  const { endpoints, openapi } = settings;
  return (openapi ?? '') === '' && (Array.isArray(endpoints) ? endpoints.length === 0 : (endpoints ?? '') === '');
}

function withAnyEndpoint(source: DataSource): DataSource {
  return { ...source, settings: { ...source.settings, endpoints: [{ name: 'any', path: '/' }] } };
}
