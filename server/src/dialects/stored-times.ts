import type { Column } from '../catalog/catalog.ts';
import { isUtcName } from '../model/utc-names.ts';
import type { StoredTimes } from './dialect.ts';

/** A form of numbers and texts that are times, and of no type of times. */
export interface StoredTimeForm {
  /** Completes "its values look like …". */
  readonly words: string;
  /** The expression that gives the times of the values of a column. */
  readonly sql: (value: string) => string;
}

interface Form {
  readonly words: string;
  /** Whether an example value, or the type alone where there are none, may be such a time. */
  readonly isLike: (sample: string) => boolean;
  readonly fitsType: (column: Column) => boolean;
  readonly sql: (times: StoredTimes, value: string) => string;
  /** The values are numbers, which may be written in a column of texts. */
  readonly isNumber: boolean;
  /** The times are instants: engines that give them without zone give them in UTC. */
  readonly isInstant: boolean;
}

const isNumber = ({ sense }: Column): boolean => sense === 'integer' || sense === 'number';

/** Times from 1990 to 2100. */
const between =
  (first: number, last: number, pattern: RegExp) =>
  (sample: string): boolean =>
    pattern.test(sample) && Number(sample) >= first && Number(sample) < last;

const forms: readonly Form[] = [
  {
    words: 'seconds since 1970',
    isLike: between(631_152_000, 4_102_444_800, /^\d+(?:\.\d+)?$/),
    fitsType: isNumber,
    sql: (times, value) => times.epoch(value, 'seconds'),
    isNumber: true,
    isInstant: true,
  },
  {
    words: 'milliseconds since 1970',
    isLike: between(631_152_000_000, 4_102_444_800_000, /^\d+(?:\.0+)?$/),
    fitsType: isNumber,
    sql: (times, value) => times.epoch(value, 'milliseconds'),
    isNumber: true,
    isInstant: true,
  },
  {
    words: 'day numbers of Excel',
    isLike: between(32_874, 73_051, /^\d+(?:\.\d+)?$/),
    fitsType: isNumber,
    sql: (times, value) => times.excelDays(value),
    isNumber: true,
    isInstant: false,
  },
  {
    words: '/Date(…)/ of JSON',
    isLike: (sample) => /^\/Date\(-?\d+(?:[+-]\d{4})?\)\/$/.test(sample),
    fitsType: () => false,
    sql: (times, value) => times.jsonDate(value),
    isNumber: false,
    isInstant: true,
  },
];

/**
 * The forms that the values of a column have, by its example values; of numbers without examples all forms.
 * @param stored of the dialect @param timeZone of the data source, if it is known
 */
export function storedTimeForms(
  column: Column,
  stored: StoredTimes | undefined,
  timeZone: string | undefined,
): readonly StoredTimeForm[] {
  if (!stored || !(isNumber(column) || column.sense === 'text')) return [];
  const { samples = [] } = column;
  const isPossible = ({ isLike, fitsType, isInstant }: Form): boolean =>
    (samples.length > 0 ? samples.every(isLike) : fitsType(column)) &&
    (!isInstant || !stored.areInUtc || (timeZone !== undefined && isUtcName(timeZone)));
  return forms.filter(isPossible).flatMap(({ words, sql, isNumber: isWritten }) => {
    if (!isWritten || column.sense !== 'text') return [{ words, sql: (value: string) => sql(stored, value) }];
    const { number } = stored;
    return number ? [{ words, sql: (value: string) => sql(stored, number(value)) }] : [];
  });
}
