import { type Guard, parseShare } from '../guard.ts';
import type { Located } from '../source-range.ts';
import { type YamlObject, oneOf, placedAt, present, textOf } from './read-node.ts';

/** Reads an entry of `guards`. */
export function readGuard(object: YamlObject): Guard {
  return placedAt(object.node, {
    side: oneOf(object, 'side', ['source', 'target'], 'source'),
    severity: oneOf(object, 'severity', ['error', 'warning'], 'warning'),
    ...present({
      element: textOf(object, 'element'),
      relationship: textOf(object, 'relationship'),
      writtenSide: textOf(object, 'side'),
      losesAtMost: shareOf(object, 'losesAtMost'),
      unmatchedAtMost: shareOf(object, 'unmatchedAtMost'),
    }),
  });
}

function shareOf(object: YamlObject, key: string): Located<number | undefined> | undefined {
  const text = textOf(object, key);
  return text && { value: parseShare(text.value), range: text.range };
}
