import { pathScope, resolvePath } from '../../model/relationship-path.ts';
import type { GraphCheck } from './check.ts';

/** A path cannot be followed: a step that is no relationship, steps that do not meet or lead back, mappings beside it. */
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
