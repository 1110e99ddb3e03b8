import type { GraphView } from '../../../protocol/graph-view.ts';

/** Reuses unchanged elements and relationships of the previous graph, so that they are not drawn again. */
export function withSameViews(before: GraphView | undefined, now: GraphView): GraphView {
  if (!before) return now;
  return {
    ...now,
    elements: reuse(before.elements, now.elements),
    relationships: reuse(before.relationships, now.relationships),
  };
}

function reuse<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  const known = new Map(before.map((view) => [view.id, view]));
  return now.map((view) => {
    const same = known.get(view.id);
    return same && JSON.stringify(same) === JSON.stringify(view) ? same : view;
  });
}
