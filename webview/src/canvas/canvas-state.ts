import type { DataObjectView } from '../../../protocol/canvas-intents.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { Failure, TextRange } from '../../../protocol/query-results.ts';
import type { Box, Point } from './geometry.ts';
import type { Picture } from './picture.ts';
import type { Viewport } from './viewport.ts';

/** All that the canvas shows. */
export interface CanvasState {
  /** The newest graph that could be read; its picture follows when the layout is ready. */
  readonly view?: GraphView | undefined;
  readonly picture?: Picture | undefined;
  /** Why the file cannot be read now, and where; nothing can be changed then. */
  readonly stale?: Stale | undefined;
  /** Why the picture is not laid out as it should be. */
  readonly layoutFailure?: string | undefined;
  readonly viewport: Viewport;
  /** Key of the card or relationship that is selected, the last one of several. */
  readonly selected?: string | undefined;
  /** Keys of the others that are selected with it. */
  readonly also: readonly string[];
  readonly grid: boolean;
  readonly minimap: boolean;
  readonly step: Step;
  /** What is known of the data source. */
  readonly objects: ObjectsState;
  /** Filters of the lists, by list. */
  readonly filters: Readonly<Record<string, string>>;
  readonly paletteOpen: boolean;
  /** Set while relationships are being drawn. */
  readonly drawing?: Drawing | undefined;
  readonly menu?: OpenMenu | undefined;
  readonly find?: Find | undefined;
  readonly marquee?: Box | undefined;
  /** Ids of elements of which only the head is drawn. */
  readonly collapsed: readonly string[];
  /** The data object whose metadata are shown. */
  readonly metadataOf?: string | undefined;
  /** Why something that was asked for did not happen. */
  readonly failure?: Failure | undefined;
  /** Kept so that nothing that was entered is lost when the canvas is hidden. */
  readonly draft?: Draft | undefined;
  /** What happened, for people who cannot see it. */
  readonly announcement: string;
}

/** Choosing data objects, or building with them. */
export type Step = 'choose' | 'build';

export interface Stale {
  readonly message: string;
  readonly range: TextRange;
}

export type ObjectsState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'loading' }
  | { readonly kind: 'known'; readonly objects: readonly DataObjectView[]; readonly incomplete?: string }
  | { readonly kind: 'failed'; readonly error: Failure };

export interface Drawing {
  /** Id of the element where the line starts. */
  readonly source?: string | undefined;
  /** Where the pointer is, on the canvas. */
  readonly to?: Point | undefined;
}

export interface OpenMenu {
  /** Key of what it is for; absent for the canvas itself. */
  readonly key?: string | undefined;
  /** On the page. */
  readonly at: Point;
}

export interface Find {
  readonly text: string;
  /** Which of the matches is shown. */
  readonly index: number;
}

/** What the canvas remembers while it is hidden. */
export type KeptState = Pick<
  CanvasState,
  'viewport' | 'selected' | 'grid' | 'minimap' | 'step' | 'paletteOpen' | 'collapsed' | 'draft'
>;

/** What a dialog holds that is open. */
export interface Draft {
  /** Key of its element or relationship. */
  readonly key: string;
  /** Values of the file that it started from, and those that were entered; of the kind that the key says. */
  readonly before: unknown;
  readonly values: unknown;
}

export const firstState: CanvasState = {
  viewport: { x: 0, y: 0, zoom: 1 },
  also: [],
  grid: false,
  minimap: true,
  step: 'build',
  objects: { kind: 'unknown' },
  filters: {},
  paletteOpen: true,
  collapsed: [],
  announcement: '',
};

export function keptOf(state: CanvasState): KeptState {
  const { viewport, selected, grid, minimap, step, paletteOpen, collapsed, draft } = state;
  return { viewport, selected, grid, minimap, step, paletteOpen, collapsed, draft };
}

/** All keys that are selected. */
export function selectedKeys({ selected, also }: CanvasState): readonly string[] {
  return selected === undefined ? also : [...also.filter((key) => key !== selected), selected];
}

/** Takes in a graph of the extension: one that cannot be read leaves the last good one in place. */
export function withGraph(state: CanvasState, view: GraphView): CanvasState {
  if (!view.syntaxError) return { ...state, stale: undefined, view: withSameViews(state.view, view) };
  return { ...state, view: state.view ?? view, stale: view.syntaxError };
}

export function isEmpty(view: GraphView): boolean {
  return view.elements.length === 0 && view.relationships.length === 0;
}

/**
 * A graph whose elements and relationships are those of the graph before where they say the same: what has not changed
 * need not be drawn again.
 */
function withSameViews(before: GraphView | undefined, now: GraphView): GraphView {
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
