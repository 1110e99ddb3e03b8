import type { FindingsAnswer } from '../../../protocol/findings.ts';
import { acceptFindings } from '../model/accept-findings.ts';
import { acceptedFindings } from '../model/accepted-entry.ts';
import { parseEntityGraph } from '../model/parse-model.ts';
import type { OpenStore } from './open-store.ts';

/**
 * Marks the findings of a store that the text of a file accepts. An entry of an element that was not imported, as after
 * it was renamed, is not stale: nothing is known of its rows. Rejects as the store does.
 */
export async function acceptStored(
  findings: FindingsAnswer['findings'],
  text: string,
  { store, options }: OpenStore,
): Promise<Pick<FindingsAnswer, 'findings' | 'stale'>> {
  const answer = acceptFindings(findings, acceptedFindings(parseEntityGraph(text).graph.accepted));
  if (answer.stale.length === 0) return answer;
  const [run] = await store.query('SELECT config FROM run', options);
  const { elements } = parseEntityGraph(String(run?.['config'] ?? '')).graph;
  const imported = new Set(elements.map(({ activityName }) => activityName?.value));
  return { ...answer, stale: answer.stale.filter(({ element }) => element === undefined || imported.has(element)) };
}
