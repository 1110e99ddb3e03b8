import type { Completion } from '../dialect.ts';
import { completionWith } from '../standard/completion.ts';
import type { FunctionRow } from '../standard/functions.ts';

const functions: readonly FunctionRow[] = [
  ['arg_max', '(value, by)', 'The value of the row of a group in which another is largest.'],
  ['arg_min', '(value, by)', 'The value of the row of a group in which another is smallest.'],
  ['contains', '(text, part)', 'Whether a text has another in it.'],
  ['date_diff', "('unit', earlier, later)", 'The number of borders of a unit between two times.'],
  ['ends_with', '(text, end)', 'Whether a text ends with another.'],
  ['regexp_matches', '(text, pattern)', 'Whether a regular expression matches.'],
  ['epoch', '(time)', 'Seconds since the start of 1970.'],
  ['epoch_ms', '(time)', 'Milliseconds since the start of 1970.'],
  ['ifnull', '(value, other)', 'The value, or the other one when it is NULL.'],
  ['json_extract_string', "(json, '$.path')", 'What stands at a path in JSON, as text.'],
  ['last_day', '(date)', 'The last day of the month.'],
  ['levenshtein', '(text, text)', 'How many characters two texts differ by.'],
  ['list', '(value)', 'The values of a group as a list.'],
  ['list_contains', '(list, value)', 'Whether a value is in a list.'],
  ['make_timestamp', '(year, month, day, hour, minute, seconds)', 'A time of its parts.'],
  ['monthname', '(date)', 'The name of the month.'],
  ['dayname', '(date)', 'The name of the day of the week.'],
  ['regexp_extract', '(text, pattern, group)', 'What a group of a regular expression matches.'],
  ['strftime', '(time, format)', 'A time as text of a format.'],
  ['string_split', '(text, separator)', 'The parts of a text as a list.'],
  ['strptime', '(text, format)', 'The time that a text says in a format.'],
  ['try_cast', '(value AS type)', 'The value as another type; NULL where it cannot be.'],
  ['try_strptime', '(text, format)', 'The time that a text says in a format; NULL where it says none.'],
  ['unnest', '(list)', 'One row for each value of a list.'],
];

export const duckdbCompletion: Completion = completionWith({
  functions,
  conditionWords: ['GLOB', 'QUALIFY'],
  joinWords: ['ASOF JOIN', 'SEMI JOIN', 'ANTI JOIN'],
});
