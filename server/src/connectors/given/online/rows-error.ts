import type { DataObject } from '../../../catalog/catalog.ts';
import { isSourceDown } from '../../source-down.ts';
import { isSourceError } from '../../source-error.ts';
import { GivenRowsError } from '../given-rows.ts';

/** The error of a statement that reads only the given rows of a data object. It is about these rows unless the source is down. */
export function rowsError({ name }: Pick<DataObject, 'name'>, error: unknown): unknown {
  const isOfRows = isSourceError(error) && error.code !== 'statement-timeout' && !isSourceDown(error);
  return isOfRows ? new GivenRowsError(name, error) : error;
}
