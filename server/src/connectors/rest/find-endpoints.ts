import type { KnownValue } from '../../catalog/catalog.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { RetryPolicy } from '../http/with-retries.ts';
import type { RestEndpoint } from '../endpoints/endpoint.ts';
import type { RestConfig } from './read-settings.ts';
import { describedEndpoints, type DescribedEndpoint } from './openapi/described-endpoints.ts';
import { describedOperations, type DescribedOperation } from './openapi/described-operations.ts';
import { readDescribed } from './openapi/read-described.ts';

/** An endpoint with its description in the document. */
export interface KnownEndpoint extends RestEndpoint {
  readonly comment?: string;
  /** True when it comes from the document only: there may be hundreds, so no page is requested for its columns. */
  readonly isDescribed?: boolean;
  readonly notes?: ReadonlyMap<string, { readonly comment?: string; readonly values?: readonly KnownValue[] }>;
}

/** All endpoints of a source; the document is read on first use. */
export type FindEndpoints = (signal: AbortSignal | undefined) => Promise<KnownEndpoints>;

interface KnownEndpoints {
  readonly endpoints: readonly KnownEndpoint[];
  /** Missing references of the document, as messages. */
  readonly warnings: readonly string[];
  /** Documented endpoints that cannot be read, as messages. */
  readonly leftOut: readonly string[];
  /** Absolute paths of referenced files. */
  readonly furtherFiles: readonly string[];
}

export function endpointFinder(config: RestConfig, client: HttpClient, retryPolicy: RetryPolicy): FindEndpoints {
  const { endpoints, openapi, baseUrl } = config;
  if (!openapi) return async () => ({ endpoints, warnings: [], leftOut: [], furtherFiles: [] });
  let found: Promise<KnownEndpoints> | undefined;
  return (signal) =>
    (found ??= readDescribed(openapi, { client, retryPolicy, headers: config.headers, signal }, (document) =>
      describedEndpoints(document, baseUrl.pathname),
    )
      .then(({ found: described, ...document }) => ({
        ...document,
        endpoints: joined(config, described),
        leftOut: leftOutText(unreadable(endpoints, described)),
      }))
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      }));
}

/** All endpoints and further operations of a source's document; reads more of the document. */
export async function findOperations(
  config: RestConfig,
  client: HttpClient,
  retryPolicy: RetryPolicy,
): Promise<Pick<KnownEndpoints, 'endpoints' | 'warnings'> & { readonly operations: readonly DescribedOperation[] }> {
  const { endpoints, openapi, baseUrl } = config;
  if (!openapi) return { endpoints, operations: [], warnings: [] };
  const { found, warnings } = await readDescribed(
    openapi,
    { client, retryPolicy, headers: config.headers, signal: undefined },
    (document) => ({
      endpoints: describedEndpoints(document, baseUrl.pathname),
      operations: describedOperations(document, baseUrl.pathname),
    }),
  );
  return { endpoints: joined(config, found.endpoints), operations: found.operations, warnings };
}

/** Settings of an endpoint override its description, which is found by name or path. */
function joined(
  { endpoints: given, nullValues }: RestConfig,
  described: readonly DescribedEndpoint[],
): readonly KnownEndpoint[] {
  const own = given.map((endpoint): KnownEndpoint => {
    const known = described.find((each) => isSame(each, endpoint));
    if (!known) return endpoint;
    return {
      ...withNotes(known),
      ...endpoint,
      columns: { ...known.columns, ...endpoint.columns },
      records: endpoint.records.length > 0 ? endpoint.records : known.records,
      key: endpoint.key.length > 0 ? endpoint.key : known.key,
    };
  });
  const others = described.filter(
    (each) => each.wanted.length === 0 && !given.some((endpoint) => isSame(each, endpoint)),
  );
  return [...own, ...others.map((each) => ({ ...withNotes(each), nullValues, isDescribed: true }))];
}

/** Documented endpoints without settings. */
function unreadable(
  given: readonly RestEndpoint[],
  described: readonly DescribedEndpoint[],
): readonly DescribedEndpoint[] {
  return described.filter((each) => each.wanted.length > 0 && !given.some((endpoint) => isSame(each, endpoint)));
}

/** Maximum number of endpoints in a message. */
const maxNamed = 5;

function leftOutText(endpoints: readonly DescribedEndpoint[]): readonly string[] {
  if (endpoints.length === 0) return [];
  const named = endpoints.slice(0, maxNamed).map(({ path, wanted }) => `${path} (${wanted.join(', ')})`);
  const more = endpoints.length > maxNamed ? [`${endpoints.length - maxNamed} more`] : [];
  const [them, are] = endpoints.length === 1 ? ['The endpoint', 'is'] : ['Endpoints', 'are'];
  return [
    `${them} of the OpenAPI document that ${endpoints.length === 1 ? 'wants' : 'want'} a value which it does not give ${are} left out: ${[...named, ...more].join(', ')}. ` +
      'Describe the endpoint under endpoints of the data source: its path, parameter values, and the parameters for pages under pagination.',
  ];
}

function isSame(one: RestEndpoint, other: RestEndpoint): boolean {
  const path = ({ path: text }: RestEndpoint): string => (text.split('?')[0] ?? '').replace(/^\/+|\/+$/g, '');
  return one.name.toLowerCase() === other.name.toLowerCase() || path(one) === path(other);
}

function withNotes({ described, wanted: _, ...endpoint }: DescribedEndpoint): KnownEndpoint {
  return { ...endpoint, notes: described };
}
