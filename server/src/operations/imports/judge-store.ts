import { dirname } from 'node:path';
import type { MeasureResult } from '../../../../protocol/measures.ts';
import type { RuleResult } from '../../../../protocol/process-rules.ts';
import type { ProgressReporter } from '../../import/progress.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { judgeGraphBy, notJudged } from '../../process-rules/judge-rules.ts';
import { judgedGraphTables } from '../../process-rules/judged-graph-tables.ts';
import type { JudgedGraphTables } from '../../rule-kinds/judged-tables.ts';
import { judgedStore } from '../../process-rules/judged-store.ts';
import type { GraphFile } from '../../project/open-project.ts';
import { notMeasured } from '../../process-rules/measure-graph.ts';
import { recordMeasures } from '../../process-rules/record-measures.ts';
import { checkpointSql, recordRules } from '../../process-rules/record-rules.ts';
import { type DuckDbSession, openUnpublishedStore } from '../../store/duckdb-store.ts';
import { openCodedGraphStore, showCodes } from '../stored-graphs/open-graph-store.ts';

/** Finds something out about a store that is about to be published; undefined if its file asks for nothing. */
export type FindInStore<T> = (
  file: GraphFile,
  path: string,
  progress: ProgressReporter,
  signal: AbortSignal,
  built?: JudgedGraphTables,
) => Promise<T | undefined>;

/** Less than the memory of the preceding build, so that the process needs no more than before. */
const memoryLimit = '512MB';

/**
 * Judges a store that is about to be published by the rules of its file, and writes the results to its tables `rule`
 * and `rule_violation`; undefined without rules. Rejects only with the reason of the signal: other failures become
 * errors of the rules, because the graph is complete.
 * @param built its tables, if they are known
 */
export async function judgeStore(
  { text }: GraphFile,
  path: string,
  progress: ProgressReporter,
  signal: AbortSignal,
  built?: JudgedGraphTables,
): Promise<readonly RuleResult[] | undefined> {
  const { rules } = parseEntityGraph(text).graph;
  if (rules.length === 0) return undefined;
  progress.report('post-load checks', 'Judging the rules');
  try {
    const limits = { memoryLimit, temporaryFolder: dirname(path) };
    const judged = await withStore(openCodedGraphStore(path, limits), async (store) => {
      const graph = built ?? (await judgedGraphTables(store, { signal }));
      const known = { ...judgedStore(store), tables: async () => graph };
      return { rules, graph, results: await judgeGraphBy(rules, known, { signal }) };
    });
    return await withStore(openUnpublishedStore(path, limits), (store) => recordRules(store, judged, { signal }));
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return rules.map((rule) => notJudged(rule, '', reason));
  }
}

/**
 * Measures a store that is about to be published, and writes the tables `measure` and `measure_value`; undefined without
 * measures in its file. Rejects only with the reason of the signal, like `judgeStore`.
 */
export async function measureStore(
  { text }: GraphFile,
  path: string,
  progress: ProgressReporter,
  signal: AbortSignal,
  built?: JudgedGraphTables,
): Promise<readonly MeasureResult[] | undefined> {
  const { measures } = parseEntityGraph(text).graph;
  if (measures.length === 0) return undefined;
  progress.report('post-load checks', 'Measuring');
  try {
    return await withStore(
      openUnpublishedStore(path, { memoryLimit, temporaryFolder: dirname(path) }),
      async (store) => {
        await showCodes(store);
        const graph = built ?? (await judgedGraphTables(store, { signal }));
        const results = await recordMeasures(measures, graph, judgedStore(store), { signal });
        await store.run(checkpointSql);
        return results;
      },
    );
  } catch (error) {
    signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    return measures.map((measure) => notMeasured(measure, '', reason));
  }
}

async function withStore<T>(opened: Promise<DuckDbSession>, work: (store: DuckDbSession) => Promise<T>): Promise<T> {
  const store = await opened;
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}
