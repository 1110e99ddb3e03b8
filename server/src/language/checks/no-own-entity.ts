import { hasOwnEntity } from '../../model/entity-graph.ts';
import { noOwnEntity } from '../../query/query-problems.ts';
import type { GraphCheck } from './check.ts';

/** A relationship ends at an element whose events have no entity of their own. */
export const noOwnEntityAtEnd: GraphCheck = {
  codes: ['no-own-entity'],
  scope: 'linked',
  check: ({ graph, index }) =>
    graph.relationships
      .flatMap(({ source, target }) => [source, target])
      .filter((end) => end !== undefined)
      .flatMap((end) => {
        const found = index.endNamed(end.value);
        return found && !('isMasterData' in found) && !hasOwnEntity(found) ? [noOwnEntity(end)] : [];
      }),
};
