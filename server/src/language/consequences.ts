import { missingOfElement } from '../model/configuration-state.ts';
import type { EntityGraph } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { SourceRange } from '../model/source-range.ts';

/**
 * Leaves out what only follows from another problem: a misspelt or misshapen key makes what it should say missing, and a
 * relationship that names an unknown element may well be joined.
 */
export function withoutConsequences(problems: readonly Problem[], graph: EntityGraph): readonly Problem[] {
  if (!problems.some(({ code }) => consequences.has(code))) return problems;
  const schema = problems.filter(({ code }) => code.startsWith('schema-'));
  if (schema.length === 0) return problems;
  const hasOwn = ({ range }: Entry): boolean => schema.some((problem) => isWithin(problem.range, range));
  const isExcused = ({ code, range }: Problem): boolean => {
    if (!consequences.has(code)) return false;
    const around = (entry: Entry): boolean => isWithin(range, entry.range);
    const element = graph.elements.find(around);
    if (element) return missingOfElement(element).length > 0 && hasOwn(element);
    const relationship = graph.relationships.find(around);
    return relationship !== undefined && hasOwn(relationship);
  };
  return problems.filter((problem) => !isExcused(problem));
}

type Entry = EntityGraph['elements'][number] | EntityGraph['relationships'][number];

function isWithin(range: SourceRange, { start, end }: SourceRange): boolean {
  return range.start >= start && range.end <= end;
}

const consequences = new Set(['element-unconfigured', 'relationship-draft', 'incomplete-cross-table']);
