import { missingOfElement } from '../model/configuration-state.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';

/**
 * Leaves out what only follows from another problem: a misspelt or misshapen key makes what it should say missing, and a
 * relationship that names an unknown element may well be joined.
 */
export function withoutConsequences(problems: readonly Problem[], graph: EntityGraph): readonly Problem[] {
  const schema = problems.filter(({ code }) => code.startsWith('schema-'));
  if (schema.length === 0) return problems;
  const hasOwn = (range: SourceRange): boolean =>
    schema.some((problem) => problem.range.start >= range.start && problem.range.end <= range.end);
  const excused = [
    ...graph.elements.filter((element) => missingOfElement(element).length > 0 && hasOwn(element.range)),
    ...graph.relationships.filter(({ range }) => hasOwn(range)),
  ].map(({ range }) => range);
  const isExcused = ({ code, range }: Problem): boolean =>
    consequences.has(code) && excused.some(({ start, end }) => range.start >= start && range.end <= end);
  return problems.filter((problem) => !isExcused(problem));
}

const consequences = new Set(['element-unconfigured', 'relationship-draft', 'incomplete-cross-table']);
