import type { GraphView } from '../../../protocol/graph-view.ts';
import type { TextRange } from '../../../protocol/query-results.ts';
import type { Picture } from './picture.ts';
import type { Viewport } from './viewport.ts';

/** All that the canvas shows. */
export interface CanvasState {
  /** The newest graph that could be read; its picture follows when the layout is ready. */
  readonly view?: GraphView;
  readonly picture?: Picture;
  /** Why the file cannot be read now, and where. */
  readonly stale?: Stale;
  /** Why the picture is not laid out as it should be. */
  readonly layoutFailure?: string;
  readonly viewport: Viewport;
  /** Key of the selected card or relationship. */
  readonly selected?: string;
  readonly grid: boolean;
}

export interface Stale {
  readonly message: string;
  readonly range: TextRange;
}

/** What the canvas remembers while it is hidden. */
export type KeptState = Pick<CanvasState, 'viewport' | 'selected' | 'grid'>;

/** What a person can do on the canvas. */
export interface CanvasActions {
  select(key: string | undefined): void;
  goToText(range: TextRange): void;
  /** `at` is a point of the canvas's space on the screen; its middle when not given. */
  zoomBy(factor: number, at?: { readonly x: number; readonly y: number }): void;
  resetZoom(): void;
  fit(): void;
  pan(by: { readonly x: number; readonly y: number }): void;
  reveal(key: string): void;
  toggleGrid(): void;
  retryLayout(): void;
}

/** Keys tell elements and relationships of one id apart. */
export const keyOf = {
  element: (id: string) => `element:${id}`,
  relationship: (id: string) => `relationship:${id}`,
};

/** Takes in a graph of the extension: one that cannot be read leaves the last good one in place. */
export function withGraph(state: CanvasState, view: GraphView): CanvasState {
  const { stale: _stale, ...rest } = state;
  if (!view.syntaxError) return { ...rest, view };
  return { ...rest, view: state.view ?? view, stale: view.syntaxError };
}

export function isEmpty(view: GraphView): boolean {
  return view.elements.length === 0 && view.relationships.length === 0;
}
