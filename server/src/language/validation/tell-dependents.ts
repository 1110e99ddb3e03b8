import type { GraphCatalog } from '../../catalog/graph-catalog.ts';
import { dependentsSentence, judgedBy } from '../../lineage/dependents.ts';
import { lineageOf } from '../../lineage/lineage.ts';
import type { Output } from '../../lineage/output.ts';
import { type EntityGraph, type EntitySource, elementEntityType } from '../../model/entity-graph.ts';
import type { Problem } from '../../model/problem.ts';
import { endNamed } from '../../model/relationship-ends.ts';
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
  return problems.map((problem): Problem => {
    const sentence = codes.has(problem.code) ? dependentsAt(problem.range, graph, catalog) : undefined;
    return sentence === undefined ? problem : { ...problem, message: `${problem.message} ${sentence}` };
  });
}

/** The rules and measures that depend on what a part of the text says, as a sentence; undefined without any. */
export function dependentsAt(
  range: SourceRange,
  graph: EntityGraph,
  catalog: GraphCatalog | undefined,
): string | undefined {
  // The other entries of a large graph need not be traced. Rules know a relationship by the entity types of its ends.
  const relationship = graph.relationships.find((each) => isWithin(range, each));
  const ends = [relationship?.source, relationship?.target].map((end) => end && endNamed(graph, end.value));
  const types = new Set(ends.flatMap((end) => (end ? [elementEntityType(end)] : [])));
  const isConcerned = (entry: EntitySource): boolean => isWithin(range, entry) || types.has(elementEntityType(entry));
  const concerned = { elements: graph.elements.filter(isConcerned), entities: graph.entities.filter(isConcerned) };
  const lineage = lineageOf({ ...graph, ...concerned }, catalog);
  const words = judgedBy(outputsAt(range, [...concerned.elements, ...concerned.entities], lineage), lineage);
  return words.length === 0 ? undefined : dependentsSentence(words);
}

/** The outputs whose text has a range in it. */
function outputsAt(
  range: SourceRange,
  entries: readonly EntitySource[],
  lineage: readonly Output[],
): readonly Output[] {
  const ofRows = entries.filter(({ where, joins }) => [where, joins].some((sql) => isWithin(range, sql)));
  return lineage.filter(
    (output) =>
      isWithin(range, output) ||
      output.columns.some((column) => isWithin(range, column)) ||
      (output.kind === 'rows' && ofRows.some((entry) => isWithin(output.range, entry))),
  );
}

function isWithin({ start, end }: SourceRange, of: { readonly range: SourceRange } | undefined): boolean {
  return of !== undefined && of.range.start <= start && end <= of.range.end;
}
