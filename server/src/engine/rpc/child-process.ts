import { fork } from 'node:child_process';
import type { Answering, Method, MethodMap } from './rpc-messages.ts';
import { type RequestOptions, type SendRequest, createRpcPeer } from './rpc-peer.ts';

/** A bundle that is run in a process of its own. */
export interface ChildProgram {
  readonly path: string;
  /** V8 options. */
  readonly flags?: readonly string[];
  /** Default: the environment of this process. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

/** The reason with which requests reject when their process has ended. */
export class ProcessEnded extends Error {
  /** @param how exit code or signal, or why it could not be started. */
  constructor(readonly how: string) {
    super(`The process has ended (${how}).`);
    this.name = 'ProcessEnded';
  }
}

export interface ChildProcess<M extends MethodMap<M>> {
  /** Rejects with `ProcessEnded` too. */
  readonly request: SendRequest<M>;
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  readonly hasEnded: boolean;
  /** Resolves to how it ended, as `ProcessEnded` says it. */
  readonly ended: Promise<string>;
  kill(signal?: NodeJS.Signals): void;
  /** Closes the channel, which ends the process. */
  disconnect(): void;
  /** This process no longer waits for it when it exits. */
  unref(): void;
}

/** @param answering the requests that the child may send. */
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
    // A message that cannot be sent is no error of its own: its process is gone, and `exit` follows.
    if (child.connected) child.send(message, () => undefined);
  }, answering);
  let hasEnded = false;
  const ended = new Promise<string>((resolve) => {
    const end = (how: string): void => {
      hasEnded = true;
      resolve(how);
      peer.close(new ProcessEnded(how));
    };
    // Also emitted for a signal that cannot be sent, which ends nothing.
    child.on('error', (error) => {
      if (child.pid === undefined) end(error.message);
    });
    child.once('exit', (code, signal) => end(signal ?? `exit code ${code}`));
  });
  child.on('message', (message) => void peer.receive(message));
  return {
    ...{ request: peer.request, pid: child.pid, ended },
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

/** A process that starts with the first request and ends when none has come for a while. */
export interface OnDemandProcess<M extends MethodMap<M>> {
  /** Rejects with `ProcessEnded` too; the next request starts another process. */
  request<K extends keyof M & string>(
    method: K,
    params: M[K]['params'],
    options?: OnDemandOptions<M[K]>,
  ): Promise<M[K]['result']>;
  /** How many requests have no answer yet. */
  readonly unanswered: number;
}

interface OnDemandOptions<T extends Method> extends RequestOptions<T> {
  /** The process is killed when the answer takes longer. */
  readonly killAfterMs?: number;
}

export function createOnDemandProcess<M extends MethodMap<M>>(
  program: ChildProgram,
  idleMs: number,
): OnDemandProcess<M> {
  let child: ChildProcess<M> | undefined;
  let idle: NodeJS.Timeout | undefined;
  let unanswered = 0;

  function start(): ChildProcess<M> {
    const started = startChildProcess<M, object>(program, { shapes: {}, answers: {} });
    // A server that is told to exit does not wait for it; the process goes when the channel closes.
    started.unref();
    return started;
  }

  function rest(): void {
    child?.disconnect();
    child = undefined;
  }

  return {
    get unanswered() {
      return unanswered;
    },
    async request(method, params, { killAfterMs, ...options } = {}) {
      clearTimeout(idle);
      const asked = child && !child.hasEnded ? child : start();
      child = asked;
      const timer = killAfterMs === undefined ? undefined : setTimeout(() => asked.kill(), killAfterMs).unref();
      unanswered += 1;
      try {
        return await asked.request(method, params, options);
      } finally {
        clearTimeout(timer);
        unanswered -= 1;
        if (unanswered === 0) idle = setTimeout(rest, idleMs).unref();
      }
    },
  };
}
