import type { DataObject } from '../../../catalog/catalog.ts';
import type { GivenData } from '../given-data.ts';

/**
 * The data object that a name in SQL refers to. If a graph uses a full name where the catalog has a shorter one, the
 * name refers to the data object with given rows.
 */
export function objectAmong(
  found: readonly DataObject[],
  { objects }: Pick<GivenData, 'objects'>,
): DataObject | undefined {
  const given = found.filter(({ name }) => objects.some(({ dataObject }) => dataObject === name));
  return given[0] ?? found[0];
}
