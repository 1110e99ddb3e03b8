import type { ObjectRead, QueryStep } from '../../../query/compiled-query.ts';
import type { OperationOptions } from '../../connector.ts';
import type { Cells, PagesByPlace, ReadOptions } from '../../fetched/record-source.ts';
import type { RestEndpoint } from '../../endpoints/endpoint.ts';
import { withInexactNumbersAsTexts } from '../../endpoints/large-numbers.ts';
import { checkFirstPage, firstPage } from '../../endpoints/first-page.ts';
import { parseAnswer } from '../../endpoints/parse-answer.ts';
import { pagesByPlace, type PageSource, type RestPage } from '../../endpoints/read-pages.ts';
import { endpointCells, endpointStep } from '../../endpoints/endpoint-records.ts';
import { SourceError } from '../../source-error.ts';
import type { ServiceNowClient } from '../api/client.ts';
import type { ScriptedEndpoint, ServiceNowConfig } from '../read-settings.ts';
import { scriptedAccept, scriptedPath, type ScriptedAnswer } from '../api/scripted-api.ts';

/** All records of a scripted endpoint: in one response, unless pagination is configured. */
export function readEndpoint(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  read: ObjectRead,
  options: ReadOptions,
): AsyncGenerator<readonly Cells[], void, undefined> {
  return endpointCells(scriptedPages(client), asEndpoint(endpoint), read, options);
}

/** Its offset-like pagination, if any. */
export function endpointPagesByPlace(endpoint: ScriptedEndpoint): PagesByPlace | undefined {
  return pagesByPlace(asEndpoint(endpoint));
}

/** Its first page. */
export function endpointPage(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  options: OperationOptions,
): Promise<RestPage> {
  return firstPage(scriptedPages(client), asEndpoint(endpoint), options);
}

/** Why an import of it would fail, by its first page. */
export function checkEndpoint(
  client: ServiceNowClient,
  endpoint: ScriptedEndpoint,
  options: OperationOptions,
): Promise<SourceError | undefined> {
  return checkFirstPage(scriptedPages(client), asEndpoint(endpoint), options);
}

export function endpointRequest(
  { instanceUrl, auth }: Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>,
  endpoint: ScriptedEndpoint,
  secrets: readonly string[],
): QueryStep {
  return endpointStep(
    { baseUrl: instanceUrl, auth, headers: { Accept: scriptedAccept } },
    asEndpoint(endpoint),
    secrets,
  );
}

/** The endpoint as a REST endpoint below the address of the instance. */
function asEndpoint({ path, namespace, version, api, ...endpoint }: ScriptedEndpoint): RestEndpoint {
  const [bare = '', ...query] = path.split('?');
  const segments = scriptedPath({
    path: bare,
    namespace,
    version,
    api,
  });
  const address = ['api', ...segments.map(encodeURIComponent)].join('/');
  return { ...endpoint, path: [address, ...query].join('?'), columns: {} };
}

/** Responses of scripts are parsed like those of the platform, with its error messages. */
function scriptedPages({ scripted, http }: ServiceNowClient): PageSource {
  const base = `${http.baseUrl.pathname.replace(/\/+$/, '')}/api/`;
  return {
    baseUrl: http.baseUrl,
    async get(url, { signal, onWait }) {
      if (url.origin !== http.baseUrl.origin || !url.pathname.startsWith(base)) throw elsewhere(url);
      const path = url.pathname.slice(base.length).split('/').map(decodeURIComponent).join('/');
      const request = { path, parameters: url.search === '' ? undefined : url.searchParams };
      const answer = await scripted.call(request, { signal, onWait });
      return { value: answer.status === 204 ? null : parsedAnswer(answer), headers: answer.headers };
    },
  };
}

/** The value of a response, with numbers that a double would change as texts, to keep their digits. */
function parsedAnswer({ value, text, contentType }: ScriptedAnswer): unknown {
  // Scripts may declare another type than that of JSON, such as that of its lines.
  if (typeof value !== 'string' && withInexactNumbersAsTexts(text) === text) return value;
  try {
    return parseAnswer(text, contentType);
  } catch {
    return value;
  }
}

function elsewhere(url: URL): SourceError {
  return new SourceError(
    'source-failed',
    `The next page is said to be at ${url.origin}${url.pathname}, outside of the instance’s interfaces.`,
    {
      remedy: 'Credentials go to the configured instance only: use another style of pagination.',
    },
  );
}
