import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import { dependentsSentence, judgedBy } from '../../lineage/dependents.ts';
import { lineageOf } from '../../lineage/lineage.ts';
import type { Output } from '../../lineage/output.ts';
import { type EntityGraph, type EntitySource, type Relationship, elementEntityType } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import { endsByName } from '../../model/relationship-ends.ts';
import type { SourceRange } from '../../model/source-range.ts';

/** What a column that is gone, renamed or of another type makes. */
const codes: ReadonlySet<Problem['code']> = new Set(['unknown-column', 'timestamp-type', 'type-mismatch']);

/** Adds to problems of columns which rules and measures depend on them (docs/semantics.md#211-parts-of-a-graph). */
export function tellDependents(
  problems: readonly Problem[],
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
): readonly Problem[] {
  const ofColumns = problems.filter(({ code }) => codes.has(code));
  if (ofColumns.length === 0 || graph.rules.length + graph.measures.length === 0) return problems;
  const dependents = dependentsOf(
    ofColumns.map(({ range }) => range),
    graph,
    catalog,
  );
  return problems.map((problem): Problem => {
    const sentence = codes.has(problem.code) ? dependents(problem.range) : undefined;
    return sentence === undefined ? problem : { ...problem, message: `${problem.message} ${sentence}` };
  });
}

/** The rules and measures that depend on what a part of the text says, as a sentence; undefined without any. */
export function dependentsAt(
  range: SourceRange,
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
): string | undefined {
  return dependentsOf([range], graph, catalog)(range);
}

/** The same for several parts, which are traced together. */
function dependentsOf(
  ranges: readonly SourceRange[],
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
): (range: SourceRange) => string | undefined {
  const entryAt = partFinder([...graph.elements, ...graph.entities]);
  const relationshipAt = partFinder(graph.relationships);
  const ends = endsByName(graph);
  // The other entries of a large graph need not be traced. Rules know a relationship by the entity types of its ends.
  const named = new Set(ranges.map(entryAt));
  const types = new Set(
    ranges.map(relationshipAt).flatMap((relationship) =>
      [relationship?.source, relationship?.target].flatMap((end) => {
        const entry = end && ends.get(end.value);
        return entry ? [elementEntityType(entry)] : [];
      }),
    ),
  );
  const isConcerned = (entry: EntitySource): boolean => named.has(entry) || types.has(elementEntityType(entry));
  const concerned = { elements: graph.elements.filter(isConcerned), entities: graph.entities.filter(isConcerned) };
  const lineage = lineageOf({ ...graph, ...concerned }, catalog);
  const users = judgedBy(lineage);
  const outputs = new Map<EntitySource | Relationship | undefined, Output[]>();
  for (const output of lineage) {
    const part = entryAt(output.range) ?? relationshipAt(output.range);
    const known = outputs.get(part);
    if (known) known.push(output);
    else outputs.set(part, [output]);
  }
  return (range) => {
    const entry = entryAt(range);
    const isOfRows = [entry?.where, entry?.joins].some((sql) => isWithin(range, sql));
    const found = (outputs.get(entry ?? relationshipAt(range)) ?? []).filter(
      (output) =>
        isWithin(range, output) ||
        output.columns.some((column) => isWithin(range, column)) ||
        (output.kind === 'rows' && isOfRows),
    );
    const words = users(found);
    return words.length === 0 ? undefined : dependentsSentence(words);
  };
}

/** Finds the part of the text in which a range lies. */
function partFinder<T extends { readonly range: SourceRange }>(
  parts: readonly T[],
): (range: SourceRange) => T | undefined {
  const sorted = parts.toSorted((one, other) => one.range.start - other.range.start);
  return (range) => {
    let [from, to] = [0, sorted.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((sorted[middle]?.range.start ?? 0) <= range.start) from = middle + 1;
      else to = middle;
    }
    const part = sorted[from - 1];
    return isWithin(range, part) ? part : undefined;
  };
}

function isWithin({ start, end }: SourceRange, of: { readonly range: SourceRange } | undefined): boolean {
  return of !== undefined && of.range.start <= start && end <= of.range.end;
}
