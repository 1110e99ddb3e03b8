import type { GraphFilter, PathCondition } from '../../../protocol/event-graph.ts';

/** The filter with a condition on a path, in place of another one on the same. */
export function withPath(filter: GraphFilter, path: PathCondition): GraphFilter {
  const nameOf = ({ source, target, lifecycle = false, follows }: PathCondition): string =>
    JSON.stringify([source, target, lifecycle, follows]);
  const others = (filter.paths ?? []).filter((each) => nameOf(each) !== nameOf(path));
  return { ...filter, paths: [...others, path] };
}
