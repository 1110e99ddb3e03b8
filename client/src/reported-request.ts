import { randomUUID } from 'node:crypto';
import type { CancellationToken } from 'vscode';
import type { RequestParams, RequestResult, languageRequests } from '../../protocol/language-requests.ts';
import type { RequestShape } from '../../protocol/shapes/request-shape.ts';
import type { GraphLanguage } from './language-client.ts';

/** Requests that report their steps. */
export type ReportedMethod = {
  [M in keyof typeof languageRequests]: (typeof languageRequests)[M] extends RequestShape<unknown, unknown, true>
    ? M
    : never;
}[keyof typeof languageRequests];

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
    return await language.request(method, { ...(params as object), progressToken } as RequestParams<M>, token);
  } finally {
    steps.dispose();
  }
}
