import type { QueryStep } from '../../query/compiled-query.ts';
import { requestUrl } from './call-platform.ts';
import type { ServiceNowConfig } from './config.ts';

/** A request as Show Query prints it: word for word, but for the login. */
export function httpStep(
  title: string,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>,
  request: { readonly path: readonly string[]; readonly parameters?: URLSearchParams },
): QueryStep {
  const url = requestUrl(config.instanceUrl, request);
  const login = loginLines[config.auth.kind];
  const text = [`GET ${url.href}`, 'Accept: application/json', ...login].join('\n');
  return { kind: 'http', dialect: 'http', role: 'setup', title, text };
}

const loginLines: Readonly<Record<ServiceNowConfig['auth']['kind'], readonly string[]>> = {
  none: [],
  basic: ['Authorization: Basic ***'],
  oauth2: ['Authorization: Bearer ***'],
  mtls: [],
  apiKey: ['Authorization: ***'],
};
