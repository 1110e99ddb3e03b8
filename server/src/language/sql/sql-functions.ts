import type { SqlDialect } from '../../catalog/catalog.ts';

/** A function of SQL as it is proposed. */
export interface SqlFunction {
  readonly name: string;
  /** What it takes, such as `(text, from, length)`. */
  readonly takes: string;
  /** What it gives, in a few words. */
  readonly says: string;
}

type Row = readonly [name: string, takes: string, says: string];

const inBoth: readonly Row[] = [
  ['abs', '(number)', 'The number without its sign.'],
  ['age', '(later, earlier)', 'The interval between two times.'],
  ['avg', '(number)', 'The average of all rows of a group.'],
  ['bool_and', '(condition)', 'Whether a condition holds for all rows of a group.'],
  ['bool_or', '(condition)', 'Whether a condition holds for one row of a group.'],
  ['cast', '(value AS type)', 'The value as another type.'],
  ['ceil', '(number)', 'The nearest whole number that is not below.'],
  ['coalesce', '(value, …)', 'The first value that is not NULL.'],
  ['concat', '(value, …)', 'The values as one text; NULL counts as nothing.'],
  ['concat_ws', '(separator, value, …)', 'The values as one text, with a separator between them.'],
  ['count', '(*)', 'The number of rows of a group.'],
  ['date_part', "('unit', time)", 'One part of a time, such as its hour.'],
  ['date_trunc', "('unit', time)", 'The time cut to a unit, such as the day that it is in.'],
  ['exp', '(number)', 'e to the power of a number.'],
  ['extract', '(unit FROM time)', 'One part of a time, such as its year.'],
  ['floor', '(number)', 'The nearest whole number that is not above.'],
  ['format', '(pattern, value, …)', 'A text with values at its places.'],
  ['greatest', '(value, …)', 'The largest of the values.'],
  ['least', '(value, …)', 'The smallest of the values.'],
  ['left', '(text, length)', 'The first characters of a text.'],
  ['length', '(text)', 'The number of characters.'],
  ['ln', '(number)', 'The natural logarithm.'],
  ['lower', '(text)', 'The text in lower case.'],
  ['lpad', '(text, length, fill)', 'The text, filled from the left to a length.'],
  ['ltrim', '(text)', 'The text without blanks at its start.'],
  ['make_date', '(year, month, day)', 'A date of its parts.'],
  ['max', '(value)', 'The largest value of a group.'],
  ['md5', '(text)', 'The MD5 hash of a text.'],
  ['min', '(value)', 'The smallest value of a group.'],
  ['mod', '(number, divisor)', 'What a division leaves over.'],
  ['now', '()', 'The time at which the query began.'],
  ['nullif', '(value, other)', 'NULL when both are equal, else the first.'],
  ['position', '(part IN text)', 'Where a text is found in another, from 1; 0 when it is not.'],
  ['power', '(number, exponent)', 'A number to the power of another.'],
  ['regexp_replace', '(text, pattern, replacement)', 'The text with matches of a regular expression replaced.'],
  ['repeat', '(text, times)', 'The text several times.'],
  ['replace', '(text, from, to)', 'The text with every occurrence of another replaced.'],
  ['reverse', '(text)', 'The text from its end to its start.'],
  ['right', '(text, length)', 'The last characters of a text.'],
  ['round', '(number, digits)', 'The number rounded to so many digits.'],
  ['row_number', '() OVER (ORDER BY …)', 'The number of a row in an order.'],
  ['rpad', '(text, length, fill)', 'The text, filled from the right to a length.'],
  ['rtrim', '(text)', 'The text without blanks at its end.'],
  ['sign', '(number)', '-1, 0 or 1.'],
  ['split_part', '(text, separator, place)', 'The part of a text at a place, from 1.'],
  ['sqrt', '(number)', 'The square root.'],
  ['starts_with', '(text, start)', 'Whether a text starts with another.'],
  ['string_agg', '(text, separator)', 'The texts of a group as one.'],
  ['strpos', '(text, part)', 'Where a text is found in another, from 1; 0 when it is not.'],
  ['substring', '(text, from, length)', 'A part of a text; places count from 1.'],
  ['sum', '(number)', 'The sum of a group.'],
  ['to_timestamp', '(seconds)', 'The time so many seconds after the start of 1970.'],
  ['translate', '(text, from, to)', 'The text with single characters replaced.'],
  ['trim', '(text)', 'The text without blanks at both ends.'],
  ['trunc', '(number)', 'The whole part of a number.'],
  ['upper', '(text)', 'The text in upper case.'],
];

const inPostgresql: readonly Row[] = [
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

const inDuckdb: readonly Row[] = [
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

/** The functions that a dialect has, or those of both while it is not known; all by name. */
export function sqlFunctions(dialect: SqlDialect | undefined): readonly SqlFunction[] {
  return byDialect[dialect ?? 'both'];
}

const byDialect: Readonly<Record<SqlDialect | 'both', readonly SqlFunction[]>> = {
  postgresql: functions(inBoth, inPostgresql),
  duckdb: functions(inBoth, inDuckdb),
  both: functions(inBoth),
};

function functions(...rows: readonly (readonly Row[])[]): readonly SqlFunction[] {
  const all = rows.flat().map(([name, takes, says]): SqlFunction => ({ name, takes, says }));
  return all.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
