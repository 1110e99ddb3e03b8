import type { Dialect } from '../../../server/src/dialects/dialect.ts';
import { completionWith } from '../../../server/src/dialects/standard/completion.ts';
import { standardJudging } from '../../../server/src/dialects/standard/judging.ts';
import { standardLexis } from '../../../server/src/dialects/standard/lexis.ts';
import { standardMeasuring } from '../../../server/src/dialects/standard/measuring.ts';

/**
 * A dialect of no source: names in brackets, folded to upper case, at most 12 bytes; texts with a prefix; its own
 * build. Its output is never run: it must only differ from that of real dialects.
 */
export const toyDialect: Dialect = {
  name: 'toy',
  label: 'Toy SQL',
  isEmbedded: false,
  lexis: standardLexis,
  identifiers: {
    quote: (name) => `[${name.replaceAll(']', ']]')}]`,
    fold: (word) => word.toUpperCase(),
    key: (name) => name.toUpperCase(),
    isBare: (name) => /^[A-Z]+$/.test(name),
    maxBytes: 12,
    reservedPrefix: undefined,
    path: (name) => name.split('/'),
  },
  literals: {
    quote: (text) => `N'${text.replaceAll("'", "''")}'`,
    text: (text) => `text(N'${text.replaceAll("'", "''")}')`,
  },
  operators: {
    comparison: (operator) => ({ sign: operator === '!=' ? '#' : operator, suffix: ' /toy' }),
    texts: undefined,
    times: undefined,
  },
  exact: { texts: () => false, nulls: () => false, times: () => false },
  canonical: {
    value: (value, type) => `canonical${value} of ${type}`,
    key: (parts) => `key(${parts.join(', ')})`,
    row: (texts) => `row(${texts.join(', ')})`,
  },
  times: {
    type: 'TOY TIME',
    literal: (iso) => `time(${iso})`,
    movable: ['first', 'last'],
    isFinite: (time) => `finite(${time})`,
    inZone: (time, timeZone) => `zoned(${time}, ${timeZone})`,
    endOfDay: (date) => `end_of_day(${date})`,
    readableText: (text) => text,
    hasOffset: (text) => `has_offset(${text})`,
    zonedText: (text) => `zoned_text(${text})`,
    naiveText: (text) => `naive_text(${text})`,
    written: {
      reads: () => true,
      text: (column) => column,
      parsed: (text, format) => `toy_time(${text}, '${format}')`,
      atTimeOfDay: (date, time) => `toy_moment(${date}, ${time})`,
    },
    stored: undefined,
    utcLiteral: (iso) => `utc(${iso})`,
  },
  types: {
    sense: () => 'text',
    firstCharacters: (value, count) => `first(${value}, ${count})`,
    usual: {
      ...{ text: 'toy text', integer: 'toy number', number: 'toy number', boolean: 'toy flag' },
      ...{ json: 'toy text', date: 'toy time', timestamp: 'toy time', instant: 'toy time' },
    },
  },
  completion: completionWith({
    functions: [['toy_function', '(value)', 'What only this dialect has.']],
    conditionWords: ['TOYWORD'],
    joinWords: ['TOY JOIN'],
  }),
  validator: { parser: async () => undefined, parserVersion: undefined, acceptsUnknownOperators: false },
  build: {
    createStaging: 'CREATE TOY TABLE',
    createStagingView: 'CREATE TOY VIEW',
    keepsRowOrder: false,
    noText: 'no_text',
    elementAt: (list, place) => `element_at(list(${list.join(', ')}), ${place})`,
    lastKnown: (value, order) => `last_known(${value} by ${order})`,
    countIf: (condition) => `count_if(${condition})`,
    countDistinct: (columns) => `count_distinct(${columns.join(', ')})`,
    json: (literal) => `json(${literal})`,
    sortedText: (expression) => `${expression} BY CHARACTER`,
    sequenceNumber: ({ stagedAs }) => `number(${stagedAs})`,
    noSequence: (kind) => `no_${kind}`,
    noId: 'no_id',
    wide: (number) => `wide(${number})`,
    ranges: undefined,
    lists: {
      split: ({ row, text, from }, separator) => `SELECT ${row}, split(${text}, ${separator}) ${from}`,
      items: ({ row, text, from }) => `SELECT ${row}, items(${text}) ${from}`,
      isNoList: (text) => `no_list(${text})`,
    },
    judging: standardJudging,
    measuring: standardMeasuring,
  },
};
