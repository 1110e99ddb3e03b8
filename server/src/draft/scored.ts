import type { DraftReason } from '../../../protocol/first-draft.ts';
import type { ColumnProfile } from './column-profile.ts';
import { because, reasonText } from './draft-reason.ts';

/** A candidate with its score and reasons. */
export interface Scored<T> {
  readonly value: T;
  readonly score: number;
  /** The reasons for it, the strongest first, as texts that complete "chosen because it …". */
  readonly reasons: readonly DraftReason[];
}

/** A reason for a candidate (positive weight) or against it (negative weight). */
interface Evidence {
  readonly weight: number;
  /** Shown where it speaks for the choice. */
  readonly reason?: DraftReason | undefined;
}

export function scored<T>(value: T, evidence: readonly Evidence[]): Scored<T> {
  const reasons = evidence
    .filter(({ weight, reason }) => weight > 0 && reason !== undefined)
    .toSorted((left, right) => right.weight - left.weight)
    .flatMap(({ reason }) => reason ?? []);
  const distinct = new Map(reasons.map((reason) => [reasonText([reason]), reason]));
  return { value, score: evidence.reduce((sum, { weight }) => sum + weight, 0), reasons: [...distinct.values()] };
}

/** With the form of values that are no times of the engine as the first reason. */
export function withStoredForm(rated: Scored<ColumnProfile>): Scored<ColumnProfile> {
  const { stored } = rated.value;
  return stored ? { ...rated, reasons: [because('holds {0}', stored.words), ...rated.reasons] } : rated;
}

/** Sorts by score, the best first. The sort is stable. */
export function byScore<T>(choices: readonly Scored<T>[]): readonly Scored<T>[] {
  return choices.toSorted((left, right) => right.score - left.score);
}

/** Candidates whose scores differ by less than this are equally good. */
export const scoreTolerance = 1;

/** Columns of a table that are compared with others or by its rows for one role. */
const maxCandidates = 32;

/** The candidates with the best scores, in their order; all of them, unless a table is very wide. */
export function likeliest<T>(candidates: readonly T[], rate: (candidate: T) => Scored<T>): readonly T[] {
  if (candidates.length <= maxCandidates) return candidates;
  const best = new Set(
    byScore(candidates.map(rate))
      .slice(0, maxCandidates)
      .map(({ value }) => value),
  );
  return candidates.filter((each) => best.has(each));
}
