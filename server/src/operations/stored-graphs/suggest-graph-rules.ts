import type { RuleSuggestion } from '../../../../protocol/rule-suggestions.ts';
import { parseEntityGraph } from '../../model/parse-model.ts';
import { suggestRules } from '../../process-rules/suggest-rules.ts';
import { type ProjectContext, readGraphFile } from '../../project/open-project.ts';
import { graphMemoryLimit, openCodedGraphStore } from './open-graph-store.ts';
import { storedGraph } from './stored-graph.ts';

/** Rules that the imported graph of an entity graph keeps, and its text does not have. Rejects with an `OperationError`, such as `not-imported`. */
export async function suggestGraphRules(
  path: string,
  projectContext: ProjectContext,
  signal: AbortSignal,
): Promise<readonly RuleSuggestion[]> {
  const file = await readGraphFile(path, projectContext);
  const store = await openCodedGraphStore(await storedGraph(file, projectContext), { memoryLimit: graphMemoryLimit });
  try {
    return await suggestRules(store, parseEntityGraph(file.text).graph.rules, { signal });
  } finally {
    await store.close();
  }
}
