import { fixedAuthorizer } from './authorizer.ts';
import { createHttpClient, type HttpResponse } from './http-client.ts';
import type { OAuthSettings, TokenEndpoint } from './oauth.ts';
import { TransientFailure, retryAfterMs, serverTime } from './transient-failure.ts';
import { unavailableStatuses } from './unavailable-statuses.ts';
import { withRetries, type RetryPolicy } from './with-retries.ts';
import type { Agent } from 'node:http';

interface TokenEndpointSettings {
  readonly settings: OAuthSettings;
  readonly url: URL;
  readonly peer: string;
  /** Creates the agent for an address, which may be another host than that of the data. */
  readonly openAgent: (url: URL) => Agent;
  readonly requestTimeoutMs: number;
  readonly retryPolicy: RetryPolicy;
}

/** The token endpoint is called without authentication, on a connection closed after each response. */
export function createTokenEndpoint(options: TokenEndpointSettings): TokenEndpoint {
  const { settings, url, peer, requestTimeoutMs, retryPolicy } = options;
  const headers = { Accept: 'application/json', 'Content-Type': 'application/x-www-form-urlencoded' };
  return {
    settings,
    peer,
    postForm(form, more) {
      const agent = options.openAgent(url);
      const client = createHttpClient({ baseUrl: url, peer, authorizer: fixedAuthorizer({}), agent, requestTimeoutMs });
      return withRetries(
        async () => {
          const answer = await client.send({
            method: 'POST',
            url,
            headers: { ...headers, ...more },
            body: form.toString(),
          });
          if (answer.status === 429 || unavailableStatuses.includes(answer.status)) throw busy(peer, answer);
          return answer;
        },
        // A code is good once: sent again after it was used, it may end the login that it began (RFC 6749, section 4.1.2).
        { policy: retryPolicy, idempotent: form.get('grant_type') !== 'authorization_code' },
      ).finally(() => client.close());
    },
  };
}

function busy(peer: string, { status, headers }: HttpResponse): TransientFailure {
  const wait = retryAfterMs(headers.get('retry-after'), serverTime(headers));
  return new TransientFailure('source-failed', `${peer} gives no tokens at the moment (status ${status}).`, {
    // Requests with status 429 (too many) or 425 (too early) were not processed. Gateways send the other statuses for
    // requests that may have arrived.
    mayHaveRun: status !== 429 && status !== 425,
    retryAfterMs: wait,
  });
}
