import { appendFileSync } from 'node:fs';

/** Kinds of cases of `npm run soak`; `scripts/soak.mjs` has a row for each. */
export type SoakKind = 'texts' | 'edits' | 'kills' | 'seeds' | 'splits' | 'layouts' | 'workspaces';

/** Set by `scripts/soak.mjs`: number of cases per kind, as JSON. */
const amounts = JSON.parse(process.env['ENTITY_GRAPH_SOAK'] ?? '{}') as Readonly<Partial<Record<SoakKind, number>>>;

/** Whether the test runs in `npm run soak`, without its time limit. */
export const isSoak = process.env['ENTITY_GRAPH_SOAK'] !== undefined;

/**
 * Number of cases of a kind: `ordinary` in `npm test`.
 * @param share this test's share of the soak's cases, if several tests share a kind.
 */
export function soakAmount(kind: SoakKind, ordinary: number, share = 1): number {
  const amount = amounts[kind];
  return amount === undefined ? ordinary : Math.max(1, Math.ceil(amount * share));
}

/** Counts cases and failures for the table of `npm run soak`. No effect in `npm test`. */
export function countSoak(kind: SoakKind, tried: number, wrong = 0): void {
  const file = process.env['ENTITY_GRAPH_SOAK_COUNTS'];
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ kind, tried, wrong })}\n`);
}

/**
 * Runs a property once in `npm test`, and repeatedly in the soak until its share is reached.
 * @param run returns its number of cases.
 */
export function soakProperty(kind: SoakKind, share: number, run: () => number): void {
  const wanted = soakAmount(kind, 0, share);
  let tried = 0;
  do tried += run();
  while (tried < wanted);
  countSoak(kind, tried);
}
