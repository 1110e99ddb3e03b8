import { type CrossMapping, type Mapping, type MappingOperator, type Relationship } from '../model/entity-graph.ts';

/** How operators are read aloud between a subject and its object. */
export const operatorWords: Readonly<Record<MappingOperator, string>> = {
  '=': 'equals',
  '!=': 'differs from',
  '<': 'is before or below',
  '<=': 'is at most',
  '>': 'is after or above',
  '>=': 'is at least',
  like: 'is like',
  'not like': 'is not like',
};

/**
 * A join in a plain sentence; undefined while nothing joins the two ends.
 * @param strong how names stand out; as in Markdown when not given.
 */
export function describeJoin(
  { source, target, mappings, crossTable }: Relationship,
  strong: (name: string) => string = (name) => `**${name}**`,
): string | undefined {
  if (!source || !target) return undefined;
  const direct = mappings.map(describeMapping);
  const object = crossTable?.dataObject?.value;
  const bridge =
    crossTable && object !== undefined && crossTable.sourceMappings.length > 0 && crossTable.targetMappings.length > 0
      ? [
          `a row of ${strong(object)} says so: ${[
            ...crossTable.sourceMappings.map((mapping) => describeCross(mapping, 'source')),
            ...crossTable.targetMappings.map((mapping) => describeCross(mapping, 'target')),
          ].join(' and ')}`,
        ]
      : [];
  const conditions = [...direct, ...bridge];
  if (conditions.length === 0) return undefined;
  const only = mappings.length === 1 && bridge.length === 0 ? mappings[0] : undefined;
  if (only?.kind === 'columns' && only.operator === '=') {
    return `Each ${strong(source.value)} is linked to the ${strong(target.value)} whose ${only.target.value} equals its ${only.source.value}.`;
  }
  return `Each ${strong(source.value)} is linked to every ${strong(target.value)} where ${conditions.join(', and ')}.`;
}

function describeMapping(mapping: Mapping): string {
  if (mapping.kind === 'expression') return `\`${mapping.expression.value.replaceAll(/\s+/g, ' ').trim()}\` holds`;
  return `its ${mapping.source.value} ${operatorWords[mapping.operator]} the other's ${mapping.target.value}`;
}

function describeCross({ column, operator, cross }: CrossMapping, side: 'source' | 'target'): string {
  return side === 'source'
    ? `${column.value} ${operatorWords[operator]} its ${cross.value}`
    : `its ${cross.value} ${operatorWords[operator]} the other's ${column.value}`;
}
