import { randomUUID } from 'node:crypto';
import type { CancellationToken } from 'vscode';
import type { LanguageRequests, RequestParams, RequestResult } from '../../protocol/language-requests.ts';
import type { Reported } from '../../protocol/requests/reported.ts';
import type { GraphLanguage } from './language-client.ts';

/** Requests that report their steps. */
export type ReportedMethod = {
  [M in keyof LanguageRequests]: LanguageRequests[M]['params'] extends Reported ? M : never;
}[keyof LanguageRequests];

/** Sends a request, and reports each of its steps until it is answered. */
export async function reportedRequest<M extends ReportedMethod>(
  language: Pick<GraphLanguage, 'request' | 'onNotification'>,
  method: M,
  params: RequestParams<M>,
  { token, report }: { readonly token: CancellationToken; readonly report: (step: string) => void },
): Promise<RequestResult<M>> {
  const progressToken = randomUUID();
  const steps = language.onNotification('entityGraph/requestProgress', (reached) => {
    if (reached.progressToken === progressToken) report(reached.message);
  });
  try {
    return await language.request(method, { ...params, progressToken }, token);
  } finally {
    steps.dispose();
  }
}
