import { type ChildProcess, fork } from 'node:child_process';
import type { Catalog } from '../catalog/catalog.ts';
import { SourceError } from '../connectors/source-error.ts';
import type { SqlMistake, SqlQuestion } from '../language/sql/sql-judge.ts';
import type { SourcesFile } from '../project/open-project.ts';
import type { DuckDbAnswer, DuckDbRequest, DuckDbTask } from './duckdb-messages.ts';

/** DuckDB in a process of its own, which starts with the first task and ends when none has come for a while. */
export interface DuckDbClient {
  /** What is wrong with a statement. Rejects when the process cannot answer. */
  askSql(question: SqlQuestion): Promise<readonly SqlMistake[]>;
  /** The catalog of a source of files, read anew. Rejects with a `SourceError`. */
  describeFiles(sourcesFile: SourcesFile, dataSource: string): Promise<Catalog>;
}

/** A statement that takes longer to read than this is given up, and the process with it. */
const sqlPatienceMs = 10_000;

/** Starting again costs a tenth of a second, resting some 60 MB. */
const idleMs = 120_000;

/** @param programPath the bundle of `duckdb-process.ts`. */
export function createDuckDbClient(programPath: string): DuckDbClient {
  let child: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  const waiting = new Map<number, (answer: DuckDbAnswer | undefined) => void>();

  function start(): ChildProcess {
    const started = fork(programPath, [], { execArgv: [], stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
    started.on('message', (answer: DuckDbAnswer) => settle(answer.id, answer));
    const end = (): void => {
      if (child !== started) return;
      child = undefined;
      for (const id of [...waiting.keys()]) settle(id, undefined);
    };
    // Each question that can no longer be sent is an error of its own.
    started.on('error', end);
    started.once('exit', end);
    // A server that is told to exit does not wait for it; the process goes when the channel closes.
    started.unref();
    started.channel?.unref();
    return started;
  }

  function settle(id: number, answer: DuckDbAnswer | undefined): void {
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

  async function run(task: DuckDbTask): Promise<DuckDbAnswer> {
    clearTimeout(idle);
    const asked = (child ??= start());
    const id = (lastId += 1);
    // Statements that were asked before it are read first.
    const patience = sqlPatienceMs + waiting.size * 20;
    const timer = task.kind === 'sql' ? setTimeout(() => asked.kill(), patience).unref() : undefined;
    const answer = await new Promise<DuckDbAnswer | undefined>((resolve) => {
      waiting.set(id, resolve);
      asked.send({ id, task } satisfies DuckDbRequest);
    });
    clearTimeout(timer);
    if (!answer) throw new SourceError('source-failed', 'The process that reads files ended unexpectedly.');
    if (!('failure' in answer)) return answer;
    const { code, message, details } = answer.failure;
    throw code ? new SourceError(code, message, details) : new Error(message);
  }

  return {
    async askSql(question) {
      const answer = await run({ kind: 'sql', question });
      return 'mistakes' in answer ? answer.mistakes : [];
    },
    async describeFiles({ path, text }, dataSource) {
      const answer = await run({ kind: 'catalog', sourcesFile: { path, text }, dataSource });
      if ('catalog' in answer) return answer.catalog;
      throw new Error(`No catalog came of ${dataSource}.`);
    },
  };
}
