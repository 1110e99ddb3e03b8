import { type Catalog, type Column, findColumn, findDataObject } from '../catalog/catalog.ts';
import { timeFormatsOf } from '../catalog/time-text.ts';
import { dialectNamed } from '../dialects/index.ts';
import type { StoredTimes } from '../dialects/dialect.ts';
import type { EntitySource } from '../model/entity-graph.ts';
import { isUtcName } from '../model/utc-names.ts';

/** A way to read a column that holds times as numbers or texts of no time type. */
interface StoredTime {
  /** Completes "its values look like …". */
  readonly words: string;
  /** The expression that gives the times. */
  readonly sql: string;
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
 * How the values of a time column may be read, by its example values; of numbers without examples all ways. Texts in
 * which day and month are ambiguous have two.
 * @param timeZone of the data source, if it is known
 */
export function storedTimes(
  name: string,
  column: Column,
  source: EntitySource,
  catalog: Catalog,
  timeZone: string | undefined,
): readonly StoredTime[] {
  const value = columnSql(name, source, catalog);
  if (value === undefined || !(isNumber(column) || column.sense === 'text')) return [];
  return [...asNumbers(value, column, catalog, timeZone), ...asTexts(value, column, catalog)];
}

function asNumbers(
  value: string,
  column: Column,
  catalog: Catalog,
  timeZone: string | undefined,
): readonly StoredTime[] {
  const { stored } = dialectNamed(catalog.dialect).times;
  if (!stored) return [];
  const { samples = [] } = column;
  const isPossible = ({ isLike, fitsType, isInstant }: Form): boolean =>
    (samples.length > 0 ? samples.every(isLike) : fitsType(column)) &&
    (!isInstant || !stored.areInUtc || (timeZone !== undefined && isUtcName(timeZone)));
  return forms.filter(isPossible).flatMap(({ words, sql, isNumber: isWritten }) => {
    const number = isWritten && column.sense === 'text' ? stored.number?.(value) : value;
    return number === undefined ? [] : [{ words, sql: sql(stored, number) }];
  });
}

/** Texts in a format that the engine can parse, as drafts read them. */
function asTexts(value: string, column: Column, catalog: Catalog): readonly StoredTime[] {
  const { written } = dialectNamed(catalog.dialect).times;
  const { formats = [], sense } = timeFormatsOf(column.name, column.samples ?? []) ?? {};
  if (sense === undefined || sense === 'time') return [];
  const text = written.text(value, 0);
  return formats
    .filter(written.reads)
    .map((format) => ({ words: format, sql: written.parsed(text, format, 'timestamp') }));
}

/** SQL of a column of an element: of its data object, or `alias.column` of a joined one. */
function columnSql(name: string, { dataObject }: EntitySource, catalog: Catalog): string | undefined {
  const { quote, path } = dialectNamed(catalog.dialect).identifiers;
  const object = dataObject && findDataObject(catalog, dataObject.value);
  if (!dataObject || !object) return undefined;
  if (findColumn(object, name)) {
    const table = object.path.at(-1) ?? path(dataObject.value).at(-1) ?? dataObject.value;
    return `${quote(table)}.${quote(name)}`;
  }
  const dot = name.indexOf('.');
  return dot < 0 ? undefined : `${quote(name.slice(0, dot))}.${quote(name.slice(dot + 1))}`;
}
