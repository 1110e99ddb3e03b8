import type { RuleResult } from '../../../../protocol/process-rules.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { judgeRules, notJudged } from '../../process-rules/judge-rules.ts';
import type { GraphFile } from '../../project/open-project.ts';
import { openGraphStore } from '../stored-graphs/open-graph-store.ts';

/**
 * Judges a graph that was just published by the rules of its file; undefined without rules. Never rejects, because the
 * graph is there: what keeps it from being judged becomes the error of each rule.
 */
export async function judgeImported(
  { text }: GraphFile,
  path: string,
  signal: AbortSignal,
): Promise<readonly RuleResult[] | undefined> {
  const { rules } = parseEntityGraph(text).graph;
  if (rules.length === 0) return undefined;
  try {
    const store = await openGraphStore(path);
    try {
      return await judgeRules(rules, store, { signal });
    } finally {
      await store.close();
    }
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return rules.map((rule) => notJudged(rule, '', signal.aborted ? 'It was cancelled.' : reason));
  }
}
