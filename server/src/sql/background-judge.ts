import type { SqlJudge, SqlMistake, SqlQuestion } from '../language/sql/sql-judge.ts';

/** Answers a question about a statement; rejects when it cannot be answered. */
export type AskSql = (question: SqlQuestion) => Promise<readonly SqlMistake[]>;

/** Answers are short and mostly empty; a file of 50,000 lines has some thousand statements. */
const maxAnswers = 20_000;

/**
 * A judge for parsers that must not be waited for: a question is `pending` until its answer has come, and when all have,
 * `onAnswered` is called. What cannot be answered counts as right.
 */
export function createBackgroundJudge(ask: AskSql, onAnswered: () => void): SqlJudge {
  const answers = new Map<string, readonly SqlMistake[]>();
  const asked = new Set<string>();

  async function find(key: string, question: SqlQuestion): Promise<void> {
    const answer = await ask(question).catch(() => []);
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(key, answer);
    asked.delete(key);
    if (asked.size === 0) onAnswered();
  }

  return (question) => {
    const key = JSON.stringify(question, ['statement', 'tables', 'path', 'bare', 'columns', 'name', 'type']);
    const known = answers.get(key);
    if (known) return known;
    if (!asked.has(key)) {
      asked.add(key);
      void find(key, question);
    }
    return 'pending';
  };
}
