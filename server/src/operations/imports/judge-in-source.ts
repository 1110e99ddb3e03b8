import type { RuleResult } from '../../../../protocol/process-rules.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import type { BuildDialect } from '../../import/build/build-dialect.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { judgeGraphBy } from '../../process-rules/judge-rules.ts';
import { ruleTablesSql } from '../../process-rules/record-rules.ts';
import type { GraphFile } from '../../project/open-project.ts';
import { sourceJudgedStore } from '../stored-graphs/source-judged-store.ts';

/**
 * Judges a graph that is about to be published in its source by the rules of its file, and writes its tables `rule` and
 * `rule_violation`; undefined without rules. A rule whose SQL fails has that as its error. Rejects only if the
 * source fails.
 */
export async function judgeInSource(
  { text }: GraphFile,
  build: SourceBuild,
  dialect: BuildDialect,
  signal: AbortSignal,
): Promise<readonly RuleResult[] | undefined> {
  const { rules } = parseEntityGraph(text).graph;
  if (rules.length === 0) return undefined;
  const store = sourceJudgedStore({ query: build.attempt }, dialect, build.sideSchema);
  const results = await judgeGraphBy(rules, store, { signal });
  const tables = await store.tables({ signal });
  for (const sql of ruleTablesSql(rules, results, tables)) await build.run(sql, { signal });
  return results;
}
