import type { ColumnSense } from '../../catalog/catalog.ts';
import { duckdb } from '../../dialects/duckdb.ts';
import { isFineTimeSql } from '../../dialects/standard/fine-times.ts';
import { isUtcName } from '../../model/utc-names.ts';
import type { SqliteCell } from '../../store/sqlite-reader/sqlite-reader.ts';
import { type TimeStorage, timeStorages } from './read-settings.ts';

/** How the values of a column are read and staged. */
export interface ColumnType {
  /** Shown type name. */
  readonly type: string;
  readonly sense: ColumnSense;
  readonly zoned?: boolean;
  /** DuckDB type of the staged column. */
  readonly stagedType: string;
  /** DuckDB type in which the file of rows is read; the expression converts it to the staged type. */
  readonly readAs: string;
  readonly value?: (text: string, cast?: 'CAST' | 'TRY_CAST') => string;
  /** For times as text: the pattern of the values, with 0 for each digit, if all have the same one without offset. */
  readonly timeForm?: string;
  /** How times are stored, and whether that was guessed. */
  readonly times?: { readonly storage: Exclude<TimeStorage, 'none'>; readonly isGuess: boolean };
}

/**
 * The type of a table column by its declared type (https://www.sqlite.org/datatype3.html#determination_of_column_affinity)
 * and, for times and columns without a declared type, by some of its values.
 */
export function columnType(
  declared: string,
  setting: TimeStorage | undefined,
  samples: readonly SqliteCell[],
  timeZone = 'UTC',
): ColumnType {
  const values = samples.filter((value) => value !== null);
  if (setting !== undefined && setting !== 'none') return timeType(setting, { values, isGuess: false, timeZone });
  const guess = setting === 'none' ? undefined : guessTimes(declared, values);
  return guess === undefined ? plainType(declared, values) : timeType(guess, { values, isGuess: true, timeZone });
}

/** The type of an expression, by some of its values. Texts that can only be times are times, as in a column of no declared type. */
export function expressionType(samples: readonly SqliteCell[], timeZone: string): ColumnType {
  return columnType('', undefined, samples, timeZone);
}

const textType = (type: string): ColumnType => ({ type, sense: 'text', stagedType: 'VARCHAR', readAs: 'VARCHAR' });
const integerType = (type: string): ColumnType => ({ type, sense: 'integer', stagedType: 'BIGINT', readAs: 'BIGINT' });
const numberType = (type: string): ColumnType => ({ type, sense: 'number', stagedType: 'DOUBLE', readAs: 'DOUBLE' });

function plainType(declared: string, values: readonly SqliteCell[]): ColumnType {
  const name = declared.toUpperCase();
  if (/JSON/.test(name)) return { ...textType(declared), sense: 'json' };
  if (/BOOL/.test(name) && values.every((value) => value === 0 || value === 1)) {
    return { type: declared, sense: 'boolean', stagedType: 'BOOLEAN', readAs: 'BOOLEAN' };
  }
  if (name.includes('INT')) return integerType(declared);
  if (/CHAR|CLOB|TEXT/.test(name)) return textType(declared);
  if (name.includes('BLOB')) return { ...textType(declared), sense: 'binary' };
  if (/REAL|FLOA|DOUB|DEC|NUMERIC/.test(name)) return numberType(declared);
  return typeOfValues(declared, values);
}

function typeOfValues(declared: string, values: readonly SqliteCell[]): ColumnType {
  const isInteger = (value: SqliteCell): boolean => Number.isInteger(value);
  if (values.length > 0 && values.every(isInteger)) return integerType(declared || 'INTEGER');
  if (values.length > 0 && values.every((value) => typeof value === 'number')) return numberType(declared || 'REAL');
  return textType(declared || 'TEXT');
}

const isoDate = /^-?\d{4,6}-\d{2}-\d{2}$/;
const isoTime = /^-?\d{4,6}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d{1,6}0*)?)?( ?(Z|[+-]\d{2}(:?\d{2})?))?$/i;

/**
 * Guesses times by the declared type, or by texts that can only be times. Numbers count as times only with a declared
 * type.
 */
function guessTimes(declared: string, values: readonly SqliteCell[]): Exclude<TimeStorage, 'none'> | undefined {
  if (values.length === 0) return undefined;
  const isText = (pattern: RegExp) => (value: SqliteCell) => typeof value === 'string' && pattern.test(value);
  const within = (from: number, to: number) => (value: SqliteCell) =>
    typeof value === 'number' && value >= from && value < to;
  const isDeclared = /DATE|TIME/i.test(declared);
  const mayBeText = isDeclared || declared === '' || /CHAR|TEXT/i.test(declared);
  if (mayBeText && values.every(isText(isoDate))) return 'date';
  if (mayBeText && values.every((value) => isText(isoDate)(value) || isText(isoTime)(value))) return 'text';
  if (!isDeclared) return undefined;
  // Julian days of the years 1000 to 3000, seconds from 1973 to the year 5138, milliseconds from 1973 on.
  if (values.every(within(2_086_000, 2_817_000))) return 'julian-days';
  if (values.every(within(1e8, 1e11))) return 'unix-seconds';
  if (values.every(within(1e11, 1e15))) return 'unix-milliseconds';
  return undefined;
}

/** Words for a stored time, as in the type that users see. */
const storageWords: Readonly<Record<Exclude<TimeStorage, 'none'>, string>> = {
  text: 'TIMESTAMP as text',
  date: 'DATE as text',
  'unix-seconds': 'TIMESTAMP as Unix seconds',
  'unix-milliseconds': 'TIMESTAMP as Unix milliseconds',
  'julian-days': 'TIMESTAMP as Julian days',
};

/** How a column of a shown type stores times; undefined for other types. */
export function storageOf(type: string): Exclude<TimeStorage, 'none'> | undefined {
  return timeStorages.filter((each) => each !== 'none').find((each) => storageWords[each] === type);
}

interface TimeColumn {
  readonly values: readonly SqliteCell[];
  readonly isGuess: boolean;
  /** Time zone of times that are stored without one. */
  readonly timeZone: string;
}

function timeType(storage: Exclude<TimeStorage, 'none'>, { values, isGuess, timeZone }: TimeColumn): ColumnType {
  const base = { type: storageWords[storage], times: { storage, isGuess } };
  switch (storage) {
    case 'date':
      return {
        ...base,
        ...formOf(values, dateForm),
        sense: 'date',
        stagedType: 'DATE',
        readAs: 'VARCHAR',
        value: (text, cast = 'CAST') => `${cast}(${text} AS DATE)`,
      };
    case 'text':
      return {
        ...base,
        ...formOf(values, timeForm),
        sense: 'timestamp',
        zoned: true,
        stagedType: 'TIMESTAMP',
        readAs: 'VARCHAR',
        value: utcOfText(timeZone),
      };
    default:
      return {
        ...base,
        sense: 'timestamp',
        zoned: true,
        stagedType: 'TIMESTAMP',
        readAs: 'DOUBLE',
        value: (text) => `make_timestamp(CAST(round(${microseconds[storage](text)}) AS BIGINT))`,
      };
  }
}

/**
 * A column may mix times with and without offset, so each text is converted to UTC by itself: an instant that passed
 * through local time would lose which of the two hours of an overlap it is in.
 */
function utcOfText(timeZone: string): NonNullable<ColumnType['value']> {
  return (text, cast = 'CAST') => {
    // DuckDB would cut off digits below microseconds.
    const unfit = cast === 'CAST' ? `error('not converted: ' || ${text})` : 'NULL';
    return `CASE WHEN ${isFineTimeSql(text)} THEN ${unfit} ELSE ${utcOfTime(text, cast, timeZone)} END`;
  };
}

function utcOfTime(text: string, cast: 'CAST' | 'TRY_CAST', timeZone: string): string {
  const isInstant = `${text} LIKE '____-__-_____:__:__Z' OR ${hasOffset(text)}`;
  const instant = `${cast}(${withSeconds(text)} AS TIMESTAMPTZ) AT TIME ZONE 'UTC'`;
  const local = `${cast}(${text} AS TIMESTAMP)`;
  if (isUtcName(timeZone)) return `CASE WHEN ${isInstant} THEN ${instant} ELSE ${local} END`;
  // The conversion is evaluated for all rows, so other texts are left out of it. Infinity has no zone.
  const moved = duckdb.times.inZone(`CASE WHEN NOT (${isInstant}) AND isfinite(${local}) THEN ${local} END`, timeZone);
  return `CASE WHEN ${isInstant} THEN ${instant} ELSE coalesce(${moved}, ${local}) END`;
}

const offsetSql = '(Z|[+-][0-9]{2}(:?[0-9]{2})?)$';

function hasOffset(text: string): string {
  return `regexp_matches(upper(substr(${text}, 11)), '${offsetSql}')`;
}

/** DuckDB reads an offset only after seconds, and without a blank before it. */
function withSeconds(text: string): string {
  const seconds = `regexp_replace(upper(${text}), '([T ][0-9]{2}:[0-9]{2}) ?${offsetSql}', '\\1:00\\2')`;
  return `regexp_replace(${seconds}, ' ${offsetSql}', '\\1')`;
}

/** Texts of such a form have the order of their times. */
const dateForm = /^0{4}-00-00$/;
const timeForm = /^0{4}-00-00[T ]00:00:00(\.0+)?Z?$/;

function formOf(values: readonly SqliteCell[], form: RegExp): Pick<ColumnType, 'timeForm'> {
  const [first, ...others] = new Set(values.map((value) => String(value).replaceAll(/\d/g, '0')));
  return first !== undefined && others.length === 0 && form.test(first) ? { timeForm: first } : {};
}

/** SQLite keeps Julian days to the millisecond. */
const microseconds = {
  'unix-seconds': (number: string): string => `${number} * 1e6`,
  'unix-milliseconds': (number: string): string => `${number} * 1e3`,
  'julian-days': (number: string): string => `round((${number} - 2440587.5) * 86400e3) * 1e3`,
} as const;

/** The time of a number, in milliseconds since 1970. */
export function millisecondsOf(storage: keyof typeof microseconds, number: number): number {
  if (storage === 'unix-seconds') return number * 1000;
  return storage === 'unix-milliseconds' ? number : Math.round((number - 2_440_587.5) * 86_400_000);
}
