import type { Operators } from '../dialect.ts';

/** The operators of the format are PostgreSQL's own, `!=` in the standard's spelling. */
export const postgresqlOperators: Operators = {
  comparison(operator) {
    return { sign: operator === '!=' ? '<>' : operator.toUpperCase(), suffix: '' };
  },
};
