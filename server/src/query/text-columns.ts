import { findColumn, type Column, type DataObject } from '../catalog/catalog.ts';
import { resultNames } from './result-names.ts';

/** A column of a file whose texts a query wants beside its values. */
export interface TextColumn {
  readonly dataObject: string;
  readonly column: string;
  /** What the texts are called where the query reads the file. */
  readonly as: string;
}

/**
 * The texts of a column, where keys are made of these and not of values; undefined for every other column. Their name tells the data object,
 * so that a NATURAL JOIN does not compare them.
 */
export function textColumnOf(object: DataObject | undefined, name: string): TextColumn | undefined {
  const column = object && findColumn(object, name);
  if (!object || !column || !hasOtherValue(column)) return undefined;
  const keyed = object.columns.filter(hasOtherValue);
  const wanted = keyed.map((each) => `__text_${object.name}_${each.name}`);
  const names = resultNames(
    wanted,
    'duckdb',
    object.columns.map((each) => each.name),
  );
  const as = names[keyed.indexOf(column)];
  return as === undefined ? undefined : { dataObject: object.name, column: name, as };
}

/** Whether keys are made of something else than the values of a column. */
function hasOtherValue({ isKeyedByText = false, type }: Column): boolean {
  return isKeyedByText && type !== 'VARCHAR';
}

/** Each of the columns once. */
export function distinctTexts(texts: readonly TextColumn[]): readonly TextColumn[] {
  return [...new Map(texts.map((text) => [JSON.stringify([text.dataObject, text.column]), text])).values()];
}
