import type { AcceptedEntry } from '../accepted-entry.ts';
import { type YamlObject, placedAt, present, textOf } from './read-node.ts';

/** Reads an entry of `accepted`. */
export function readAcceptedEntry(object: YamlObject): AcceptedEntry {
  return placedAt(
    object.node,
    present({
      finding: textOf(object, 'finding'),
      element: textOf(object, 'element'),
      column: textOf(object, 'column'),
      reason: textOf(object, 'reason'),
    }),
  );
}
