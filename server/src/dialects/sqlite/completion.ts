import type { Completion } from '../dialect.ts';
import { completionWith } from '../standard/completion.ts';
import type { FunctionRow } from '../standard/functions.ts';

const functions: readonly FunctionRow[] = [
  ['date', '(time, modifier)', 'The date of a time, as text.'],
  ['datetime', '(time, modifier)', 'Date and time, as text.'],
  ['group_concat', '(value, separator)', 'The values of a group as one text.'],
  ['ifnull', '(value, other)', 'The value, or the other one when it is NULL.'],
  ['iif', '(condition, value, other)', 'The value if the condition is true, else the other one.'],
  ['instr', '(text, part)', 'The place of a text in another, from 1; 0 when it is not there.'],
  ['json_extract', "(json, '$.path')", 'The value at a path in JSON.'],
  ['julianday', '(time, modifier)', 'The Julian day of a time.'],
  ['printf', '(format, value)', 'Values in a format, as text.'],
  ['strftime', '(format, time)', 'A time as text of a format.'],
  ['total', '(value)', 'The sum of a group; 0.0 when it has no values.'],
  ['typeof', '(value)', 'The type of a value: null, integer, real, text or blob.'],
  ['unixepoch', '(time, modifier)', 'Seconds since the start of 1970.'],
];

export const sqliteCompletion: Completion = completionWith({
  functions,
  conditionWords: ['GLOB'],
  joinWords: [],
  unknownFunctions: [
    ...['age', 'bool_and', 'bool_or', 'date_part', 'date_trunc', 'extract', 'greatest', 'least', 'left', 'lpad'],
    ...['make_date', 'md5', 'now', 'position', 'regexp_replace', 'repeat', 'reverse', 'right', 'rpad', 'split_part'],
    ...['starts_with', 'strpos', 'to_timestamp', 'translate'],
  ],
  unknownWords: [
    ...['DATE', 'TIMESTAMP', 'INTERVAL', 'AT TIME ZONE', 'ILIKE', 'SIMILAR TO', 'ANY', 'ALL', 'LEFT JOIN LATERAL'],
  ],
});
