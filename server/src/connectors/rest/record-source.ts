import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { jsonCell } from '../fetched/json-records.ts';
import { loginLines, shownAddress } from '../fetched/login-lines.ts';
import type { Cells, ReadOptions, RecordSource } from '../fetched/record-source.ts';
import type { AuthSettings } from '../http/auth-settings.ts';
import type { HttpClient } from '../http/http-client.ts';
import { toldWait, type RetryPolicy } from '../http/with-retries.ts';
import { scrubSecrets } from '../scrub-secrets.ts';
import { SourceError } from '../source-error.ts';
import type { RestConfig, RestEndpoint } from './config.ts';
import { endpointFinder } from './find-endpoints.ts';
import { introspect } from './introspect.ts';
import { firstPosition, pageUrl } from './page-url.ts';
import { sinceParameters } from './parameter-template.ts';
import { pagesByPlace, readRestPages, servicePages, type PageSource } from './read-pages.ts';

/** Any REST interface as a source of records. */
export function restRecords(
  config: RestConfig,
  client: HttpClient,
  retryPolicy: RetryPolicy,
  secrets: Iterable<string>,
): RecordSource {
  const findEndpoints = endpointFinder(config, client, retryPolicy);
  const pages = servicePages(client, retryPolicy);
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
    ...(config.statementTimeoutMs !== undefined && { statementTimeoutMs: config.statementTimeoutMs }),
    secrets,
    describe: (options) => introspect({ client, retryPolicy, findEndpoints }, options),
    requests: async (read) => [request(config, await endpointOf(read), [...secrets])],
    pagesByPlace: async (read) => pagesByPlace(await endpointOf(read)),
    async *records(read, options) {
      yield* endpointCells(pages, await endpointOf(read, options.signal), read, options);
    },
    close: () => client.close(),
  };
}

/** The records of an endpoint. */
export async function* endpointCells(
  pages: PageSource,
  endpoint: RestEndpoint,
  read: ObjectRead,
  { purpose, signal, since, onProgress, onTotal }: ReadOptions,
): AsyncGenerator<readonly Cells[], void, undefined> {
  const options = { signal, since, onWait: toldWait(onProgress), isWhole: purpose === 'import' };
  for await (const page of readRestPages(pages, endpoint, options)) {
    if (page.total !== undefined) onTotal?.(page.total);
    yield page.records.map((record) => read.columns.map(({ name }) => jsonCell(record[name])));
  }
}

const nextPages: Readonly<Record<NonNullable<RestEndpoint['pagination']>['style'], string>> = {
  offset: 'further pages skip the records so far, until one is empty',
  page: 'further pages have the next number, until one is empty',
  cursor: 'further pages have the cursor of the answer before, until there is none',
  link: 'further pages are those that the Link header names as next',
};

function request(config: RestConfig, endpoint: RestEndpoint, secrets: readonly string[]): QueryStep {
  return endpointStep({ baseUrl: config.baseUrl, auth: config.auth, accept: 'application/json' }, endpoint, secrets);
}

/** The first request. Parameters may have secrets in them, which nobody is shown. */
export function endpointStep(
  { baseUrl, auth, accept }: { readonly baseUrl: URL; readonly auth: AuthSettings; readonly accept: string },
  endpoint: RestEndpoint,
  secrets: readonly string[],
): QueryStep {
  const { pagination, parameters } = endpoint;
  const url = shownAddress(pageUrl(baseUrl, endpoint, { position: firstPosition(pagination) }), auth);
  const sliced = sinceParameters(parameters).map((name) => `${name}=${parameters[name]}`);
  const since = sliced.length === 0 ? '' : `; an import with --since also sends ${sliced.join('&')}`;
  return {
    kind: 'http',
    dialect: 'http',
    role: 'setup',
    title: scrubSecrets(
      `Records of ${endpoint.name}${pagination ? `: ${nextPages[pagination.style]}` : ''}${since}`,
      secrets,
    ),
    text: [`GET ${scrubSecrets(url.href, secrets)}`, `Accept: ${accept}`, ...loginLines(auth)].join('\n'),
  };
}
