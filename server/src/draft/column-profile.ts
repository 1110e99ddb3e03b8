import type { Column, ColumnSense } from '../catalog/catalog.ts';
import { namesSecret } from '../catalog/secret-column.ts';
import { type TimeText, timeTextOf } from '../catalog/time-text.ts';
import type { Dialect } from '../dialects/dialect.ts';
import { type StoredTimeForm, storedTimeForms } from '../dialects/stored-times.ts';
import { isCalledTime } from './name-words.ts';
import type { SampleCell, TableInput } from './table-sample.ts';

/** Facts about a column, from its rows if some were read, else from the catalog. */
export interface ColumnProfile {
  readonly name: string;
  readonly sense: ColumnSense;
  readonly column: Column;
  /** Number of rows read; 0 if only the catalog is used. */
  readonly rows: number;
  /** Share of rows with a value; undefined if unknown. */
  readonly filled: number | undefined;
  /** Different values, in the rows that were read. */
  readonly distinct: number | undefined;
  /** Share of the most frequent value among all values. */
  readonly mostFrequent: number | undefined;
  readonly meanLength: number;
  /** Share of values with a digit. */
  readonly withDigits: number;
  /** Values are lists, written with this separator. */
  readonly separator?: string | undefined;
  /** Values are lists or arrays. */
  readonly isList: boolean;
  /** Whole numbers of which most between the least and the greatest are missing, as amounts are. */
  readonly isScattered?: boolean | undefined;
  /** Format of texts or numbers that are times. `sense` is that of a time, too, if the engine can read the format. */
  readonly timeText?: TimeText | undefined;
  /** How its numbers or texts are read as times, such as seconds since 1970; `sense` is that of a time then. */
  readonly stored?: StoredTimeForm | undefined;
  /** Place among the cells of the sample. */
  readonly index: number | undefined;
}

/** Texts that mean a missing value. */
const nothing = new Set(['', '?', '-', 'null', 'NULL', 'N/A', 'n/a', 'None', 'none', 'NaN']);

export function isEmptyCell(cell: SampleCell | undefined): boolean {
  return cell === null || cell === undefined || (typeof cell === 'string' && nothing.has(cell.trim()));
}

/** What a draft knows of the times of an engine. */
export type ReadableTimes = Pick<Dialect['times'], 'written' | 'stored'>;

/** The columns of a data object, except those that hold secrets by their names. */
export function profileColumns(
  { object, sample }: TableInput,
  { times }: { readonly times: ReadableTimes },
): readonly ColumnProfile[] {
  const places = new Map(sample?.columns.map((name, place) => [name, place]));
  const profiles = object.columns
    .filter(({ name }) => !namesSecret(name))
    .map((column) => {
      const index = places.get(column.name);
      const profile =
        sample && index !== undefined
          ? profileOfRows(
              column,
              index,
              sample.rows.map((row) => row[index] ?? null),
            )
          : profileOfCatalog(column, object.statistics.rowEstimate);
      const { timeText } = profile;
      return timeText?.format !== undefined && times.written.reads(timeText.format)
        ? { ...profile, sense: timeText.sense }
        : profile;
    });
  // Other times say more surely what they are.
  return profiles.some(isTime) ? profiles : profiles.map((profile) => asStoredTime(profile, sample, times));
}

function asStoredTime(profile: ColumnProfile, sample: TableInput['sample'], times: ReadableTimes): ColumnProfile {
  const { name, column, index } = profile;
  if (!sample || index === undefined || profile.timeText) return profile;
  const cells = sample.rows.flatMap((row) => (isEmptyCell(row[index]) ? [] : [String(row[index])]));
  if (cells.length === 0 || (!isCalledTime(name) && !cells[0]?.startsWith('/Date('))) return profile;
  const [stored] = storedTimeForms({ ...column, samples: cells }, times.stored, undefined);
  return stored ? { ...profile, sense: 'timestamp', stored } : profile;
}

function profileOfCatalog(column: Column, rowEstimate: number | undefined): ColumnProfile {
  const { name, sense, nullable, nullShare, distinctEstimate, samples = [] } = column;
  const isKnownUnique = rowEstimate !== undefined && distinctEstimate === rowEstimate;
  return {
    name,
    sense,
    column,
    rows: 0,
    meanLength: 0,
    withDigits: 0,
    isList: isList(column),
    index: undefined,
    filled: nullShare === undefined ? (nullable ? undefined : 1) : 1 - nullShare,
    distinct: distinctEstimate,
    mostFrequent: isKnownUnique ? 0 : undefined,
    timeText: isWritten(column) ? timeTextOf(name, samples) : undefined,
  };
}

function profileOfRows(column: Column, index: number, cells: readonly SampleCell[]): ColumnProfile {
  const values = cells.filter((cell) => !isEmptyCell(cell)).map(String);
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const share = (test: (value: string) => boolean): number =>
    values.length === 0 ? 0 : values.filter(test).length / values.length;
  const different = [...counts.keys()].slice(0, 2000);
  const separator = column.sense === 'text' ? separatorOf(different) : undefined;
  const timeText = isWritten(column) ? timeTextOf(column.name, different) : undefined;
  // `00000000` is no date.
  const missing = timeText?.format === '%Y%m%d' ? values.filter((value) => /^0+$/.test(value)).length : 0;
  return {
    name: column.name,
    sense: column.sense,
    column,
    index,
    rows: cells.length,
    filled: cells.length === 0 ? undefined : (values.length - missing) / cells.length,
    distinct: counts.size,
    mostFrequent: values.length === 0 ? undefined : largest(counts.values()) / values.length,
    meanLength: values.reduce((sum, value) => sum + value.length, 0) / Math.max(values.length, 1),
    withDigits: share((value) => /\d/.test(value)),
    isList: isList(column) || separator !== undefined || share((value) => /^\[.*\]$/.test(value)) > 0.9,
    separator,
    isScattered: column.sense === 'integer' ? isScattered(different.map(Number)) : undefined,
    timeText,
  };
}

/** Texts and whole numbers may be written times. */
function isWritten({ sense }: Column): boolean {
  return sense === 'text' || sense === 'integer';
}

function isScattered(numbers: readonly number[]): boolean {
  let [least, greatest] = [Infinity, -Infinity];
  for (const number of numbers) [least, greatest] = [Math.min(least, number), Math.max(greatest, number)];
  return numbers.length >= 10 && numbers.length < 0.05 * (greatest - least + 1);
}

function largest(counts: Iterable<number>): number {
  let most = 0;
  for (const count of counts) most = Math.max(most, count);
  return most;
}

function isList({ sense, type }: Column): boolean {
  return sense === 'json' && /\]$/.test(type);
}

/** The sign between short items without blanks, where a good part of the values has several. */
function separatorOf(values: readonly string[]): string | undefined {
  // `192,50` and `1,234,567` are numbers.
  if (values.every((value) => /^[+-]?(?:\d+(?:,\d+)?|\d{1,3}(?:,\d{3})+|\d{1,3}(?:\.\d{3})+,\d+)$/.test(value)))
    return undefined;
  return [';', '|', ','].find((sign) => {
    const several = values.filter((value) => {
      const items = value.split(sign);
      return items.length > 1 && items.every((item) => /^\s?[^\s,;|]{1,40}$/.test(item));
    });
    return several.length > 0.1 * values.length;
  });
}

/** Whether all rows have different values. */
export function isUnique({ rows, filled, distinct, column }: ColumnProfile): boolean {
  if (rows > 0) return filled === 1 && distinct === rows;
  return column.identifying === true && !column.nullable;
}

export function isTime({ sense }: Pick<ColumnProfile, 'sense'>): boolean {
  return sense === 'timestamp' || sense === 'date';
}
