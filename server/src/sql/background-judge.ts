import type { SqlJudge, SqlMistake, SqlQuestion } from '../language/sql/sql-judge.ts';

/** Answers a question about a statement; rejects when it cannot be answered. */
export type AskSql = (question: SqlQuestion) => Promise<readonly SqlMistake[]>;

/** A judge for parsers that a keystroke must not wait for: a question is `pending` until its answer has come. */
export interface BackgroundJudge {
  readonly judge: SqlJudge;
  /** Whether an answer is still to come. */
  isPending(): boolean;
  /** Resolves when everything that was asked is answered. */
  answered(): Promise<void>;
}

/** Answers are short and mostly empty; a file of 50,000 lines has some thousand statements. */
const maxAnswers = 20_000;

/** @param onAnswered called each time that everything that was asked is answered. What cannot be answered counts as right. */
export function createBackgroundJudge(ask: AskSql, onAnswered: () => void = () => undefined): BackgroundJudge {
  const answers = new Map<string, readonly SqlMistake[]>();
  const asked = new Set<string>();
  const waiting: (() => void)[] = [];

  async function find(key: string, question: SqlQuestion): Promise<void> {
    const answer = await ask(question).catch(() => []);
    if (answers.size >= maxAnswers) answers.clear();
    answers.set(key, answer);
    asked.delete(key);
    if (asked.size > 0) return;
    for (const resolve of waiting.splice(0)) resolve();
    onAnswered();
  }

  return {
    judge(question) {
      const key = JSON.stringify(question, ['statement', 'tables', 'path', 'bare', 'columns', 'name', 'type']);
      const known = answers.get(key);
      if (known) return known;
      if (!asked.has(key)) {
        asked.add(key);
        void find(key, question);
      }
      return 'pending';
    },
    isPending: () => asked.size > 0,
    answered: () => (asked.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}
