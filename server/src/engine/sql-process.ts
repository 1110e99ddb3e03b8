// The program that asks DuckDB about custom SQL for the language server: the process that follows keystrokes stays small
// and cannot be taken down by a native crash.
import { answerSql } from './answer-sql.ts';
import { openSqlChecker } from './sql-checker.ts';
import type { SqlAnswer, SqlAsked } from './sql-messages.ts';

const checker = openSqlChecker();

process.on('message', ({ id, question }: SqlAsked) => {
  void answer(id, question);
});
process.on('disconnect', () => process.exit());

async function answer(id: number, question: SqlAsked['question']): Promise<void> {
  try {
    send({ id, mistakes: await answerSql(await checker, question) });
  } catch (error) {
    send({ id, failure: error instanceof Error ? error.message : String(error) });
  }
}

function send(answer: SqlAnswer): void {
  if (process.connected) process.send?.(answer);
}
