import type { SqlPrinter } from './print-query.ts';

/** PostgreSQL: the operators of the format are its own, `!=` in the standard's spelling. */
export const postgresqlPrinter: SqlPrinter = {
  dialect: 'postgresql',
  operator(operator) {
    return { sign: operator === '!=' ? '<>' : operator.toUpperCase(), suffix: '' };
  },
};
