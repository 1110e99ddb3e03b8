import type { SqlFunction } from '../dialect.ts';

export type FunctionRow = readonly [name: string, takes: string, says: string];

/** Functions of most dialects; those of a dialect name the ones that it does not know. */
export const commonFunctions: readonly FunctionRow[] = [
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

/** Functions by name, for completion. */
export function functionsOf(...rows: readonly (readonly FunctionRow[])[]): readonly SqlFunction[] {
  const all = rows.flat().map(([name, takes, says]): SqlFunction => ({ name, takes, says }));
  return all.toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
