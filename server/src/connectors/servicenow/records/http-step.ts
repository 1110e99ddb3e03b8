import type { QueryStep } from '../../../query/compiled-query.ts';
import { loginLines, shownAddress } from '../../fetched/login-lines.ts';
import { requestUrl } from '../api/call-platform.ts';
import type { ServiceNowConfig } from '../read-settings.ts';

interface ShownRequest {
  readonly path: readonly string[];
  readonly parameters?: URLSearchParams;
}

/** Requests for Show Query: exact, with redacted credentials. */
export function httpStep(
  title: string,
  config: Pick<ServiceNowConfig, 'instanceUrl' | 'auth'>,
  requests: readonly ShownRequest[],
): QueryStep {
  const printed = requests.map((request) => {
    const url = shownAddress(requestUrl(config.instanceUrl, request), config.auth);
    return [`GET ${url.href}`, 'Accept: application/json', ...loginLines(config.auth)].join('\n');
  });
  const text = printed.join('\n\n');
  return { kind: 'http', dialect: 'http', role: 'setup', title, text };
}
