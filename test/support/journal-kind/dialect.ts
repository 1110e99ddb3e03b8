import type { Dialect } from '../../../server/src/dialects/dialect.ts';
import { duckdb } from '../../../server/src/dialects/duckdb.ts';
import { completionWith } from '../../../server/src/dialects/standard/completion.ts';

/** The SQL of journals: executed by the embedded engine, with its own operators, functions and keywords. */
export const journalDialect: Dialect = {
  ...duckdb,
  name: 'journal sql',
  label: 'Journal SQL',
  operators: {
    comparison: (operator) => ({ sign: operator === '=' ? '==' : operator, suffix: ' /* journal */' }),
    texts: undefined,
    times: undefined,
  },
  completion: completionWith({
    functions: [['strftime', '(time, format)', 'A time as text.']],
    conditionWords: ['SIMILAR TO'],
    joinWords: ['POSITIONAL JOIN'],
  }),
  build: undefined,
};
