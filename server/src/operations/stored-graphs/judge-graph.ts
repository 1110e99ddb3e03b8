import type { RuleCode } from '../../../../protocol/failure-codes.ts';
import type { MeasureResult } from '../../../../protocol/measures.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import { validateEntityGraph } from '../../language/validation/validate-graph.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import type { Measure } from '../../model/measure.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { measureGraphBy } from '../../process-rules/measure-graph.ts';
import { judgeGraphBy } from '../../process-rules/judge-rules.ts';
import { type JudgedStore, judgedStore } from '../../process-rules/judged-store.ts';
import {
  type GraphFile,
  type ProjectContext,
  readGraphFile,
  connectorOf,
  findSource,
  findSources,
} from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import { graphMemoryLimit, openCodedGraphStore } from './open-graph-store.ts';
import { graphInSource, storedGraph } from './stored-graph.ts';
import { sourceBuildDialect } from '../../import/build/build-dialect.ts';
import { sourceGraphTables } from '../../process-rules/judged-graph-tables.ts';
import type { PublishedSourceGraph } from '../../state/entity-status.ts';
import { sourceJudgedStore } from './source-judged-store.ts';

/** An entity graph that was judged by the rules or the row expectations of its current text. */
export interface JudgedGraph {
  readonly file: GraphFile;
  /** Diagnostic code of a broken result. */
  readonly brokenCode: Extract<RuleCode, 'rule-broken' | 'expectation-broken'>;
  readonly results: readonly RuleResult[];
  /** The range of the name of each rule, in the order of the results. */
  readonly places: readonly SourceRange[];
  /** Results of the measures of its text; empty for expectations. */
  readonly measures: readonly MeasureResult[];
  /** The range of the name of each measure, in the order of the results. */
  readonly measurePlaces: readonly SourceRange[];
}

/**
 * Judges the imported graph of an entity graph by the rules of its current text, and measures it. Rejects with an `OperationError`:
 * `not-imported`, `no-rules`, or the code of the first
 * problem within the rules.
 * @param limit how many violations of a rule are listed
 */
export async function judgeGraph(
  path: string,
  projectContext: ProjectContext,
  options: { readonly limit: number; readonly signal: AbortSignal },
): Promise<JudgedGraph> {
  const file = await readGraphFile(path, projectContext);
  const { rules, measures } = parseEntityGraph(file.text).graph;
  if (rules.length + measures.length === 0) {
    throw new OperationError({
      code: 'no-rules',
      message: `${path} has no rules and no measures.`,
      file: path,
      remedy: 'Write rules in the entity graph: see docs/process-rules.md, or measures: see docs/measures.md.',
    });
  }
  refuseMistakes(file, [...rules, ...measures]);
  const found = await withImportedGraph(file, projectContext, options.signal, async (store) => ({
    results: await judgeGraphBy(rules, store, options),
    measures: await measureGraphBy(measures, store, options),
  }));
  const placeOf = ({ name, range }: ProcessRule | Measure): SourceRange => name?.range ?? range;
  return {
    file,
    brokenCode: 'rule-broken',
    ...found,
    places: rules.map(placeOf),
    measurePlaces: measures.map(placeOf),
  };
}

/** Opens the graph of the last import: its store or, without one, the graph in its source. */
async function withImportedGraph<T>(
  file: GraphFile,
  projectContext: ProjectContext,
  signal: AbortSignal,
  work: (store: JudgedStore) => Promise<T>,
): Promise<T> {
  const inSource = await graphInSource(file, projectContext);
  if (inSource) return withGraphInSource(file, inSource, projectContext, signal, work);
  const store = await openCodedGraphStore(await storedGraph(file, projectContext), { memoryLimit: graphMemoryLimit });
  try {
    return await work(judgedStore(store));
  } finally {
    await store.close();
  }
}

/** A rule or a measure with a mistake is not judged: its readable part could mean another one. */
function refuseMistakes({ path, text }: GraphFile, rules: readonly (ProcessRule | Measure)[]): void {
  const mistake = validateEntityGraph({ text }).find(
    ({ severity, range }) =>
      severity === 'error' && rules.some((rule) => rule.range.start <= range.start && range.end <= rule.range.end),
  );
  if (!mistake) return;
  throw new OperationError({
    code: mistake.code,
    message: mistake.message,
    file: path,
    range: createLineIndex(text).range(mistake.range),
    remedy: 'Correct it.',
  });
}

/** Opens a graph in its data source read-only. Rejects with an `OperationError`, such as `graph-not-in-source`. */
async function withGraphInSource<T>(
  file: GraphFile,
  graph: PublishedSourceGraph,
  projectContext: ProjectContext,
  signal: AbortSignal,
  work: (store: JudgedStore) => Promise<T>,
): Promise<T> {
  const sourcesFile = await findSources(file.path, projectContext);
  if (!sourcesFile) throw gone(file, graph);
  const connector = await connectorOf(sourcesFile, findSource(sourcesFile, graph.dataSource), projectContext);
  try {
    // The data source was changed to one of another kind since.
    if (!connector.openGraph) throw gone(file, graph);
    const path = connector.graphPath?.(graph) ?? [graph.schema];
    const dialect = sourceBuildDialect(connector.dialect, path);
    const reader = await connector.openGraph(graph, { signal });
    if (!reader) throw gone(file, graph);
    return await work(sourceJudgedStore(reader, (query) => sourceGraphTables(query, dialect, path)));
  } finally {
    await connector.close();
  }
}

function gone({ path }: GraphFile, { schema, dataSource }: PublishedSourceGraph): OperationError {
  return new OperationError({
    code: 'graph-not-in-source',
    message: `The graph of the last import is not in the schema ${schema} of ${dataSource} any more.`,
    file: path,
    remedy: 'Import the entity graph again.',
  });
}
