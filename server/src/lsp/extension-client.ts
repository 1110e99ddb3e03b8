import type { Connection } from 'vscode-languageserver/node';
import { type ClientRequests, clientRequests } from '../../../protocol/requests/client-requests.ts';

/** Sends a request to our client; an invalid response counts as none and is logged. */
type ExtensionClient = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]['params'],
) => Promise<ClientRequests[M]['result']>;

export function createExtensionClient(
  connection: Pick<Connection, 'sendRequest'>,
  log: (message: string) => void,
): ExtensionClient {
  return async (method, params) => {
    const answer: unknown = await connection.sendRequest(method, params);
    const { result, unanswered } = clientRequests[method];
    const mistake = result(answer, '');
    if (mistake === undefined) return answer as ClientRequests[typeof method]['result'];
    log(`The answer to ${method} cannot be used: ${mistake}`);
    return unanswered as ClientRequests[typeof method]['result'];
  };
}
