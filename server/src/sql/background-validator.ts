import type { PendingAnswer, SqlValidator, SqlMistake, SqlQuestion, SqlTable } from '../language/sql/sql-validator.ts';

/** Validates a statement; rejects when that is not possible. */
type AskSql = (question: SqlQuestion) => Promise<readonly SqlMistake[]>;

/** An asynchronous SQL validator for the synchronous diagnostics: a statement is pending until its result arrives. */
export interface BackgroundValidator {
  readonly validator: SqlValidator;
  /** Whether results are pending. */
  isPending(): boolean;
  /** Resolves when no result is pending. */
  answered(): Promise<void>;
  /** How many results there have been. */
  readonly answerCount: number;
}

/** Cache size. Results are small; a file of 50,000 lines has some thousand statements. */
const maxAnswers = 20_000;
/**
 * Interval of intermediate notifications, so that the first results of a large file appear early. Clients with pull
 * diagnostics need a response before that.
 */
const tellEveryMs = 2_000;
/** Concurrency: enough to keep the validator busy; further statements wait here, where their order can change. */
const maxRunning = 16;

/**
 * @param onAnswered called when no result is pending, and at intervals before when there are new results. Failed
 * validations count as valid.
 */
export function createBackgroundValidator(ask: AskSql, onAnswered: () => void = () => undefined): BackgroundValidator {
  const answers = new Map<string, readonly SqlMistake[]>();
  const asked = new Map<string, PendingAnswer & { isAnswered: boolean }>();
  const waiting: (() => void)[] = [];

  /** A stack: the latest statement is validated before those of a large file opened earlier. */
  const queue: { readonly key: string; readonly question: SqlQuestion }[] = [];
  let running = 0;
  let answerCount = 0;
  let telling: NodeJS.Timeout | undefined;

  function tell(): void {
    clearTimeout(telling);
    telling = undefined;
    onAnswered();
  }

  function askNext(): void {
    while (running < maxRunning) {
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
    answerCount += 1;
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
      // Only what the validator needs, because it is kept and may be sent to another process.
      const question = { statement, ...(tables && { tables }), ...(gives && { gives }) };
      const key = keyOf(question);
      const known = answers.get(key) ?? asked.get(key);
      if (known) return known;
      // Only between files: while one is validated, clearing would remove some of its answers.
      if (asked.size === 0 && answers.size >= maxAnswers) answers.clear();
      const pending = { isAnswered: false, isKnown: () => pending.isAnswered };
      asked.set(key, pending);
      queue.push({ key, question });
      askNext();
      return pending;
    },
    isPending: () => asked.size > 0,
    answered: () => (asked.size === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
    get answerCount() {
      return answerCount;
    },
  };
}

/** Equal for equal tables, such as those of a catalog that was read again. */
const tableNumbers = new Map<string, number>();
const numbersOfTables = new WeakMap<SqlTable, number>();

/** Cached, because tables recur and may have hundreds of columns. */
function keyOf({ statement, tables, gives }: SqlQuestion): string {
  return `${tables?.map(numberOf).join(' ') ?? '?'}\0${gives ?? ''}\0${statement}`;
}

/** Equal for tables that are equal for a validator. */
export function tableShape({ path, bare, columns }: SqlTable): string {
  return JSON.stringify([path, bare, columns.map(({ name, type }) => [name, type])]);
}

function numberOf(table: SqlTable): number {
  const known = numbersOfTables.get(table);
  if (known !== undefined) return known;
  const shape = tableShape(table);
  const number = tableNumbers.get(shape) ?? tableNumbers.size;
  tableNumbers.set(shape, number);
  numbersOfTables.set(table, number);
  return number;
}
