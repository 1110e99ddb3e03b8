import type { IntentOutcome } from './intent-outcome.ts';
import { configureElement, listOf, quoted } from './element-intents.ts';
import { identifyElements } from './entry-ids.ts';
import type { JsonObject } from './json-value.ts';

/** Name and filter of one part of an element. */
export interface ElementPart {
  readonly activityName: string;
  /** The complete filter. */
  readonly where: string;
}

/**
 * Replaces an element by several copies with different names and filters. The first keeps its position, comments and
 * relationships.
 */
export function splitElement(graph: JsonObject, id: string, parts: readonly ElementPart[]): IntentOutcome {
  const found = identifyElements(graph).find((element) => element.id === id);
  const [first, ...others] = parts;
  if (!found || !first) return { refusal: `The element ${quoted(id)} is no longer in the file.` };
  const configured = configureElement(graph, id, { ...first });
  if ('refusal' in configured) return configured;
  const copies = others.map((part) => ({ ...found.entry, ...part }));
  const elements = listOf(configured.graph, 'elements').toSpliced(found.index + 1, 0, ...copies);
  return { ...configured, graph: { ...configured.graph, elements } };
}
