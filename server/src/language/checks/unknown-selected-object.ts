import { findDataObject } from '../../catalog/catalog.ts';
import { unknownDataObject } from '../../query/query-problems.ts';
import type { GraphCheck } from './check.ts';

/** A selected data object missing in the source; those of elements are found by their queries. */
export const unknownSelectedObject: GraphCheck = {
  codes: ['unknown-data-object'],
  check({ graph, catalog }) {
    if (!catalog?.complete) return [];
    return graph.dataObjects
      .filter(({ value }) => !findDataObject(catalog, value))
      .map((name) => unknownDataObject(name, catalog));
  },
};
