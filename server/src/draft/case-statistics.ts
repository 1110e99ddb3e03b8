import type { ColumnProfile } from './column-profile.ts';
import { noRank, type RankedSample } from './ranked-sample.ts';

/** The rows of a sample, put together by the values of the column that could identify a case. */
export interface CaseRows {
  /** Pairs of rows of one case that follow each other: row `before[n]`, then row `after[n]`. */
  readonly before: readonly number[];
  readonly after: readonly number[];
  /** First rows of the cases that have more than one. */
  readonly first: readonly number[];
}

/** The rows of each case, in the order of the sample or of the times in a column. */
export function caseRows(sample: RankedSample, column: ColumnProfile, time?: ColumnProfile): CaseRows {
  const ranks = sample.ranks(column);
  const last = new Int32Array(sample.rowCount).fill(-1);
  const [before, after, first]: number[][] = [[], [], []];
  const started = new Set<number>();
  for (const row of rowOrder(sample, time)) {
    const rank = ranks[row] ?? noRank;
    if (rank === noRank) continue;
    const previous = last[rank] ?? -1;
    if (previous >= 0) {
      before?.push(previous);
      after?.push(row);
      if (!started.has(rank)) first?.push(previous);
      started.add(rank);
    }
    last[rank] = row;
  }
  return { before: before ?? [], after: after ?? [], first: first ?? [] };
}

function rowOrder(sample: RankedSample, time: ColumnProfile | undefined): readonly number[] {
  const rows = Array.from({ length: sample.rowCount }, (_, row) => row);
  if (!time) return rows;
  const ranks = sample.ranks(time);
  return rows.sort((one, two) => (ranks[one] ?? 0) - (ranks[two] ?? 0));
}

/** Share of consecutive rows of a case in which a column changes (0 to 1); undefined if no case has two rows. */
export function changeShare(
  sample: RankedSample,
  { before, after }: CaseRows,
  column: ColumnProfile,
): number | undefined {
  if (before.length === 0) return undefined;
  const ranks = sample.ranks(column);
  let changes = 0;
  for (let pair = 0; pair < before.length; pair++) {
    if (ranks[before[pair] ?? 0] !== ranks[after[pair] ?? 0]) changes += 1;
  }
  return changes / before.length;
}

/** Shares of consecutive rows of a case in which the value rises or stays, among those in which both rows have a value. */
export function risingShare(
  sample: RankedSample,
  { before, after }: CaseRows,
  column: ColumnProfile,
): { readonly rises: number; readonly stays: number } | undefined {
  const ranks = sample.ranks(column);
  let [rises, stays, known] = [0, 0, 0];
  for (let pair = 0; pair < before.length; pair++) {
    const [one, two] = [ranks[before[pair] ?? 0] ?? noRank, ranks[after[pair] ?? 0] ?? noRank];
    if (one === noRank || two === noRank) continue;
    known += 1;
    if (one < two) rises += 1;
    if (one === two) stays += 1;
  }
  return known === 0 ? undefined : { rises: rises / known, stays: stays / known };
}

/** Share of cases that begin with the most frequent first value (0 to 1). It is high in prescribed processes. */
export function startShare(sample: RankedSample, { first }: CaseRows, column: ColumnProfile): number {
  const ranks = sample.ranks(column);
  const counts = new Map<number, number>();
  let most = 0;
  for (const row of first) {
    const rank = ranks[row] ?? noRank;
    const count = (counts.get(rank) ?? 0) + 1;
    counts.set(rank, count);
    most = Math.max(most, count);
  }
  return first.length === 0 ? 0 : most / first.length;
}
