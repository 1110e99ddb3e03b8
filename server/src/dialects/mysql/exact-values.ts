import type { ExactValues } from '../dialect.ts';

/**
 * `0000-00-00` is not NULL in the source, but missing when staged; floats and padded numbers are printed differently.
 */
export const mysqlExactValues: ExactValues = {
  texts: (type, sense) =>
    sense === 'text' ||
    (/^(tiny|small|medium|big)?int|^integer|^decimal|^numeric/i.test(type) && !/zerofill/i.test(type)),
  nulls: (sense) => sense !== undefined && sense !== 'date' && sense !== 'timestamp',
  times: () => false,
};
