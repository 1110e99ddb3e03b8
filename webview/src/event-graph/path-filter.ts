import type { MapEdgeView, PathCondition } from '../../../protocol/event-graph.ts';
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
    {
      label: t('Cases with This Path'),
      icon: 'list-unordered',
      run() {
        actions.filterByPath(condition);
        actions.show('cases');
      },
    },
    item(t('Only Entities Slower Here than the Median, {0}', medianText), { slower: median }),
    item(t('Only Entities Slower Here than 90 %, {0}', p90Text), { slower: p90 }),
    ...(entityType === undefined
      ? [
          {
            label: t('What Goes with This Path'),
            icon: 'question',
            run: () => actions.explain({ paths: [condition] }),
          },
        ]
      : []),
    ...(first ? [{ ...first, separated: true }, ...others] : []),
  ];
}

export function pathName({ source, target }: Pick<MapEdgeView, 'source' | 'target'>): string {
  return `${source} → ${target}`;
}
