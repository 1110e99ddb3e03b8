import type { Completion } from '../dialect.ts';
import { completionWith } from '../standard/completion.ts';
import type { FunctionRow } from '../standard/functions.ts';

const functions: readonly FunctionRow[] = [
  ['char_length', '(text)', 'The number of characters.'],
  ['concat', '(value, …)', 'The values as one text; NULL when one is NULL.'],
  ['convert_tz', '(time, zone, zone)', 'The time in another time zone.'],
  ['date_add', '(time, INTERVAL number unit)', 'A later time.'],
  ['date_format', '(time, format)', 'A time as text of a format, such as %Y-%m.'],
  ['date_sub', '(time, INTERVAL number unit)', 'An earlier time.'],
  ['datediff', '(later, earlier)', 'The days between two dates.'],
  ['find_in_set', '(text, list)', 'The place of a text in a list with commas; 0 where it is not in it.'],
  ['format', '(number, digits)', 'A number as text, rounded to so many digits, with separators of thousands.'],
  ['from_unixtime', '(seconds)', 'The time that Unix seconds say.'],
  ['group_concat', '(value)', 'The values of a group as one text.'],
  ['if', '(condition, then, else)', 'One of two values.'],
  ['ifnull', '(value, other)', 'The other value where this one is NULL.'],
  ['json_extract', '(json, path)', 'What stands at a path in JSON.'],
  ['json_unquote', '(json)', 'A JSON text without its quotes.'],
  ['json_value', '(json, path)', 'What stands at a path in JSON, as text.'],
  ['length', '(text)', 'The number of bytes.'],
  ['locate', '(part, text)', 'The place of a part in a text; 0 where it is not in it.'],
  ['regexp_substr', '(text, pattern)', 'What a regular expression matches.'],
  ['str_to_date', '(text, format)', 'The time that a text says in a format.'],
  ['substring_index', '(text, separator, count)', 'The text before the separator that many times.'],
  ['timestampdiff', '(unit, earlier, later)', 'The time between two times, in whole units.'],
  ['truncate', '(number, digits)', 'A number cut to so many digits.'],
  ['unix_timestamp', '(time)', 'Seconds since 1970.'],
];

export const mysqlCompletion: Completion = completionWith({
  functions,
  conditionWords: ['REGEXP', 'RLIKE', 'DIV', 'XOR', 'COLLATE', 'INTERVAL'],
  joinWords: ['STRAIGHT_JOIN'],
  // Some have the same name and another meaning.
  unknownFunctions: [
    ...[
      'age',
      'bool_and',
      'bool_or',
      'concat',
      'date_part',
      'date_trunc',
      'format',
      'length',
      'make_date',
      'split_part',
    ],
    ...['starts_with', 'string_agg', 'strpos', 'to_timestamp', 'translate', 'trunc'],
  ],
  unknownWords: [
    ...['IS DISTINCT FROM', 'IS NOT DISTINCT FROM', 'AT TIME ZONE', 'ILIKE', 'SIMILAR TO', 'FULL JOIN'],
    // MySQL knows it, MariaDB does not.
    'LEFT JOIN LATERAL',
  ],
});
