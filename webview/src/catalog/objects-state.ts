import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { Failure } from '../../../protocol/query-results.ts';

interface KnownObjects {
  readonly kind: 'known';
  readonly objects: readonly DataObjectView[];
  readonly incomplete?: string | undefined;
}

/** The data objects of a graph's source as far as they are known; `before` are those known before it was read again. */
export type ObjectsState =
  | { readonly kind: 'unknown' }
  /** Being read since a moment of `performance.now()`; `step` is the current step. */
  | {
      readonly kind: 'loading';
      readonly since: number;
      readonly step?: string | undefined;
      readonly before?: KnownObjects | undefined;
    }
  | KnownObjects
  | { readonly kind: 'failed'; readonly error: Failure; readonly before?: KnownObjects | undefined };

/** The data objects that are known, also while they are read again. */
export function knownObjects(objects: ObjectsState): readonly DataObjectView[] {
  return knownOf(objects)?.objects ?? [];
}

export function knownOf(objects: ObjectsState): KnownObjects | undefined {
  if (objects.kind === 'known') return objects;
  return objects.kind === 'unknown' ? undefined : objects.before;
}
