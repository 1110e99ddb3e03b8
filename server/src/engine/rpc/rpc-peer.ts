import { choice } from '../../../../protocol/shapes/shape.ts';
import {
  type Answering,
  type Answers,
  type Method,
  type MethodMap,
  type RpcMessage,
  rpcMessage,
} from './rpc-messages.ts';

/** One end of a connection between two processes. Both ends may send requests. */
interface RpcPeer<M extends MethodMap<M>> {
  /** Rejects when the other end fails unexpectedly, or with the reason of `close`. */
  request: SendRequest<M>;
  /** Handles a message from the other end. Returns the problem of a malformed one, which is ignored. */
  receive(message: unknown): string | undefined;
  /** The other end is gone: rejects open requests and aborts running handlers. */
  close(reason: Error): void;
}

export type SendRequest<M extends MethodMap<M>> = <K extends keyof M & string>(
  method: K,
  params: M[K]['params'],
  options?: RequestOptions<M[K]>,
) => Promise<M[K]['result']>;

export interface RequestOptions<T extends Method> {
  /** Aborting cancels the request; its response still arrives. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: T['progress']) => void) | undefined;
}

interface OpenRequest {
  readonly resolve: (result: unknown) => void;
  readonly reject: (reason: Error) => void;
  readonly onProgress: ((progress: unknown) => void) | undefined;
}

/** @param send delivers a message to the other end, or drops it when that end is gone. */
export function createRpcPeer<Asked extends MethodMap<Asked>, Answered extends MethodMap<Answered>>(
  send: (message: RpcMessage) => void,
  { shapes, answers }: Answering<Answered>,
): RpcPeer<Asked> {
  const open = new Map<number, OpenRequest>();
  const answering = new Map<number, AbortController>();
  const methodName = choice(Object.fromEntries(Object.keys(shapes).map((name) => [name, true])));
  let lastId = 0;
  let closed: Error | undefined;

  async function request(method: string, params: unknown, options: RequestOptions<Method> = {}): Promise<unknown> {
    if (closed) throw closed;
    const { signal, onProgress } = options;
    const id = (lastId += 1);
    const cancel = (): void => send({ kind: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    try {
      return await new Promise((resolve, reject) => {
        open.set(id, { resolve, reject, onProgress });
        send({ kind: 'request', id, method, params });
        if (signal?.aborted) cancel();
      });
    } finally {
      open.delete(id);
      signal?.removeEventListener('abort', cancel);
    }
  }

  async function answer(id: number, method: keyof Answered, params: unknown): Promise<void> {
    const abort = new AbortController();
    answering.set(id, abort);
    try {
      const value = await (answers as Answers<Record<string, Method>>)[method as string]?.(params, {
        signal: abort.signal,
        onProgress: (progress) => send({ kind: 'progress', id, value: progress }),
      });
      send({ kind: 'result', id, value });
    } catch (error) {
      send({ kind: 'failure', id, message: error instanceof Error ? error.message : String(error) });
    } finally {
      answering.delete(id);
    }
  }

  function receiveRequest({ id, method, params }: Extract<RpcMessage, { kind: 'request' }>): string | undefined {
    const known = method as keyof Answered;
    const mistake = methodName(method, 'method') ?? shapes[known](params, 'params');
    const refusal = mistake === undefined ? undefined : malformed(mistake);
    if (refusal === undefined) void answer(id, known, params);
    else send({ kind: 'failure', id, message: refusal });
    return refusal;
  }

  return {
    // The messages carry untyped values, which have the types of the methods.
    request: request as SendRequest<Asked>,
    receive(received) {
      const mistake = rpcMessage(received, '');
      if (mistake !== undefined) return malformed(mistake);
      const message = received as RpcMessage;
      switch (message.kind) {
        case 'request':
          return receiveRequest(message);
        case 'cancel':
          answering.get(message.id)?.abort(new Error('Cancelled.'));
          break;
        case 'progress':
          open.get(message.id)?.onProgress?.(message.value);
          break;
        case 'result':
          open.get(message.id)?.resolve(message.value);
          break;
        case 'failure':
          open.get(message.id)?.reject(new Error(message.message));
      }
      return undefined;
    },
    close(reason) {
      closed ??= reason;
      for (const { reject } of open.values()) reject(reason);
      for (const abort of answering.values()) abort.abort(reason);
    },
  };
}

function malformed(mistake: string): string {
  return `The process received an invalid message. ${mistake}`;
}
