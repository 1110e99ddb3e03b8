import type { QueryStep } from '../../query/compiled-query.ts';
import { loginLines } from '../fetched/login-lines.ts';
import { requestUrl } from './call-platform.ts';
import type { ServiceNowConfig } from './config.ts';

interface ShownRequest {
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams;
}

/** Requests as Show Query prints them: word for word, but for the login. */
export function httpStep(
  title: string,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>,
  requests: readonly ShownRequest[],
): QueryStep {
  const header = config.auth.kind === 'apiKey' ? config.auth.header : 'Authorization';
  const printed = requests.map((request) => {
    const url = requestUrl(config.instanceUrl, request);
    return [`GET ${url.href}`, 'Accept: application/json', ...loginLines(config.auth.kind, header)].join('\n');
  });
  const text = printed.join('\n\n');
  return { kind: 'http', dialect: 'http', role: 'setup', title, text };
}
