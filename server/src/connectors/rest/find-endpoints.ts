import type { KnownValue } from '../../catalog/catalog.ts';
import type { HttpClient } from '../http/http-client.ts';
import type { RetryPolicy } from '../http/with-retries.ts';
import type { RestConfig, RestEndpoint } from './config.ts';
import type { DescribedEndpoint } from './openapi/described-endpoints.ts';
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
}

export function endpointFinder(
  { endpoints, openapi, baseUrl }: RestConfig,
  client: HttpClient,
  retryPolicy: RetryPolicy,
): FindEndpoints {
  if (!openapi) return async () => ({ endpoints, warnings: [] });
  let found: Promise<KnownEndpoints> | undefined;
  return (signal) =>
    (found ??= readDescribed(openapi, { client, retryPolicy, signal }, baseUrl.pathname)
      .then((described) => ({ ...described, endpoints: joined(endpoints, described.endpoints) }))
      .catch((error: unknown) => {
        found = undefined;
        throw error;
      }));
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
  const others = described.filter((each) => !given.some((endpoint) => isSame(each, endpoint)));
  return [...own, ...others.map((each) => ({ ...withNotes(each), isDescribed: true }))];
}

function isSame(one: RestEndpoint, other: RestEndpoint): boolean {
  const path = ({ path: text }: RestEndpoint): string => (text.split('?')[0] ?? '').replace(/^\/+|\/+$/g, '');
  return one.name.toLowerCase() === other.name.toLowerCase() || path(one) === path(other);
}

function withNotes({ described, ...endpoint }: DescribedEndpoint): KnownEndpoint {
  return { ...endpoint, notes: described };
}
