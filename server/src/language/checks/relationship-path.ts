import { pathScope, resolvePath } from '../../model/relationship-path.ts';
import type { GraphCheck } from './check.ts';

/**
 * A path that cannot be followed: an unknown step, steps that do not connect or lead back, or mappings beside the path.
 */
export const relationshipPath: GraphCheck = {
  codes: ['unknown-relationship', 'path-not-alone', 'path-broken', 'path-direction', 'path-cycle'],
  check({ graph, index }) {
    if (index.paths.size === 0) return [];
    const scope = pathScope(graph);
    return [...index.paths]
      .toSorted((one, other) => one.index - other.index)
      .flatMap((relationship) => resolvePath(relationship, scope).problems);
  },
};
