import type { SentencePart } from '../../../protocol/canvas-intents.ts';
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

/** A join in a plain sentence; undefined while nothing joins the two ends. */
export function describeJoin({
  source,
  target,
  mappings,
  crossTable,
  path,
}: Relationship): readonly SentencePart[] | undefined {
  if (!source || !target) return undefined;
  const [one, other] = [{ name: source.value }, { name: target.value }];
  if (path && path.steps.length > 0) {
    const steps = path.steps.map(({ relationship, reverse }): readonly SentencePart[] =>
      reverse === true ? [{ name: relationship.value }, ' (from target to source)'] : [{ name: relationship.value }],
    );
    const [first = [], ...rest] = steps;
    const way = rest.reduce((all, step) => sentence`${all}, then ${step}`, first);
    return sentence`Each ${one} is linked to every ${other} to which following ${way} leads.`;
  }
  const object = crossTable?.dataObject?.value;
  const bridge =
    crossTable && object !== undefined && crossTable.sourceMappings.length > 0 && crossTable.targetMappings.length > 0
      ? sentence`a row of ${{ name: object }} says so: ${[
          ...crossTable.sourceMappings.map((mapping) => describeCross(mapping, 'source')),
          ...crossTable.targetMappings.map((mapping) => describeCross(mapping, 'target')),
        ].join(' and ')}`
      : undefined;
  const [first, ...rest] = [...mappings.map(describeMapping), ...(bridge ? [bridge] : [])];
  if (!first) return undefined;
  const only = mappings.length === 1 && !bridge ? mappings[0] : undefined;
  if (only?.kind === 'columns' && only.operator === '=') {
    return sentence`Each ${one} is linked to the ${other} whose ${only.target.value} equals its ${only.source.value}.`;
  }
  const conditions = rest.reduce((all, each) => sentence`${all}, and ${each}`, first);
  return sentence`Each ${one} is linked to every ${other} where ${conditions}.`;
}

function describeMapping(mapping: Mapping): readonly SentencePart[] {
  if (mapping.kind === 'expression') {
    return sentence`${{ code: mapping.expression.value.replaceAll(/\s+/g, ' ').trim() }} holds`;
  }
  return sentence`its ${mapping.source.value} ${operatorWords[mapping.operator]} the other's ${mapping.target.value}`;
}

function describeCross({ column, operator, cross }: CrossMapping, side: 'source' | 'target'): string {
  return side === 'source'
    ? `${column.value} ${operatorWords[operator]} its ${cross.value}`
    : `its ${cross.value} ${operatorWords[operator]} the other's ${column.value}`;
}

/** The parts of a sentence, words that stand beside each other as one. */
function sentence(
  words: TemplateStringsArray,
  ...filledIn: readonly (SentencePart | readonly SentencePart[])[]
): readonly SentencePart[] {
  const parts = words.flatMap((text, index): readonly SentencePart[] => [text, ...[filledIn[index] ?? ''].flat()]);
  return parts.reduce<readonly SentencePart[]>((all, part) => {
    const last = all.at(-1);
    if (part === '') return all;
    return typeof last === 'string' && typeof part === 'string' ? [...all.slice(0, -1), last + part] : [...all, part];
  }, []);
}
