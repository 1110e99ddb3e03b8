import type { GraphView, ProblemAddress, ProblemFix, ProblemView } from '../../../protocol/graph-view.ts';
import type { Failure, TextRange } from '../../../protocol/query-results.ts';
import { type ObjectsState, knownObjects } from '../catalog/objects-state.ts';
import type { ReadingSource } from '../catalog/other-sources.ts';
import type {
  DataObjectName,
  DataObjectView,
  OtherSourceView,
  PreviewShare,
} from '../../../protocol/canvas-intents.ts';
import type { OtherSource } from '../dialogs/dialog-catalog.ts';
import { usualShare } from '../dialogs/dialog-split.ts';
import { t } from '../ui/translate.ts';
import { isSameData } from '../../../protocol/same-data.ts';
import type { ShownComparison } from '../../../protocol/webview-messages.ts';
import type { Box, Point } from './geometry.ts';
import type { ImportPageState } from './import-page.ts';
import type { Picture } from './picture.ts';
import type { Viewport } from './viewport.ts';

/** State of the canvas. */
export interface CanvasState {
  /** The latest valid graph; its drawing follows when the layout is ready. */
  readonly view?: GraphView | undefined;
  /** What is shown of the whole picture. */
  readonly picture?: Picture | undefined;
  readonly wholePicture?: Picture | undefined;
  /** Why the file is unreadable, and where; editing is disabled. */
  readonly stale?: Stale | undefined;
  /** The comparison with another text that is shown. */
  readonly compared?: ShownComparison | undefined;
  /** Why the fallback layout is shown. */
  readonly layoutFailure?: string | undefined;
  readonly viewport: Viewport;
  /** Key of the selected card or relationship; of several, the last one. */
  readonly selected?: string | undefined;
  /** Keys of the other selected entries. */
  readonly also: readonly string[];
  readonly grid: boolean;
  readonly minimap: boolean;
  readonly step: Step;
  readonly importPage: ImportPageState;
  /** The known catalog. */
  readonly objects: ObjectsState;
  /** The other data sources of the sources file, and the ones that are being read. */
  readonly otherSources: readonly OtherSourceView[];
  readonly readingSources: readonly ReadingSource[];
  /** Data sources that were opened or closed by hand, by list and name. */
  readonly expanded: Readonly<Record<'available' | 'selected', Readonly<Record<string, boolean>>>>;
  /** The data sources whose cards are not shown. */
  readonly hiddenSources: readonly string[];
  /** Filter texts by list. */
  readonly filters: Readonly<Record<string, string>>;
  readonly paletteOpen: boolean;
  /** Set until the first picture is shown: of the palette only the rows in sight are drawn, and what its width needs. */
  readonly isOpening?: boolean | undefined;
  /** Set in drawing mode. */
  readonly drawing?: Drawing | undefined;
  readonly menu?: OpenMenu | undefined;
  readonly find?: Find | undefined;
  readonly marquee?: Box | undefined;
  /** Ids of collapsed elements. */
  readonly collapsed: readonly string[];
  /** The data object in the metadata panel. */
  readonly metadataOf?: DataObjectName | undefined;
  /** Why the last action failed. */
  readonly failure?: Failure | undefined;
  /** Kept so that no input is lost when the canvas is hidden. */
  readonly draft?: Draft | undefined;
  readonly previewShare: PreviewShare;
  /** Announcement for screen readers. */
  readonly announcement: string;
}

/** The current step: choosing data objects, drawing, or the import. */
export type Step = 'choose' | 'build' | 'import';

export interface Stale {
  readonly message: string;
  readonly range: TextRange;
}

interface Drawing {
  /** Id of the element at the start of the line. */
  readonly source?: string | undefined;
  /** Pointer position in canvas coordinates. */
  readonly to?: Point | undefined;
}

interface OpenMenu {
  /** Key of the target; absent for the canvas. */
  readonly key?: string | undefined;
  /** The data object of the palette that it is about. */
  readonly dataObject?: DataObjectName;
  /** It chooses the data sources that are shown. */
  readonly isSourceFilter?: boolean;
  /** Position on the page. */
  readonly at: Point;
  /** Quick fixes in place of the usual items. */
  readonly fixes?: readonly FoundFixes[] | undefined;
}

/** A problem with its quick fixes. */
export interface FoundFixes {
  readonly problem: ProblemView;
  readonly address: ProblemAddress;
  readonly fixes: readonly ProblemFix[];
}

interface Find {
  readonly text: string;
  /** Index of the displayed match. */
  readonly index: number;
}

/** State kept while the canvas is hidden. */
export type SavedState = Pick<
  CanvasState,
  | 'viewport'
  | 'selected'
  | 'grid'
  | 'minimap'
  | 'step'
  | 'paletteOpen'
  | 'collapsed'
  | 'draft'
  | 'previewShare'
  | 'expanded'
  | 'hiddenSources'
>;

/** State of an open dialog. */
export interface Draft {
  /** Key of the edited element or relationship. */
  readonly key: string;
  /** Original and entered values; the key determines their type. */
  readonly before: unknown;
  readonly values: unknown;
  /** Opened sections and the filter of its dialog. */
  readonly view?: unknown;
  /** How far its form is scrolled. */
  readonly scrollTop?: number;
  /** Only the annotation of an element is edited. */
  readonly isContext?: boolean | undefined;
}

export const firstState: CanvasState = {
  viewport: { x: 0, y: 0, zoom: 1 },
  also: [],
  grid: false,
  minimap: true,
  step: 'build',
  importPage: { plan: { kind: 'unknown' } },
  objects: { kind: 'unknown' },
  otherSources: [],
  readingSources: [],
  expanded: { available: {}, selected: {} },
  hiddenSources: [],
  filters: {},
  paletteOpen: true,
  collapsed: [],
  previewShare: usualShare,
  announcement: '',
};

export function savedStateOf(state: CanvasState): SavedState {
  const { viewport, selected, grid, minimap, step, paletteOpen, collapsed, draft, previewShare } = state;
  const { expanded, hiddenSources } = state;
  return {
    viewport,
    selected,
    grid,
    minimap,
    step,
    paletteOpen,
    collapsed,
    draft,
    previewShare,
    expanded,
    hiddenSources,
  };
}

/** All selected keys. */
export function selectedKeys({ selected, also }: CanvasState): readonly string[] {
  return selected === undefined ? also : [...also.filter((key) => key !== selected), selected];
}

/** Applies a graph from the extension; an unreadable one keeps the last valid drawing. */
export function withGraph(state: CanvasState, view: GraphView): CanvasState {
  if (!view.syntaxError) return { ...state, stale: undefined, view: withSameViews(state.view, view) };
  return { ...state, view: state.view ?? view, stale: view.syntaxError };
}

/** The data objects of a data source that are known, for the choices of dialogs. */
export function objectsOfSource(state: CanvasState, dataSource: string | undefined): readonly DataObjectView[] {
  const { objects, otherSources, view } = state;
  if (dataSource === undefined || dataSource === view?.dataSource) return knownObjects(objects);
  const catalog = otherSources.find((each) => each.dataSource === dataSource)?.catalog;
  return catalog?.ok ? catalog.value.objects : [];
}

/** The data sources beside that of the graph as dialogs offer them. */
export function otherSourcesOf({ otherSources, readingSources }: CanvasState): readonly OtherSource[] {
  return otherSources.map(({ dataSource, kind, catalog }) => {
    const reading = readingSources.find((each) => each.dataSource === dataSource);
    return { name: dataSource, kind, objects: objectsState(dataSource, catalog, reading) };
  });
}

function objectsState(
  dataSource: string,
  catalog: OtherSourceView['catalog'],
  reading: ReadingSource | undefined,
): ObjectsState {
  if (reading) {
    const { since, step } = reading;
    return { kind: 'loading', since, step };
  }
  if (catalog?.ok) return { kind: 'known', ...catalog.value };
  const message = t('The data objects of {0} are not known yet.', dataSource);
  return { kind: 'failed', error: catalog?.error ?? { code: 'catalog-unknown', message } };
}

export function isEmpty(view: GraphView): boolean {
  return view.elements.length === 0 && view.relationships.length === 0;
}

/** Reuses unchanged elements and relationships of the previous graph, so that they are not drawn again. */
function withSameViews(before: GraphView | undefined, now: GraphView): GraphView {
  if (!before) return now;
  return {
    ...now,
    elements: reuse(before.elements, now.elements),
    relationships: reuse(before.relationships, now.relationships),
  };
}

function reuse<T extends { readonly id: string }>(before: readonly T[], now: readonly T[]): readonly T[] {
  if (before === now) return now;
  const known = new Map(before.map((view) => [view.id, view]));
  return now.map((view) => {
    const same = known.get(view.id);
    return same && isSameData(same, view) ? same : view;
  });
}
