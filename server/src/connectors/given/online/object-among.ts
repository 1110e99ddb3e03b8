import type { DataObject } from '../../../catalog/catalog.ts';
import type { GivenData } from '../given-data.ts';

/**
 * The data object that a name in SQL means. A graph may name one in full that the catalog knows by a shorter name: then
 * the one with given rows is meant.
 */
export function objectAmong(
  found: readonly DataObject[],
  { objects }: Pick<GivenData, 'objects'>,
): DataObject | undefined {
  const given = found.filter(({ name }) => objects.some(({ dataObject }) => dataObject === name));
  return given[0] ?? found[0];
}
