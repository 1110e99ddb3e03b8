import type { PageSource } from '../endpoints/read-pages.ts';
import type { HttpClient } from '../http/http-client.ts';
import { withRetries, type RetryPolicy } from '../http/with-retries.ts';
import { readJsonResponse } from './read-response.ts';

/** Pages of a service, with retries. */
export function servicePages(client: HttpClient, policy: RetryPolicy): PageSource {
  return {
    baseUrl: client.baseUrl,
    get: (url, { signal, onWait }) => {
      const attempt = async () => {
        const answer = await client.send({ method: 'GET', url, headers: { Accept: 'application/json' }, signal });
        return { value: readJsonResponse(answer, `GET ${url.pathname}`), headers: answer.headers };
      };
      return withRetries(attempt, { policy, idempotent: true, signal, onWait });
    },
  };
}
