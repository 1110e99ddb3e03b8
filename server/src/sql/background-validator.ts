import type { PendingAnswer, SqlValidator, SqlMistake, SqlQuestion, SqlTable } from '../language/sql/sql-validator.ts';

/** Answers a question about a statement; rejects when it cannot be answered. */
export type AskSql = (question: SqlQuestion) => Promise<readonly SqlMistake[]>;

/** A validator for parsers that a keystroke must not wait for: a question is pending until its answer has come. */
export interface BackgroundValidator {
  readonly validator: SqlValidator;
  /** Whether an answer is still to come. */
  isPending(): boolean;
  /** Resolves when everything that was asked is answered. */
  answered(): Promise<void>;
}

/** Answers are short and mostly empty; a file of 50,000 lines has some thousand statements. */
const maxAnswers = 20_000;
/** Whoever has typed something wrong need not wait for all of a large file. Editors that ask then must have been answered before. */
const tellEveryMs = 2_000;
/** Enough to keep whoever answers busy; more would wait there, where the order cannot be changed any more. */
const mostRunning = 16;

/**
 * @param onAnswered called each time that everything that was asked is answered, and now and then before, when there are
 * answers. What cannot be answered counts as right.
 */
export function createBackgroundValidator(ask: AskSql, onAnswered: () => void = () => undefined): BackgroundValidator {
  const answers = new Map<string, readonly SqlMistake[]>();
  const asked = new Map<string, PendingAnswer & { isAnswered: boolean }>();
  const waiting: (() => void)[] = [];

  /** What is to be asked next stands last: what was typed just now need not wait for a large file that was just opened. */
  const queue: { readonly key: string; readonly question: SqlQuestion }[] = [];
  let running = 0;
  let telling: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(telling);
    telling = undefined;
    onAnswered();
  }

  function askNext(): void {
    while (running < mostRunning) {
      const next = queue.pop();
      if (!next) return;
      running += 1;
      void find(next.key, next.question);
    }
  }

  async function find(key: string, question: SqlQuestion): Promise<void> {
    const answer = await ask(question).catch(() => []);
    running -= 1;
    askNext();
    answers.set(key, answer);
    const pending = asked.get(key);
    if (pending) pending.isAnswered = true;
    asked.delete(key);
    if (asked.size > 0) {
      telling ??= setTimeout(tell, tellEveryMs).unref();
      return;
    }
    for (const resolve of waiting.splice(0)) resolve();
    tell();
  }

  return {
    validator({ statement, tables, gives }) {
      // Nothing else that a question may know: it waits, and may have to go to another process.
      const question = { statement, ...(tables && { tables }), ...(gives && { gives }) };
      const key = keyOf(question);
      const known = answers.get(key) ?? asked.get(key);
      if (known) return known;
      // Never between questions of one file and their answers: whoever asked for them all would not get them all.
      if (asked.size === 0 && answers.size >= maxAnswers) answers.clear();
      const pending = { isAnswered: false, isKnown: () => pending.isAnswered };
      asked.set(key, pending);
      queue.push({ key, question });
      askNext();
      return pending;
    },
    isPending: () => asked.size > 0,
    answered: () => (asked.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
  };
}

/** The same for tables that are alike, such as those of a catalog that was read again. */
const tableNumbers = new Map<string, number>();
const numbersOfTables = new WeakMap<SqlTable, number>();

/** Tables are asked about again and again, and may have hundreds of columns. */
function keyOf({ statement, tables, gives }: SqlQuestion): string {
  return `${tables?.map(numberOf).join(' ') ?? '?'}\0${gives ?? ''}\0${statement}`;
}

function numberOf(table: SqlTable): number {
  const known = numbersOfTables.get(table);
  if (known !== undefined) return known;
  const { path, bare, columns } = table;
  const shape = JSON.stringify([path, bare, columns.map(({ name, type }) => [name, type])]);
  const number = tableNumbers.get(shape) ?? tableNumbers.size;
  tableNumbers.set(shape, number);
  numbersOfTables.set(table, number);
  return number;
}
