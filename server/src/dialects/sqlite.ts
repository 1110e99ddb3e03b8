import type { Dialect } from './dialect.ts';
import { duckdb } from './duckdb.ts';
import { sqliteCompletion } from './sqlite/completion.ts';
import { sqliteTimes } from './sqlite/time-comparison.ts';
import { sqliteTypes } from './sqlite/types.ts';

/**
 * SQLite, with the quotes and names of DuckDB. Times are texts or numbers in the file and converted when rows are
 * staged, so SQLite never runs the SQL of times and canonical texts.
 */
export const sqlite: Dialect = {
  ...duckdb,
  name: 'sqlite',
  label: 'SQLite',
  isEmbedded: false,
  times: {
    ...duckdb.times,
    stored: undefined,
    written: {
      reads: (format) => ['%Y%m%d', '%H%M%S', '%H:%M:%S'].includes(format),
      text: (column, digits) =>
        digits === 0 ? `CAST(${column} AS TEXT)` : `substr('${'0'.repeat(digits)}' || ${column}, -${digits})`,
      parsed(text, format, sense) {
        if (format === '%H:%M:%S') return text;
        const digit = '[0-9]';
        const isDate = sense === 'date' || format === '%Y%m%d';
        const form = isDate ? `[12]${digit.repeat(7)}` : digit.repeat(6);
        const [first, sign] = isDate ? [4, '-'] : [2, ':'];
        const part = (from: number): string => `substr(${text}, ${from}, 2)`;
        const parts = [`substr(${text}, 1, ${first})`, part(first + 1), part(first + 3)].join(` || '${sign}' || `);
        return `CASE WHEN ${text} GLOB '${form}' THEN ${parts} END`;
      },
      atTimeOfDay: (date, time) => `(${date}) || ' ' || coalesce(${time}, '00:00:00')`,
    },
  },
  operators: {
    ...duckdb.operators,
    /** Sessions set `case_sensitive_like`. LIKE has no default escape character. */
    comparison(operator) {
      const sign = operator === '!=' ? '<>' : operator.toUpperCase();
      return { sign, suffix: operator.endsWith('like') ? " ESCAPE '\\'" : '' };
    },
    /** Columns may be declared with NOCASE or RTRIM. */
    texts: { operand: byBytes, group: byBytes },
    comparesUnlikeTypes: true,
    times: sqliteTimes,
    numbers: undefined,
  },
  /** Only for comparisons of columns of different types, such as a number with a text. */
  canonical: {
    value: (value) => `CAST(${value} AS TEXT)`,
    key: (parts) => `json_array(${parts.join(', ')})`,
    row: (texts) => `json_array(${texts.join(', ')})`,
  },
  /** A column may hold values of any type; all are texts only if it is declared as text. */
  exact: {
    texts: (type, sense) => sense === 'text' && /CHAR|CLOB|TEXT/i.test(type),
    nulls: () => true,
    times: () => false,
  },
  types: sqliteTypes,
  completion: sqliteCompletion,
  /** There is no parser for it here: names and brackets are checked, the rest by SQLite with the file. */
  validator: { parser: async () => undefined, parserVersion: undefined, acceptsUnknownOperators: true },
  build: undefined,
};

function byBytes(text: string): string {
  return `${text} COLLATE BINARY`;
}
