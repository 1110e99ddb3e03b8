import { addCondition } from '../../../protocol/activity-conditions.ts';
import type { GraphFilter, MapEdgeView, MapParams } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { formatRows } from '../results-grid/format-rows.ts';
import { t } from '../ui/translate.ts';
import { placeOf } from './activity-filter.ts';
import { drawMapTab } from './draw-map.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { mapImage } from './map-image.ts';
import { fittingZoom, showStart } from './map-view.ts';
import { mapWords } from './map-words.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { withPath } from './with-path.ts';

const [smallest, largest] = [0.1, 4];

type MapActions = Pick<
  EventGraphActions,
  | 'filterByActivity'
  | 'filterByPath'
  | 'clearFilter'
  | 'chooseVariant'
  | 'showAllVariants'
  | 'readVariants'
  | 'setMap'
  | 'zoomBy'
  | 'choose'
  | 'widenSide'
  | 'exportImage'
  | 'exportRows'
>;

/** The process map, and the variants of its entities. */
export function createMapTab(page: EventGraphPage): ActingTab<MapActions> {
  const map = createMapLoader(page);
  const loadVariants = createVariantsLoader(page);
  return {
    title: t('Process Map'),
    loads: ['map', 'variants', 'chosen'],
    keeps: ['mapParams', 'zoom', 'isFitted', 'sideWidth'],
    isByLifecycle: true,
    load() {
      if (!page.state().map) map.load();
      else map.fit();
      loadVariants();
    },
    resized: () => map.fit(),
    filterChanged() {
      map.load();
      loadVariants();
    },
    draw: drawMapTab,
    actions: {
      ...filterActions(page, map),
      ...viewActions(page),
      showAllVariants: (showsAllVariants) => page.update({ ...page.state(), showsAllVariants }),
      readVariants: loadVariants,
      widenSide(width) {
        const { sideWidth: _, ...state } = page.state();
        page.keep(width === 0 ? state : { ...state, sideWidth: width });
        map.fit();
      },
      setMap(params) {
        const { chosen: _, ...rest } = page.state();
        page.keep({ ...rest, mapParams: { ...rest.mapParams, ...params } });
        map.load();
        if (params.lifecycle !== undefined) loadVariants();
      },
    },
  };
}

interface MapLoader {
  load(): void;
  /** Fits the map into its place, unless the user has zoomed. */
  fit(): void;
  /** The next map is fitted, and shown from its start. */
  fitNext(): void;
  /** The next map gets the focus, because the menu or button that asked for it is gone. */
  focusNext(): void;
}

function createMapLoader(page: EventGraphPage): MapLoader {
  /** The first map is shown from its start, unless the page was only hidden. */
  let showsStart = page.isNew;
  let focuses = false;
  const fit = (): void => {
    const state = page.state();
    const zoom = fittingZoom(shownValue(state.map));
    // A page in the background has no size; it gets one when it is shown.
    if (state.map?.kind !== 'known' || zoom === undefined) return;
    if (state.isFitted && zoom !== state.zoom) page.keep({ ...state, zoom });
    if (showsStart) showStart();
    showsStart = false;
  };
  return {
    fit,
    load() {
      const params = { ...paramsOfMap(page.state()), words: mapWords };
      void page
        .load('map', (signal) => page.ask('map', params, signal))
        .then(() => {
          if (focuses && document.activeElement === document.body) focusMap();
          focuses = false;
          fit();
        });
    },
    fitNext() {
      page.keep({ ...page.state(), isFitted: true });
      showsStart = true;
    },
    focusNext() {
      focuses = true;
    },
  };
}

/** The map of the filter, which compares where the user has chosen that. */
function paramsOfMap({ filter, mapParams, compare, isComparedOnMap }: EventGraphState): MapParams {
  const hasOthers = compare.kind === 'filter' || Object.keys(filter).length > 1;
  const compares = isComparedOnMap && filter.entityType !== undefined && hasOthers;
  return { filter, ...mapParams, ...(compares && { compare }) };
}

function focusMap(): void {
  const map = document.getElementById('picture') ?? document.querySelector<HTMLElement>('#no-events button');
  map?.focus();
}

/** Reads the variants of the filter, unless they are known. They are those of one entity type. */
function createVariantsLoader(page: EventGraphPage): () => void {
  /** The filter whose variants are shown or read, as text. */
  let variantsOf: string | undefined;
  return () => {
    const { filter: whole, mapParams, variants } = page.state();
    const { variant: _, ...filter } = whole;
    const { lifecycle = false } = mapParams;
    const wanted = filter.entityType === undefined ? undefined : JSON.stringify([filter, lifecycle]);
    if (wanted === variantsOf && (wanted === undefined || (variants && variants.kind !== 'failed'))) return;
    variantsOf = wanted;
    if (wanted === undefined) return page.drop('variants');
    const params = { filter, ...(lifecycle && { lifecycle }) };
    void page.load('variants', (signal) => page.ask('variants', params, signal));
  };
}

function filterActions(
  page: EventGraphPage,
  map: MapLoader,
): Pick<MapActions, 'filterByActivity' | 'filterByPath' | 'clearFilter' | 'chooseVariant'> {
  const filterBy: EventGraphActions['filterBy'] = (filter) => page.actions().filterBy(filter);
  const announce = (filter: GraphFilter): void => {
    const [condition] = filterConditions(filter, mapWords);
    page.update({ ...page.state(), announcement: condition?.text ?? '' });
  };
  return {
    filterByActivity(activity, occurs) {
      const { filter, mapParams } = page.state();
      const condition = { ...placeOf(activity, mapParams), occurs };
      filterBy({ ...filter, activities: addCondition(filter.activities ?? [], condition) });
      announce({ activities: [condition] });
      map.focusNext();
    },
    filterByPath(path) {
      filterBy(withPath(page.state().filter, path));
      announce({ paths: [path] });
      map.focusNext();
    },
    clearFilter() {
      const { entityType } = page.state().filter;
      filterBy(entityType === undefined ? {} : { entityType });
    },
    chooseVariant(variant) {
      const { variant: _, ...others } = page.state().filter;
      // The filtered map may be smaller, so it is fitted into the view.
      map.fitNext();
      filterBy(variant ? { ...others, variant } : others);
      if (variant) announce({ variant });
      else page.update({ ...page.state(), announcement: t('All variants') });
    },
  };
}

function viewActions(page: EventGraphPage): Pick<MapActions, 'zoomBy' | 'choose' | 'exportImage' | 'exportRows'> {
  const graphName = (): string => shownValue(page.state().overview)?.name ?? t('graph');
  return {
    zoomBy(factor) {
      const state = page.state();
      const isFitted = factor === 0;
      const zoom = isFitted
        ? (fittingZoom(shownValue(state.map)) ?? state.zoom)
        : Math.min(largest, Math.max(smallest, state.zoom * factor));
      page.keep({ ...state, zoom, isFitted });
      if (factor === 0) showStart();
    },
    choose(chosen) {
      const { chosen: _, ...rest } = page.state();
      if (chosen?.kind !== 'node') return page.update(chosen ? { ...rest, chosen } : rest);
      const announcement = shownValue(rest.map)?.nodes[chosen.index]?.activity ?? '';
      page.update({ ...rest, chosen, announcement });
      document.querySelector(`[data-node="${chosen.index}"]`)?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    },
    async exportImage(kind, inPageColours) {
      const { failure: _, ...state } = page.state();
      page.update(state);
      const picture = await page.ask('mapPicture', { ...paramsOfMap(state), words: mapWords, inPageColours });
      if (!picture.ok) return page.update({ ...page.state(), failure: picture.error });
      const base64 = await mapImage(picture.value, kind);
      await page.run('saveImage', { name: t('{0} map', graphName()), kind, base64 });
    },
    exportRows(format) {
      const edges = shownValue(page.state().map)?.edges ?? [];
      void page.run('saveRows', { name: t('{0} paths', graphName()), text: pathRows(edges, format) });
    },
  };
}

function pathRows(edges: readonly MapEdgeView[], format: 'csv' | 'spreadsheet'): string {
  const isOfAll = edges.some(({ entityType }) => entityType !== undefined);
  const names = [...(isOfAll ? ['entity_type'] : []), 'source', 'target', 'count', 'median_ms', 'p90_ms', 'total_ms'];
  return formatRows(
    format,
    names,
    edges.map(({ entityType, source, target, count, median, p90, total }) => [
      ...(isOfAll ? [entityType ?? ''] : []),
      ...[source, target, count, median, p90, total],
    ]),
  );
}
