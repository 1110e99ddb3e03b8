import type { QueryStep } from '../../query/compiled-query.ts';
import { loginLines } from '../fetched/login-lines.ts';
import { requestUrl } from './call-platform.ts';
import type { ServiceNowConfig } from './config.ts';

/** A request as Show Query prints it: word for word, but for the login. */
export function httpStep(
  title: string,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>,
  request: { readonly path: readonly string[]; readonly parameters?: URLSearchParams },
): QueryStep {
  const header = config.auth.kind === 'apiKey' ? config.auth.header : 'Authorization';
  const url = requestUrl(config.instanceUrl, request);
  const text = [`GET ${url.href}`, 'Accept: application/json', ...loginLines(config.auth.kind, header)].join('\n');
  return { kind: 'http', dialect: 'http', role: 'setup', title, text };
}
