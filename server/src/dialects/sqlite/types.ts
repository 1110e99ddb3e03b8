import type { TypeNames } from '../dialect.ts';

/**
 * SQLite has declared types, and times that are texts or numbers: catalogs say `TIMESTAMP as text`, `DATE as text` or
 * `TIMESTAMP as Unix seconds`.
 */
export const sqliteTypes: TypeNames = {
  sense(type) {
    const name = type.toUpperCase();
    if (/^DATE\b(?!TIME)/.test(name)) return 'date';
    if (/^(?:TIMESTAMP|DATETIME)/.test(name)) return 'timestamp';
    if (/JSON/.test(name)) return 'json';
    if (/BOOL/.test(name)) return 'boolean';
    if (name.includes('INT')) return 'integer';
    if (/CHAR|CLOB|TEXT/.test(name)) return 'text';
    if (name.includes('BLOB')) return 'binary';
    return /REAL|FLOA|DOUB|DEC|NUMERIC/.test(name) ? 'number' : 'other';
  },
  firstCharacters: (value, count) => `substr(CAST(${value} AS text), 1, ${count})`,
  usual: {
    text: 'TEXT',
    integer: 'INTEGER',
    number: 'REAL',
    boolean: 'BOOLEAN',
    json: 'JSON',
    date: 'DATE as text',
    timestamp: 'TIMESTAMP as text',
    instant: 'TIMESTAMP as text',
  },
};
