import { CancellationTokenSource, type Connection } from 'vscode-languageserver/node';
import { type ClientRequests, clientRequests } from '../../../protocol/requests/client-requests.ts';

/** Sends a request to our client, and cancels it with the signal; an invalid response counts as none and is logged. */
type ExtensionClient = <M extends keyof ClientRequests>(
  method: M,
  params: ClientRequests[M]['params'],
  signal?: AbortSignal,
) => Promise<ClientRequests[M]['result']>;

export function createExtensionClient(
  connection: Pick<Connection, 'sendRequest'>,
  log: (message: string) => void,
): ExtensionClient {
  async function send(method: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    const cancellation = new CancellationTokenSource();
    const cancel = (): void => cancellation.cancel();
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      return await connection.sendRequest(method, params, cancellation.token);
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  }

  return async (method, params, signal) => {
    const answer: unknown = await (signal ? send(method, params, signal) : connection.sendRequest(method, params));
    const { result, unanswered } = clientRequests[method];
    const mistake = result(answer, '');
    if (mistake === undefined) return answer as ClientRequests[typeof method]['result'];
    log(`The answer to ${method} cannot be used: ${mistake}`);
    return unanswered as ClientRequests[typeof method]['result'];
  };
}
