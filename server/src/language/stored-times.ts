import { type Catalog, type Column, findColumn, findDataObject } from '../catalog/catalog.ts';
import { timeFormatsOf } from '../catalog/time-text.ts';
import { dialectNamed } from '../dialects/index.ts';
import { storedTimeForms } from '../dialects/stored-times.ts';
import type { EntitySource } from '../model/entity-graph.ts';

/** A way to read a column that holds times as numbers or texts of no time type. */
interface StoredTime {
  /** Completes "its values look like …". */
  readonly words: string;
  /** The expression that gives the times. */
  readonly sql: string;
}

/**
 * How the values of a time column may be read, by its example values; of numbers without examples all ways. Texts in
 * which day and month are ambiguous have two.
 * @param timeZone of times without zone in the rows of the entry, if it is known
 */
export function storedTimes(
  name: string,
  column: Column,
  source: EntitySource,
  catalog: Catalog,
  timeZone: string | undefined,
): readonly StoredTime[] {
  const value = columnSql(name, source, catalog);
  if (value === undefined || !(column.sense === 'integer' || column.sense === 'number' || column.sense === 'text'))
    return [];
  const forms = storedTimeForms(column, dialectNamed(catalog.dialect).times.stored, timeZone);
  return [...forms.map(({ words, sql }) => ({ words, sql: sql(value) })), ...asTexts(value, column, catalog)];
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
export function columnSql(name: string, { dataObject }: EntitySource, catalog: Catalog): string | undefined {
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
