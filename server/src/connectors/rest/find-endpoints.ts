import type { KnownValue } from '../../catalog/catalog.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { RetryPolicy } from '../http/with-retries.ts';
import type { RestConfig, RestEndpoint } from './config.ts';
import { describedEndpoints, type DescribedEndpoint } from './openapi/described-endpoints.ts';
import { describedOperations, type DescribedOperation } from './openapi/described-operations.ts';
import { readDescribed } from './openapi/read-described.ts';

/** An endpoint with what a document says of it. */
export interface KnownEndpoint extends RestEndpoint {
  readonly comment?: string;
  /** True when only the document speaks of it: there may be hundreds, which are not all asked for a page then. */
  readonly isDescribed?: boolean;
  readonly notes?: ReadonlyMap<string, { readonly comment?: string; readonly values?: readonly KnownValue[] }>;
}

/** All endpoints of a source; the document is read when they are needed first. */
export type FindEndpoints = (signal: AbortSignal | undefined) => Promise<KnownEndpoints>;

export interface KnownEndpoints {
  readonly endpoints: readonly KnownEndpoint[];
  /** What of the document could not be found, in words. */
  readonly warnings: readonly string[];
  /** What it describes, but not so that it could be read, in words. */
  readonly leftOut: readonly string[];
  /** Absolute paths of files that it refers to. */
  readonly furtherFiles: readonly string[];
}

export function endpointFinder(
  { endpoints, openapi, baseUrl }: RestConfig,
  client: HttpClient,
  retryPolicy: RetryPolicy,
): FindEndpoints {
  if (!openapi) return async () => ({ endpoints, warnings: [], leftOut: [], furtherFiles: [] });
  let found: Promise<KnownEndpoints> | undefined;
  return (signal) =>
    (found ??= readDescribed(openapi, { client, retryPolicy, signal }, (document) =>
      describedEndpoints(document, baseUrl.pathname),
    )
      .then(({ found: described, ...document }) => ({
        ...document,
        endpoints: joined(endpoints, described),
        leftOut: leftOutText(unreadable(endpoints, described)),
      }))
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      }));
}

/** All endpoints of a source, and everything else that its document says one can ask for: more of it is read for that. */
export async function findOperations(
  { endpoints, openapi, baseUrl }: RestConfig,
  client: HttpClient,
  retryPolicy: RetryPolicy,
): Promise<Pick<KnownEndpoints, 'endpoints' | 'warnings'> & { readonly operations: readonly DescribedOperation[] }> {
  if (!openapi) return { endpoints, operations: [], warnings: [] };
  const { found, warnings } = await readDescribed(openapi, { client, retryPolicy, signal: undefined }, (document) => ({
    endpoints: describedEndpoints(document, baseUrl.pathname),
    operations: describedOperations(document, baseUrl.pathname),
  }));
  return { endpoints: joined(endpoints, found.endpoints), operations: found.operations, warnings };
}

/** What the settings say of an endpoint, by its name or path, comes before what the document says. */
function joined(given: readonly RestEndpoint[], described: readonly DescribedEndpoint[]): readonly KnownEndpoint[] {
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
  return [...own, ...others.map((each) => ({ ...withNotes(each), isDescribed: true }))];
}

/** Those that the settings do not speak of either. */
function unreadable(
  given: readonly RestEndpoint[],
  described: readonly DescribedEndpoint[],
): readonly DescribedEndpoint[] {
  return described.filter((each) => each.wanted.length > 0 && !given.some((endpoint) => isSame(each, endpoint)));
}

/** Endpoints that are named; there may be hundreds. */
const mostNamed = 5;

function leftOutText(endpoints: readonly DescribedEndpoint[]): readonly string[] {
  if (endpoints.length === 0) return [];
  const named = endpoints.slice(0, mostNamed).map(({ path, wanted }) => `${path} (${wanted.join(', ')})`);
  const more = endpoints.length > mostNamed ? [`${endpoints.length - mostNamed} more`] : [];
  const [them, are] = endpoints.length === 1 ? ['The endpoint', 'is'] : ['Endpoints', 'are'];
  return [
    `${them} of the OpenAPI document that ${endpoints.length === 1 ? 'wants' : 'want'} a value which it does not give ${are} left out: ${[...named, ...more].join(', ')}. ` +
      'Describe what you need under endpoints of the data source: its path, the values under parameters, and what asks for pages under pagination.',
  ];
}

function isSame(one: RestEndpoint, other: RestEndpoint): boolean {
  const path = ({ path: text }: RestEndpoint): string => (text.split('?')[0] ?? '').replace(/^\/+|\/+$/g, '');
  return one.name.toLowerCase() === other.name.toLowerCase() || path(one) === path(other);
}

function withNotes({ described, wanted: _, ...endpoint }: DescribedEndpoint): KnownEndpoint {
  return { ...endpoint, notes: described };
}
