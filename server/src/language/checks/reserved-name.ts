import type { GraphCheck } from './check.ts';

/**
 * Reserved names of the format: `self` is the qualifier of an event's own entity, the others are aliases of
 * relationship sides.
 */
const reserved = new Set(['self', 'source', 'target', 'cross']);

/** An activity or a relationship with a reserved name. */
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
