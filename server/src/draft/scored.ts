/** A choice with what speaks for it. */
export interface Scored<T> {
  readonly value: T;
  readonly score: number;
  /** What speaks for it, the strongest first, in words that complete "chosen because it …". */
  readonly reasons: readonly string[];
}

/** One thing that speaks for a choice (positive) or against it (negative). */
export interface Evidence {
  readonly weight: number;
  /** Shown where it speaks for the choice. */
  readonly reason?: string;
}

export function scored<T>(value: T, evidence: readonly Evidence[]): Scored<T> {
  const reasons = evidence
    .filter(({ weight, reason }) => weight > 0 && reason !== undefined)
    .toSorted((left, right) => right.weight - left.weight)
    .flatMap(({ reason }) => reason ?? []);
  return { value, score: evidence.reduce((sum, { weight }) => sum + weight, 0), reasons: [...new Set(reasons)] };
}

/** Best first; of equal ones the first stays first. */
export function byScore<T>(choices: readonly Scored<T>[]): readonly Scored<T>[] {
  return choices.toSorted((left, right) => right.score - left.score);
}

/** Choices whose scores differ by less than this are as good as each other. */
export const scoreTolerance = 1;
