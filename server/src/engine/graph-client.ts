import { type ChildProcess, fork } from 'node:child_process';
import type { EventGraphQuestion, QuestionAnswer, QuestionParams } from '../../../protocol/event-graph.ts';
import type { Failure, Outcome } from '../../../protocol/query-results.ts';
import type { GraphDiff } from '../../../protocol/graph-diff.ts';
import type { StoredGraphs } from '../operations/stored-graph.ts';
import type { GraphFile } from '../project/open-project.ts';
import type { FromGraphProcess, ToGraphProcess } from './graph-messages.ts';

/** Asks about imported graphs in a process of its own, which starts with the first question and ends when none has come for a while. */
export interface GraphClient {
  /** Never rejects. */
  ask<Q extends EventGraphQuestion>(
    store: string,
    question: Q,
    params: QuestionParams<Q>,
    signal: AbortSignal,
  ): Promise<Outcome<QuestionAnswer<Q>>>;
  /** Writes a graph into files; resolves to their paths. Never rejects. */
  export(work: GraphExport, signal: AbortSignal): Promise<Outcome<readonly string[]>>;
  /** Compares the last graph with the one before it. Never rejects. */
  diff(stores: StoredGraphs, file: GraphFile, signal: AbortSignal): Promise<Outcome<GraphDiff>>;
}

export type GraphExport = Omit<Extract<ToGraphProcess, { kind: 'export' }>, 'kind' | 'id'>;

/** Maps that were counted are kept for so long. */
const idleMs = 300_000;

const ended: Failure = {
  code: 'engine-ended',
  message: 'The process that looks at graphs has ended.',
  remedy: 'Try again; if it ends again, the graph may need more memory than there is.',
};

/** @param programPath the bundle of `graph-process.ts`. */
export function createGraphClient(programPath: string): GraphClient {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, (outcome: Outcome<unknown>) => void>();

  function start(): ChildProcess {
    const started = fork(programPath, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started.on('message', (message: FromGraphProcess) =>
      settle(
        message.id,
        'failure' in message ? { ok: false, error: message.failure } : { ok: true, value: message.answer },
      ),
    );
    const end = (): void => {
      if (child !== started) return;
      child = undefined;
      for (const id of [...waiting.keys()]) settle(id, { ok: false, error: ended });
    };
    started.once('error', end);
    started.once('exit', end);
    // A server that is told to exit does not wait for it; the process goes when the channel closes.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function settle(id: number, outcome: Outcome<unknown>): void {
    waiting.get(id)?.(outcome);
    waiting.delete(id);
    if (waiting.size > 0) return;
    clearTimeout(idle);
    idle = setTimeout(() => {
      const resting = child;
      child = undefined;
      resting?.disconnect();
    }, idleMs).unref();
  }

  async function request(ask: (id: number) => ToGraphProcess, signal: AbortSignal): Promise<Outcome<unknown>> {
    clearTimeout(idle);
    child ??= start();
    const asked = child;
    const id = (lastId += 1);
    const send = (message: ToGraphProcess): void => void (asked.connected && asked.send(message));
    const cancel = (): void => send({ kind: 'cancel', id });
    signal.addEventListener('abort', cancel, { once: true });
    const outcome = await new Promise<Outcome<unknown>>((resolve) => {
      waiting.set(id, resolve);
      send(ask(id));
      if (signal.aborted) cancel();
    });
    signal.removeEventListener('abort', cancel);
    return outcome;
  }

  // The process answers each question with its own answer.
  return {
    ask: async (store, question, params, signal) =>
      (await request((id) => ({ kind: 'ask', id, store, question, params }), signal)) as Outcome<
        QuestionAnswer<typeof question>
      >,
    diff: async (stores, file, signal) =>
      (await request((id) => ({ kind: 'diff', id, stores, file }), signal)) as Outcome<GraphDiff>,
    export: async (work, signal) =>
      (await request((id) => ({ kind: 'export', id, ...work }), signal)) as Outcome<readonly string[]>,
  };
}
