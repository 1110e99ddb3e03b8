import type { MappingOperator } from '../../model/entity-graph.ts';

/** The operator that compares the same two values in the other order. */
export const turned: Readonly<Record<MappingOperator, MappingOperator>> = {
  '=': '=',
  '!=': '!=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  like: 'like',
  'not like': 'not like',
};
