import type { Relationship } from '../model/entity-graph.ts';
import type { Problem } from '../model/problem.ts';
import type { LocatedSql } from '../model/source-range.ts';
import { usableSql } from './check-sql.ts';
import { relationshipDraft } from './query-problems.ts';

/** The custom SQL of a relationship. */
export function expressionsOf(relationship: Relationship): readonly LocatedSql[] {
  return relationship.mappings.flatMap((mapping) => {
    const expression = mapping.kind === 'expression' ? usableSql(mapping.expression) : undefined;
    return expression ? [expression] : [];
  });
}

export function draftProblems(relationship: Relationship, expressions: readonly LocatedSql[]): readonly Problem[] {
  const joined = expressions.length > 0 || relationship.mappings.some((mapping) => mapping.kind === 'columns');
  if (joined || relationship.crossTable) return [];
  return [relationshipDraft(relationship, 'nothing joins its ends. Add a mapping, an expression or a cross table.')];
}

/** Both ends may be the same element, whose problems then appear twice. */
export function distinctProblems(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>();
  return problems.filter(({ code, range }) => {
    const place = `${code} ${range.start} ${range.end}`;
    return !seen.has(place) && seen.add(place);
  });
}
