import type { TypeNames } from '../dialect.ts';

export const mysqlTypes: TypeNames = {
  sense(type) {
    const [name = ''] = /^[a-z0-9_]+/i.exec(type) ?? [];
    const word = name.toLowerCase();
    if (/^(?:tiny|small|medium|big)?int(?:eger)?$|^(?:bit|year)$/.test(word)) return 'integer';
    if (/^(?:decimal|numeric|float|double)$/.test(word)) return 'number';
    if (/(?:text|char)$|^(?:enum|set|uuid|inet[46])$/.test(word)) return 'text';
    if (/(?:blob|binary)$/.test(word)) return 'binary';
    if (/^(?:datetime|timestamp)$/.test(word)) return 'timestamp';
    return word === 'date' || word === 'time' || word === 'json' ? word : 'other';
  },
  firstCharacters: (value, count) => `left(CAST(${value} AS char), ${count})`,
  usual: {
    text: 'varchar(255)',
    integer: 'bigint',
    number: 'double',
    boolean: 'tinyint(1)',
    json: 'json',
    date: 'date',
    timestamp: 'datetime(6)',
    instant: 'timestamp(6)',
  },
};
