import type { GraphView } from '../../../protocol/graph-view.ts';
import type { TextRange } from '../../../protocol/query-results.ts';
import { keyOf } from './view-key.ts';

/** Key of the element or relationship at a text position. */
export function stopAtPosition(
  { elements, relationships }: GraphView,
  position: TextRange['start'],
): string | undefined {
  const element = elements.find(({ extent }) => contains(extent, position));
  if (element) return keyOf.element(element.id);
  const relationship = relationships.find(({ extent }) => contains(extent, position));
  return relationship && keyOf.relationship(relationship.id);
}

function contains({ start, end }: TextRange, { line, character }: TextRange['start']): boolean {
  const afterStart = line > start.line || (line === start.line && character >= start.character);
  const beforeEnd = line < end.line || (line === end.line && character <= end.character);
  return afterStart && beforeEnd;
}
