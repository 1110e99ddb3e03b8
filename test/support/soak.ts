import { appendFileSync } from 'node:fs';

/** What `npm run soak` tries in large numbers; `scripts/soak.mjs` has a row for each. */
export type SoakKind = 'texts' | 'edits' | 'kills' | 'seeds' | 'workspaces';

/** Set by `scripts/soak.mjs`: how many of each kind to try, as JSON. */
const amounts = JSON.parse(process.env['ENTITY_GRAPH_SOAK'] ?? '{}') as Readonly<Partial<Record<SoakKind, number>>>;

/** Whether `npm run soak` runs this test, which lifts its time limit. */
export const isSoak = process.env['ENTITY_GRAPH_SOAK'] !== undefined;

/**
 * How many of a kind a test is to try: `ordinary` in `npm test`.
 * @param share the part of the soak's number that falls to this test, where several share it.
 */
export function soakAmount(kind: SoakKind, ordinary: number, share = 1): number {
  const amount = amounts[kind];
  return amount === undefined ? ordinary : Math.max(1, Math.ceil(amount * share));
}

/** Counts what was tried, and how much of it went wrong, for the table that `npm run soak` prints. Nothing in `npm test`. */
export function countSoak(kind: SoakKind, tried: number, wrong = 0): void {
  const file = process.env['ENTITY_GRAPH_SOAK_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ kind, tried, wrong })}\n`);
}

/**
 * Runs a property as often as in `npm test`; in the soak again and again, until its share was tried.
 * @param run gives how much it tried.
 */
export function soakProperty(kind: SoakKind, share: number, run: () => number): void {
  const wanted = soakAmount(kind, 0, share);
  let tried = 0;
  do tried += run();
  while (tried < wanted);
  countSoak(kind, tried);
}
