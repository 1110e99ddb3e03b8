import type { RuleResult } from '../../../../protocol/process-rules.ts';
import type { SourceBuild } from '../../connectors/source-build.ts';
import type { BuildDialect } from '../../import/build/build-dialect.ts';
import type { ProcessRule } from '../../model/process-rule.ts';
import { judgeGraphBy } from '../../process-rules/judge-rules.ts';
import { writeRuleTables } from '../../process-rules/record-rules.ts';
import { sourceJudgedStore } from '../stored-graphs/source-judged-store.ts';

/**
 * Judges a graph that is about to be published in its source by the rules of its file, and writes its tables `rule` and
 * `rule_violation`. A rule whose SQL fails has that as its error. Rejects only if the source fails.
 */
export async function judgeInSource(
  rules: readonly ProcessRule[],
  build: SourceBuild,
  dialect: BuildDialect,
  signal: AbortSignal,
): Promise<readonly RuleResult[]> {
  const store = sourceJudgedStore({ query: build.attempt }, dialect, build.side);
  const tables = await store.tables({ signal });
  const results = await judgeGraphBy(rules, { ...store, tables: async () => tables }, { signal });
  // The statements contain SQL of the user's, whose functions are found as in the judgement before. A failed attempt leaves the others.
  const attempt = (sql: string) => build.attempt(sql, { signal });
  return writeRuleTables({ rules, results, graph: tables, mistakeOf: store.mistakeOf }, attempt, true);
}
