import type { EntityGraph } from '../../model/entity-graph.ts';
import type { LocatedSql } from '../../model/source-range.ts';

/** All custom SQL of a graph. */
export function sqlOf({ elements, relationships }: EntityGraph): readonly LocatedSql[] {
  return [
    ...elements.flatMap(({ where, joins }) => [...(where ? [where] : []), ...(joins ? [joins] : [])]),
    ...relationships.flatMap(({ mappings }) =>
      mappings.flatMap((mapping) => (mapping.kind === 'expression' ? [mapping.expression] : [])),
    ),
  ];
}
