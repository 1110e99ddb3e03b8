import type { GraphFilter, MapEdgeView, PathCondition } from '../../../protocol/event-graph.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';
import { numberItems } from './draw-number.ts';

/** The filter actions of a path of the map, and its events, entities and rows. */
export function pathItems(
  path: MapEdgeView,
  { mapParams: { lifecycle = false } }: EventGraphState,
  actions: EventGraphActions,
): readonly MenuItem[] {
  const { source, target, entityType, median, medianText, p90, p90Text } = path;
  const condition = { source, target, follows: 'directly' as const, ...(lifecycle && { lifecycle }) };
  const item = (label: string, more: Pick<PathCondition, 'slower' | 'faster'> = {}): MenuItem => ({
    label,
    icon: 'filter',
    run: () => actions.filterByPath({ ...condition, ...more }),
  });
  const number = {
    kind: 'path' as const,
    source,
    target,
    ...(entityType !== undefined && { entityType }),
    number: 'count' as const,
  };
  const [first, ...others] = numberItems({ kind: 'number', number, title: pathName(path) }, actions);
  return [
    item(t('Only Entities with This Path')),
    item(t('Only Entities Slower Here than the Median, {0}', medianText), { slower: median }),
    item(t('Only Entities Slower Here than 90 %, {0}', p90Text), { slower: p90 }),
    ...(first ? [{ ...first, separated: true }, ...others] : []),
  ];
}

export function pathName({ source, target }: Pick<MapEdgeView, 'source' | 'target'>): string {
  return `${source} → ${target}`;
}

/** The filter with a condition on a path, in place of another one on the same. */
export function withPath(filter: GraphFilter, path: PathCondition): GraphFilter {
  const nameOf = ({ source, target, lifecycle = false, follows }: PathCondition): string =>
    JSON.stringify([source, target, lifecycle, follows]);
  const others = (filter.paths ?? []).filter((each) => nameOf(each) !== nameOf(path));
  return { ...filter, paths: [...others, path] };
}
