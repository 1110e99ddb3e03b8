import type { RuleCode } from '../../../../protocol/failure-codes.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import { validateEntityGraph } from '../../language/validation/validate-graph.ts';
import { createLineIndex } from '../../model/line-index.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import type { SourceRange } from '../../model/source-range.ts';
import { judgeGraphBy } from '../../process-rules/judge-rules.ts';
import { type JudgedStore, judgedStore } from '../../process-rules/judged-store.ts';
import { type GraphFile, type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { OperationError } from '../operation-error.ts';
import { graphMemoryLimit, openCodedGraphStore } from './open-graph-store.ts';
import { graphInSource, storedGraph } from './stored-graph.ts';
import { withGraphInSource } from './with-graph-in-source.ts';

/** An entity graph that was judged by the rules or the row expectations of its current text. */
export interface JudgedGraph {
  readonly file: GraphFile;
  /** The code of problems that a result which does not hold is. */
  readonly brokenCode: Extract<RuleCode, 'rule-broken' | 'expectation-broken'>;
  readonly results: readonly RuleResult[];
  /** The range of the name of each rule, in the order of the results. */
  readonly places: readonly SourceRange[];
}

/**
 * Judges the imported graph of an entity graph by the rules of its current text. Rejects with an `OperationError`:
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
  const { rules } = parseEntityGraph(file.text).graph;
  if (rules.length === 0) {
    throw new OperationError({
      code: 'no-rules',
      message: `${path} has no rules.`,
      file: path,
      remedy: 'Write rules in the entity graph: see docs/process-rules.md.',
    });
  }
  refuseMistakes(file, rules);
  const results = await withImportedGraph(file, projectContext, options.signal, (store) =>
    judgeGraphBy(rules, store, options),
  );
  return { file, brokenCode: 'rule-broken', results, places: rules.map(({ name, range }) => name?.range ?? range) };
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

/** A rule with a mistake is not judged: its readable part could mean another rule. */
function refuseMistakes({ path, text }: GraphFile, rules: readonly ProcessRule[]): void {
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
    remedy: 'Correct the rule.',
  });
}
