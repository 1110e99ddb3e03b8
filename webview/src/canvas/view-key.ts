import { isGoneId } from '../../../protocol/compared-canvas.ts';
import { type EntryList, firstLineAt } from '../../../protocol/first-lines.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { TextRange } from '../../../protocol/query-results.ts';

/** Keys distinguish elements, relationships and correlations with the same id. */
export const keyOf = {
  element: (id: string) => `element:${id}`,
  relationship: (id: string) => `relationship:${id}`,
  /** A row correlation of an element, by its id in `correlation-links.ts`. */
  correlation: (id: string) => `correlation:${id}`,
  /** An entity type without a card. */
  entityType: (type: string) => `type:${type}`,
};

/** The id of a key; undefined for keys of another kind. */
export function idIn(kind: keyof typeof keyOf, key: string | undefined): string | undefined {
  return key?.startsWith(`${kind}:`) ? key.slice(kind.length + 1) : undefined;
}

/** Whether a key is that of an entry which only the base of a comparison has: it can be looked at, not edited. */
export function isGoneKey(key: string | undefined): boolean {
  return isGoneId(key?.slice(key.indexOf(':') + 1));
}

/** Key of the element or relationship at a text position. */
export function stopAtPosition(view: GraphView, { line, character }: TextRange['start']): string | undefined {
  const isAt =
    (list: EntryList) =>
    ({ extent }: GraphView[EntryList][number], index: number): boolean =>
      contains(extent, { line: line - firstLineAt(view, list, index), character });
  const element = view.elements.find(isAt('elements'));
  if (element) return keyOf.element(element.id);
  const relationship = view.relationships.find(isAt('relationships'));
  return relationship && keyOf.relationship(relationship.id);
}

function contains({ start, end }: TextRange, { line, character }: TextRange['start']): boolean {
  const afterStart = line > start.line || (line === start.line && character >= start.character);
  const beforeEnd = line < end.line || (line === end.line && character <= end.character);
  return afterStart && beforeEnd;
}
