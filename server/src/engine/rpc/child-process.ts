import { fork } from 'node:child_process';
import { createDebouncer } from '../../../../protocol/debouncer.ts';
import type { Answering, Method, MethodMap } from './rpc-messages.ts';
import { type RequestOptions, type SendRequest, createRpcPeer } from './rpc-peer.ts';

/** A bundle that runs in a separate process. */
export interface ChildProgram {
  readonly path: string;
  /** V8 options. */
  readonly flags?: readonly string[];
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** Rejection reason of requests whose process has ended. */
export class ProcessEnded extends Error {
  /** @param how exit code or signal, or why it could not be started. */
  constructor(readonly how: string) {
    super(`The process has ended (${how}).`);
    this.name = 'ProcessEnded';
  }
}

export interface ChildProcess<M extends MethodMap<M>> {
  /** Also rejects with `ProcessEnded`. */
  readonly request: SendRequest<M>;
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly hasEnded: boolean;
  /** Resolves to the description in `ProcessEnded`. */
  readonly ended: Promise<string>;
  kill(signal?: NodeJS.Signals): void;
  /** Closes the channel, which ends the process. */
  disconnect(): void;
  /** Unreferences it, so that this process can exit. */
  unref(): void;
}

/** @param answering handlers of requests from the child. */
export function startChildProcess<Asked extends MethodMap<Asked>, Answered extends MethodMap<Answered>>(
  { path, flags = [], environment = process.env }: ChildProgram,
  answering: Answering<Answered>,
): ChildProcess<Asked> {
  const child = fork(path, [], {
    env: { ...environment },
    execArgv: [...flags],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const peer = createRpcPeer<Asked, Answered>((message) => {
    // A failed send needs no handling: the process has ended, and `exit` follows.
    if (child.connected) child.send(message, () => undefined);
  }, answering);
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      hasEnded = true;
      resolve(how);
      peer.close(new ProcessEnded(how));
    };
    // Also emitted for a signal that cannot be delivered, which ends nothing.
    child.on('error', (error) => {
      if (child.pid === undefined) end(error.message);
    });
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  });
  child.on('message', (message) => void peer.receive(message));
  return {
    request: peer.request,
    pid: child.pid,
    ended,
    get hasEnded() {
      return hasEnded;
    },
    kill: (signal) => void child.kill(signal),
    disconnect() {
      if (child.connected) child.disconnect();
    },
    unref() {
      child.unref();
      child.channel?.unref();
    },
  };
}

/** A process that starts with the first request and exits when idle. */
export interface OnDemandProcess<M extends MethodMap<M>> {
  /** Also rejects with `ProcessEnded`; the next request starts a new process. */
  request<K extends keyof M & string>(
    method: K,
    params: M[K]['params'],
    options?: OnDemandOptions<M[K]>,
  ): Promise<M[K]['result']>;
  /** Number of open requests. */
  readonly unanswered: number;
}

interface OnDemandOptions<T extends Method> extends RequestOptions<T> {
  /** Timeout after which the process is killed. */
  readonly killAfterMs?: number | undefined;
}

export function createOnDemandProcess<M extends MethodMap<M>>(
  program: ChildProgram,
  idleMs: number,
): OnDemandProcess<M> {
  let child: ChildProcess<M> | undefined;
  let unanswered = 0;

  function start(): ChildProcess<M> {
    const started = startChildProcess<M, object>(program, { shapes: {}, answers: {} });
    // An exiting server does not wait for it; the process exits when the channel closes.
    started.unref();
    return started;
  }

  const end = createDebouncer(idleMs, () => {
    child?.disconnect();
    child = undefined;
  });

  return {
    get unanswered() {
      return unanswered;
    },
    async request(method, params, { killAfterMs, ...options } = {}) {
      end.cancel();
      const asked = child && !child.hasEnded ? child : start();
      child = asked;
      const timer = killAfterMs === undefined ? undefined : setTimeout(() => asked.kill(), killAfterMs).unref();
      unanswered += 1;
      try {
        return await asked.request(method, params, options);
      } finally {
        clearTimeout(timer);
        unanswered -= 1;
        if (unanswered === 0) end.schedule();
      }
    },
  };
}
