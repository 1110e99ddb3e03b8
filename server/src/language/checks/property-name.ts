import { nameProblems } from '../../model/property-names.ts';
import type { PropertySelection } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import type { GraphCheck } from './check.ts';

/** Explicit names of properties must be unique in their entry, and differ from that of its id column. */
export const propertyName: GraphCheck = {
  codes: ['property-name'],
  scope: 'entry',
  check: ({ graph: { elements, entities } }) => [
    ...elements.flatMap(({ properties }) => problemsOf(properties, 'event')),
    ...entities.flatMap(({ properties }) => problemsOf(properties, 'entity')),
  ],
};

function problemsOf(properties: PropertySelection, of: 'event' | 'entity'): readonly Problem[] {
  return properties.kind === 'list' ? nameProblems(properties.columns, of) : [];
}
