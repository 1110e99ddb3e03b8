import type { Completion } from '../dialect.ts';
import { completionWith } from '../standard/completion.ts';
import type { FunctionRow } from '../standard/functions.ts';

const functions: readonly FunctionRow[] = [
  ['approx_distinct', '(value)', 'About how many different values a group has.'],
  ['array_join', '(array, separator)', 'The elements of an array as one text.'],
  ['at_timezone', '(time, zone)', 'The same instant in another time zone.'],
  ['cardinality', '(array)', 'How many elements an array or a map has.'],
  ['contains', '(array, value)', 'Whether an array has an element.'],
  ['count_if', '(condition)', 'The number of rows of a group for which a condition holds.'],
  ['date_add', "('unit', number, time)", 'A later time.'],
  ['date_diff', "('unit', earlier, later)", 'The time between two times, in whole units.'],
  ['date_format', '(time, format)', 'A time as text of a format, such as %Y-%m.'],
  ['date_parse', '(text, format)', 'The time that a text says in a format.'],
  ['element_at', '(array, place)', 'The element at a place, from 1, or of a key of a map.'],
  ['from_iso8601_timestamp', '(text)', 'The time that a text says in ISO 8601.'],
  ['from_unixtime', '(seconds)', 'The time so many seconds after the start of 1970.'],
  ['if', '(condition, then, else)', 'One of two values.'],
  ['json_extract_scalar', '(json, path)', 'What stands at a path in JSON, as text.'],
  ['json_value', '(json, path)', 'What stands at a path in JSON, as text.'],
  ['listagg', '(text, separator) WITHIN GROUP (ORDER BY …)', 'The texts of a group as one.'],
  ['max_by', '(value, order)', 'The value of the row that has the largest other value.'],
  ['min_by', '(value, order)', 'The value of the row that has the smallest other value.'],
  ['regexp_extract', '(text, pattern)', 'What a regular expression matches.'],
  ['regexp_like', '(text, pattern)', 'Whether a regular expression matches a part of a text.'],
  ['split', '(text, separator)', 'The parts of a text as an array.'],
  ['to_unixtime', '(time)', 'Seconds since 1970.'],
  ['truncate', '(number)', 'The whole part of a number.'],
  ['try', '(expression)', 'NULL where an expression fails.'],
  ['try_cast', '(value AS type)', 'The value as another type; NULL where it is none.'],
  ['with_timezone', '(time, zone)', 'A time without zone, as one of a time zone.'],
];

export const trinoCompletion: Completion = completionWith({
  functions,
  conditionWords: ['TRY_CAST', 'UNNEST'],
  joinWords: ['CROSS JOIN UNNEST'],
  unknownFunctions: ['age', 'date_part', 'left', 'make_date', 'right', 'string_agg', 'to_timestamp', 'trunc'],
  unknownWords: ['ILIKE', 'SIMILAR TO', 'LEFT JOIN LATERAL', 'IS TRUE', 'IS FALSE'],
});
