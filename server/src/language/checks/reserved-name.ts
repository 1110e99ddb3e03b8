import type { GraphCheck } from './check.ts';

/** Names that the format itself uses: `self` qualifies an event's own entity, the others are aliases of a relationship's sides. */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** An activity or a relationship has a name with a meaning of its own. */
export const reservedName: GraphCheck = {
  codes: ['reserved-name'],
  scope: 'entry',
  check: ({ graph }) =>
    [...graph.elements.map(({ activityName }) => activityName), ...graph.relationships.map(({ name }) => name)]
      .filter((name) => name !== undefined)
      .filter(({ value }) => reserved.has(value))
      .map(({ value, range }) => ({
        code: 'reserved-name',
        severity: 'error',
        message: `"${value}" is a reserved name. Choose another one.`,
        range,
      })),
};
