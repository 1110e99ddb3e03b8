import type { ComparedNumbers } from '../../../protocol/analysis.ts';

/** A sample by its numbers. */
export interface Sample {
  readonly count: number;
  readonly mean: number | null;
  /** Standard deviation with n − 1. */
  readonly deviation: number | null;
}

/**
 * The difference of two means with its 95 % interval by Welch: samples may differ in size and spread. Null where one
 * has fewer than two values.
 */
export function meanDifference(one: Sample, other: Sample): ComparedNumbers['difference'] {
  if (one.mean === null || other.mean === null || one.deviation === null || other.deviation === null) return null;
  const [a, b] = [one.deviation ** 2 / one.count, other.deviation ** 2 / other.count];
  const mean = one.mean - other.mean;
  if (a + b === 0) return { mean, low: mean, high: mean };
  const freedom = (a + b) ** 2 / (a ** 2 / (one.count - 1) + b ** 2 / (other.count - 1));
  const reach = criticalT(freedom) * Math.sqrt(a + b);
  return { mean, low: mean - reach, high: mean + reach };
}

/** The 97.5 % quantile of Student's t by the expansion of Cornish and Fisher; below 3 degrees of freedom by table. */
function criticalT(freedom: number): number {
  if (freedom < 2) return 12.706;
  if (freedom < 3) return 4.303;
  const z = 1.959_963_985;
  const terms = [
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, index) => sum + term / freedom ** (index + 1), z);
}
