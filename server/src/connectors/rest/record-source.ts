import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import type { RestEndpoint } from '../endpoints/endpoint.ts';
import { endpointCells, endpointStep } from '../endpoints/endpoint-records.ts';
import { checkFirstPage } from '../endpoints/first-page.ts';
import { type PageSource, pagesByPlace } from '../endpoints/read-pages.ts';
import type { RecordSource } from '../fetched/record-source.ts';
import type { HttpClient } from '../http/http-client.ts';
import { type RetryPolicy, withRetries } from '../http/with-retries.ts';
import { SourceError } from '../source-error.ts';
import type { RestConfig } from './read-settings.ts';
import { endpointFinder } from './find-endpoints.ts';
import { introspect } from './introspect.ts';
import { withOwnHeaders } from './request-headers.ts';
import { readJsonResponse } from './read-response.ts';

/** A REST interface as a source of records. */
export function restRecords(
  config: RestConfig,
  client: HttpClient,
  retryPolicy: RetryPolicy,
  secrets: Iterable<string>,
): RecordSource {
  const findEndpoints = endpointFinder(config, client, retryPolicy);
  const pages = servicePages(client, retryPolicy, config.headers);
  const endpointOf = async ({ dataObject }: ObjectRead, signal?: AbortSignal): Promise<RestEndpoint> => {
    const { endpoints } = await findEndpoints(signal);
    const found = endpoints.find(({ name }) => name === dataObject);
    if (found) return found;
    throw new SourceError('object-missing', `Data source ${config.name} has no endpoint ${dataObject}.`, {
      remedy: `Its endpoints are: ${endpoints.map(({ name }) => name).join(', ')}.`,
    });
  };
  return {
    name: config.name,
    timeZone: config.timeZone,
    statementTimeoutMs: config.statementTimeoutMs,
    secrets,
    describe: (options) => introspect({ name: config.name, pages, findEndpoints }, options),
    check: async (read, options) => checkFirstPage(pages, await endpointOf(read, options.signal), options),
    requests: async (read) => [request(config, await endpointOf(read), [...secrets])],
    pagesByPlace: async (read) => pagesByPlace(await endpointOf(read)),
    async *records(read, options) {
      yield* endpointCells(pages, await endpointOf(read, options.signal), read, options);
    },
    close: () => client.close(),
  };
}

function request(config: RestConfig, endpoint: RestEndpoint, secrets: readonly string[]): QueryStep {
  return endpointStep(
    { baseUrl: config.baseUrl, auth: config.auth, headers: withOwnHeaders(config.headers) },
    endpoint,
    secrets,
  );
}

/** Pages of a service, with retries. */
function servicePages(client: HttpClient, policy: RetryPolicy, headers: RestConfig['headers']): PageSource {
  return {
    baseUrl: client.baseUrl,
    get: (url, { signal, onWait }) => {
      const attempt = async () => {
        const answer = await client.send({ method: 'GET', url, headers: withOwnHeaders(headers), signal });
        return { value: readJsonResponse(answer, `GET ${url.pathname}`), headers: answer.headers };
      };
      return withRetries(attempt, { policy, idempotent: true, signal, onWait });
    },
  };
}
