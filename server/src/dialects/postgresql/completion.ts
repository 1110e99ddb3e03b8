import type { Completion } from '../dialect.ts';
import { completionWith } from '../standard/completion.ts';
import type { FunctionRow } from '../standard/functions.ts';

const functions: readonly FunctionRow[] = [
  ['array_agg', '(value)', 'The values of a group as an array.'],
  ['array_length', '(array, dimension)', 'The number of values of an array.'],
  ['btrim', '(text, characters)', 'The text without these characters at both ends.'],
  ['clock_timestamp', '()', 'The time of this moment.'],
  ['date_bin', '(interval, time, origin)', 'The time cut to a span of any length.'],
  ['initcap', '(text)', 'Every word with a capital.'],
  ['jsonb_array_elements', '(json)', 'One row for each value of a JSON array.'],
  ['jsonb_array_length', '(json)', 'The number of values of a JSON array.'],
  ['jsonb_extract_path_text', '(json, key, …)', 'What stands at a path in JSON, as text.'],
  ['justify_interval', '(interval)', 'An interval with months and days of whole size.'],
  ['make_interval', '(days => number)', 'An interval of its parts.'],
  ['num_nulls', '(value, …)', 'How many of the values are NULL.'],
  ['regexp_match', '(text, pattern)', 'What the groups of a regular expression match.'],
  ['to_char', '(value, format)', 'A time or number as text of a format.'],
  ['to_date', '(text, format)', 'The date that a text says in a format.'],
  ['to_number', '(text, format)', 'The number that a text says in a format.'],
  ['unnest', '(array)', 'One row for each value of an array.'],
  ['width_bucket', '(number, low, high, count)', 'The place of a number in a histogram.'],
];

export const postgresqlCompletion: Completion = completionWith({
  functions,
  conditionWords: ['OVERLAPS', 'COLLATE'],
  joinWords: ['TABLESAMPLE'],
});
