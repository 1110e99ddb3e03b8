import type { DuckDbSession } from '../store/duckdb-store.ts';

/** A check; `sql` returns one row per violation, with a column `example` that identifies it. */
export interface LogCheck {
  readonly name: string;
  readonly sql: string;
  /** Violations are allowed by the format, and reported as remarks. */
  readonly isNote?: true;
}

/** Result of a check. */
export interface CheckResult {
  readonly name: string;
  readonly ok: boolean;
  /** For a passed check: the number of remarks, which the format allows. */
  readonly violations: number;
  /** Some of them, smallest first. */
  readonly examples: readonly string[];
}

const shownExamples = 3;

/** Runs checks one after another. Rejects with the signal's reason when aborted. */
export async function runLogChecks(
  database: DuckDbSession,
  points: readonly LogCheck[],
  signal: AbortSignal,
): Promise<readonly CheckResult[]> {
  const results: CheckResult[] = [];
  for (const { name, sql, isNote } of points) {
    const [row] = await database.query(
      `SELECT count(*) AS violations, to_json(min(CAST(example AS VARCHAR), ${shownExamples})) AS examples FROM (${sql})`,
      { signal },
    );
    const examples = JSON.parse(String(row?.['examples'] ?? '[]')) as string[] | null;
    const result = checkResult(name, Number(row?.['violations'] ?? 0), examples);
    results.push(isNote ? { ...result, ok: true } : result);
  }
  return results;
}

export function checkResult(name: string, violations: number, examples: readonly string[] | null = []): CheckResult {
  return { name, ok: violations === 0, violations, examples: (examples ?? []).slice(0, shownExamples) };
}

/** Counts the violations that a reader finds, and keeps some of them. */
export function createNotes() {
  const examples = new Set<string>();
  let count = 0;
  return {
    add(example: string): void {
      count += 1;
      if (examples.size < 10) examples.add(example);
    },
    result: (name: string): CheckResult => checkResult(name, count, [...examples]),
  };
}
