import type { ObjectRead, QueryStep } from '../../query/compiled-query.ts';
import { jsonCell } from '../fetched/json-records.ts';
import { loginLines, shownAddress } from '../fetched/login-lines.ts';
import type { Cells, ReadOptions } from '../fetched/record-source.ts';
import type { AuthSettings } from '../http/auth-settings.ts';
import { reportWait } from '../http/with-retries.ts';
import { redactSecrets } from '../redact-secrets.ts';
import type { RestEndpoint } from './endpoint.ts';
import { headerLines } from './header-lines.ts';
import { firstPosition, pageUrl } from './page-url.ts';
import { sinceParameters } from './parameter-template.ts';
import { readRestPages, type PageSource } from './read-pages.ts';

/** The records of an endpoint. */
export async function* endpointCells(
  pages: PageSource,
  endpoint: RestEndpoint,
  read: ObjectRead,
  { purpose, signal, since, onProgress, onTotal, onWarning }: ReadOptions,
): AsyncGenerator<readonly Cells[], void, undefined> {
  const options = { signal, since, onWait: reportWait(onProgress), isWhole: purpose === 'import' };
  for await (const page of readRestPages(pages, endpoint, options)) {
    if (page.total !== undefined) onTotal?.(page.total);
    if (typeof page.doubt === 'string') onWarning(page.doubt);
    yield page.records.map((record) => read.columns.map(({ name }) => jsonCell(record[name])));
  }
}

const nextPages: Readonly<Record<NonNullable<RestEndpoint['pagination']>['style'], string>> = {
  offset: 'further pages skip the records so far, until one is empty',
  page: 'further pages have the next number, until one is empty',
  cursor: 'further pages have the cursor of the answer before, until there is none',
  none: 'this answer has all of them',
  link: 'further pages are read from the next link of the Link header',
};

/** The first request. Parameters may contain secrets, which are redacted. */
export function endpointStep(
  {
    baseUrl,
    auth,
    headers,
  }: {
    readonly baseUrl: URL;
    readonly auth: AuthSettings;
    readonly headers: Readonly<Record<string, string>>;
  },
  endpoint: RestEndpoint,
  secrets: readonly string[],
): QueryStep {
  const { pagination, parameters } = endpoint;
  const url = shownAddress(pageUrl(baseUrl, endpoint, { position: firstPosition(pagination) }), auth);
  const sliced = sinceParameters(parameters).map(([name, template]) => `${name}=${template}`);
  const since = sliced.length === 0 ? '' : `; an import with --since also sends ${sliced.join('&')}`;
  return {
    kind: 'http',
    dialect: 'http',
    role: 'setup',
    title: redactSecrets(
      `Records of ${endpoint.name}${pagination ? `: ${nextPages[pagination.style]}` : ''}${since}`,
      secrets,
    ),
    text: [redactSecrets([`GET ${url.href}`, ...headerLines(headers)].join('\n'), secrets), ...loginLines(auth)].join(
      '\n',
    ),
  };
}
