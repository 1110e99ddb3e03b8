import { relationshipNameOf } from './entry-ids.ts';
import { type JsonObject, type JsonValue, isJsonList, isJsonObject } from './json-value.ts';
import { renamedInRules } from './rename-in-rules.ts';

/**
 * Renames path steps, and what process rules and measures name, after relationships were renamed. Unnamed relationships are named after their ends, so an activity
 * rename may affect them. Both graphs have the same relationships in the same order.
 */
export function withRenamedSteps(before: JsonObject, after: JsonObject): JsonObject {
  const [were, are] = [before['relationships'], after['relationships']];
  if (
    !isJsonList(were) ||
    !isJsonList(are) ||
    !(isJsonList(after['rules']) || isJsonList(after['measures']) || are.some(hasPath))
  )
    return after;
  const renamed = new Map<string, string>();
  const seen = new Set<string>();
  for (const [index, relationship] of were.entries()) {
    const next = are[index];
    if (!isJsonObject(relationship) || !isJsonObject(next)) continue;
    const [was, is] = [relationshipNameOf(relationship), relationshipNameOf(next)];
    // A step refers to the first relationship of its name.
    if (!seen.has(was) && was !== is) renamed.set(was, is);
    seen.add(was);
  }
  if (renamed.size === 0) return after;
  const next = { ...after, relationships: are.map((relationship) => renamedIn(relationship, renamed)) };
  return renamedInRules(next, 'relationship', (name) => renamed.get(name));
}

function hasPath(relationship: JsonValue): boolean {
  return isJsonObject(relationship) && isJsonList(relationship['path']);
}

function renamedIn(relationship: JsonValue, renamed: ReadonlyMap<string, string>): JsonValue {
  if (!isJsonObject(relationship) || !isJsonList(relationship['path'])) return relationship;
  const path = relationship['path'].map((step): JsonValue => {
    if (typeof step === 'string') return renamed.get(step) ?? step;
    const name = isJsonObject(step) ? step['relationship'] : undefined;
    const next = typeof name === 'string' ? renamed.get(name) : undefined;
    return next === undefined || !isJsonObject(step) ? step : { ...step, relationship: next };
  });
  return { ...relationship, path };
}
