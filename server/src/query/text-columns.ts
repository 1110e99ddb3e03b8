import { findColumn, type Column, type DataObject } from '../catalog/catalog.ts';
import { resultNames } from './result-names.ts';

/** A file column whose text is selected in addition to its value. */
export interface TextColumn {
  readonly dataObject: string;
  readonly column: string;
  /** Name of the text column in the file's view. */
  readonly as: string;
}

/**
 * The text column of a column whose keys are texts; undefined for other columns. Its name contains the data object, so
 * that a NATURAL JOIN does not compare text columns.
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

/** Whether keys are not made of the column's values. */
function hasOtherValue({ isKeyedByText = false, type }: Column): boolean {
  return isKeyedByText && type !== 'VARCHAR';
}

/** Distinct columns. */
export function distinctTexts(texts: readonly TextColumn[]): readonly TextColumn[] {
  return [...new Map(texts.map((text) => [JSON.stringify([text.dataObject, text.column]), text])).values()];
}
