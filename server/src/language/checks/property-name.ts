import { nameProblems } from '../../model/property-names.ts';
import type { GraphCheck } from './check.ts';

/** A name that was given to a property is taken. */
export const propertyName: GraphCheck = {
  codes: ['property-name'],
  scope: 'entry',
  check: ({ graph }) =>
    graph.elements.flatMap(({ properties }) => (properties.kind === 'list' ? nameProblems(properties.columns) : [])),
};
