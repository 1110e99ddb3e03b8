/** The share of the pulled rows of an import. */
export interface PulledShare {
  /** The share with this many rows of the running query. Never less than before. */
  at(rows: number): number;
  /** The running query has ended, and the next one begins. */
  next(): void;
}

/** The work of a query beside its rows, as a number of rows. */
const queryRows = 1000;

/**
 * Weighs queries by their estimated rows; those without an estimate count as much as the mean of the others.
 * @param expected the estimated rows of the queries in the order of their pulls
 */
export function pulledShare(expected: readonly (number | undefined)[]): PulledShare {
  const known = expected.filter((rows) => rows !== undefined);
  const mean = known.reduce((sum, rows) => sum + rows, 0) / Math.max(known.length, 1);
  const weights = expected.map((rows = mean) => rows + queryRows);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  let done = 0;
  let index = 0;
  let reached = 0;
  return {
    at(rows) {
      const weight = weights[index] ?? 0;
      const estimate = expected[index];
      // More rows than estimated are never the end; an unknown number approaches it.
      const part = estimate === undefined ? rows / (rows + weight || 1) : Math.min(0.99, rows / weight);
      reached = Math.max(reached, Math.min(1, (done + weight * part) / (total || 1)));
      return reached;
    },
    next() {
      done += weights[index] ?? 0;
      index += 1;
    },
  };
}
