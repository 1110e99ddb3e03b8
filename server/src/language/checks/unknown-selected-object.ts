import { findDataObject } from '../../catalog/catalog.ts';
import { catalogOf } from '../../catalog/graph-catalog.ts';
import { unknownDataObject } from '../../query/query-problems.ts';
import type { GraphCheck } from './check.ts';

/** A selected data object missing in the source; those of elements are found by their queries. */
export const unknownSelectedObject: GraphCheck = {
  codes: ['unknown-data-object'],
  check({ graph, catalog }) {
    if (!catalog) return [];
    return graph.dataObjects.flatMap((name) => {
      const own = catalogOf(catalog, name);
      return own?.complete && !findDataObject(own, name.value) ? [unknownDataObject(name, own)] : [];
    });
  },
};
