import type { Catalog } from '../catalog/catalog.ts';
import type { DataSources } from '../model/data-sources.ts';
import { type ParsedDataSources, parseDataSources } from '../model/parse-data-sources.ts';
import { type ParsedEntityGraph, parseEntityGraph } from '../model/parse-model.ts';
import type { Problem } from '../model/problem.ts';
import { graphChecks, sourcesChecks } from './checks/index.ts';
import { yamlSyntax } from './checks/yaml-syntax.ts';
import { withoutConsequences } from './consequences.ts';
import { withoutDisabled } from './disabled-rules.ts';

export interface GraphDiagnosis {
  readonly text: string;
  /** The parsed text, when it is at hand. */
  readonly parsed?: ParsedEntityGraph;
  readonly sources?: DataSources;
  readonly catalog?: Catalog;
}

/** Everything that is wrong with an entity graph, in the order of the text, one problem a mistake. Never throws. */
export function diagnoseEntityGraph({
  text,
  parsed = parseEntityGraph(text),
  ...known
}: GraphDiagnosis): readonly Problem[] {
  // A broken text is read differently than it was meant: what it seems to say is not judged.
  if (parsed.problems.length > 0) return withoutDisabled(yamlSyntax.check({ parsed }), text);
  const context = { parsed, graph: parsed.graph, ...known };
  const problems = graphChecks.flatMap(({ check }) => check(context));
  return finish(withoutConsequences(problems, parsed.graph), text);
}

/** Everything that is wrong with a sources file, in the order of the text. Never throws. */
export function diagnoseDataSources({
  text,
  parsed = parseDataSources(text),
}: {
  readonly text: string;
  readonly parsed?: ParsedDataSources;
}): readonly Problem[] {
  if (parsed.problems.length > 0) return withoutDisabled(yamlSyntax.check({ parsed }), text);
  return finish(
    sourcesChecks.flatMap(({ check }) => check({ parsed })),
    text,
  );
}

/** Both ends of a relationship may be one element, whose problems then come twice. */
function finish(problems: readonly Problem[], text: string): readonly Problem[] {
  const seen = new Set<string>();
  const distinct = problems.filter(({ code, range }) => {
    const place = `${code} ${range.start} ${range.end}`;
    return !seen.has(place) && seen.add(place);
  });
  return withoutDisabled(
    distinct.toSorted((left, right) => left.range.start - right.range.start),
    text,
  );
}
