import type { Connection } from 'vscode-languageserver/node';
import type { ClientRequests } from '../../../protocol/requests/client-requests.ts';
import { answerShapes } from '../../../protocol/shapes/request-shapes.ts';

/** Sends a request to our client; an invalid response counts as none and is logged. */
export type ExtensionClient = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]['params'],
) => Promise<ClientRequests[M]['result']>;

export function createExtensionClient(
  connection: Pick<Connection, 'sendRequest'>,
  log: (message: string) => void,
): ExtensionClient {
  return async (method, params) => {
    const answer: unknown = await connection.sendRequest(method, params);
    const mistake = answerShapes[method](answer, '');
    if (mistake === undefined) return answer as ClientRequests[typeof method]['result'];
    log(`The answer to ${method} cannot be used: ${mistake}`);
    return noAnswers[method] as ClientRequests[typeof method]['result'];
  };
}

/** The client's error for an unanswered request. */
const noAnswers: { readonly [M in keyof ClientRequests]: ClientRequests[M]['result'] } = {
  'entityGraph/secret': { value: null },
  'entityGraph/allowSecret': { allowed: false },
  'entityGraph/token': { value: null },
  'entityGraph/keepToken': null,
  'entityGraph/authorize': null,
};
