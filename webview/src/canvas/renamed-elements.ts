import type { CardView } from '../../../protocol/graph-view.ts';

/** Detects renamed elements: same position in the file, and the old id is gone. New id → old id. */
export function renamedElements(before: readonly CardView[], now: readonly CardView[]): ReadonlyMap<string, string> {
  const [old, present] = [new Set(before.map(({ id }) => id)), new Set(now.map(({ id }) => id))];
  if (before.length !== now.length) return new Map();
  return new Map(
    now.flatMap(({ id, dataObject, isMasterData }, index) => {
      const same = before[index];
      const isRenamed =
        same &&
        !old.has(id) &&
        !present.has(same.id) &&
        same.dataObject === dataObject &&
        same.isMasterData === isMasterData;
      return isRenamed ? [[id, same.id] as const] : [];
    }),
  );
}
