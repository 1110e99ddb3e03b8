import type { PageSource } from '../endpoints/read-pages.ts';
import type { HttpClient } from '../http/http-client.ts';
import { withRetries, type RetryPolicy } from '../http/with-retries.ts';
import { readJsonResponse } from './read-response.ts';
import type { RestConfig } from './read-settings.ts';
import { withOwnHeaders } from './request-headers.ts';

/** Pages of a service, with retries. */
export function servicePages(client: HttpClient, policy: RetryPolicy, headers: RestConfig['headers']): PageSource {
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
