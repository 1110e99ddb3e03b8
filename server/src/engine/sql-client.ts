import { type ChildProcess, fork } from 'node:child_process';
import type { SqlMistake, SqlQuestion } from '../language/sql/sql-judge.ts';
import type { SqlAnswer, SqlAsked } from './sql-messages.ts';

/** Asks DuckDB in a process of its own, which starts with the first question and ends when none has come for a while. */
export interface SqlClient {
  /** Rejects when the process cannot answer. */
  ask(question: SqlQuestion): Promise<readonly SqlMistake[]>;
}

/** A statement that takes longer to read than this is given up, and the process with it. */
const patienceMs = 5_000;

/** Starting again costs a tenth of a second, resting some 60 MB. */
const idleMs = 120_000;

/** @param programPath the bundle of `sql-process.ts`. */
export function createSqlClient(programPath: string): SqlClient {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, (answer: SqlAnswer | undefined) => void>();

  function start(): ChildProcess {
    const started = fork(programPath, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started.on('message', (answer: SqlAnswer) => settle(answer.id, answer));
    const end = (): void => {
      if (child !== started) return;
      child = undefined;
      for (const id of [...waiting.keys()]) settle(id, undefined);
    };
    started.once('error', end);
    started.once('exit', end);
    // A server that is told to exit does not wait for it; the process goes when the channel closes.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function settle(id: number, answer: SqlAnswer | undefined): void {
    waiting.get(id)?.(answer);
    waiting.delete(id);
    if (waiting.size === 0) rest();
  }

  function rest(): void {
    clearTimeout(idle);
    idle = setTimeout(() => {
      const ended = child;
      child = undefined;
      ended?.disconnect();
    }, idleMs).unref();
  }

  return {
    async ask(question) {
      clearTimeout(idle);
      child ??= start();
      const id = (lastId += 1);
      const asked = child;
      const timer = setTimeout(() => asked.kill(), patienceMs + waiting.size * 10).unref();
      const answer = await new Promise<SqlAnswer | undefined>((resolve) => {
        waiting.set(id, resolve);
        asked.send({ id, question } satisfies SqlAsked);
      });
      clearTimeout(timer);
      if (answer && 'mistakes' in answer) return answer.mistakes;
      throw new Error(answer?.failure ?? 'The process that checks SQL has ended.');
    },
  };
}
