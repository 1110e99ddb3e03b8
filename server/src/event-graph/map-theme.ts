import type { ComparedEntities, GraphFilter, PathMeasure } from '../../../protocol/event-graph.ts';
import type { MapWords } from '../../../protocol/map-words.ts';

/** Colours and font of a drawing, as SVG attributes take them. */
export interface MapTheme {
  readonly background: string;
  readonly foreground: string;
  readonly muted: string;
  readonly surface: string;
  readonly line: string;
  readonly edge: string;
  readonly accent: string;
  /** Of paths that show times: those without any time, and the one that takes longest. */
  readonly fast: string;
  readonly slow: string;
  /** Of paths of a map that compares: those that more of the entities take, and those that more of the others do. */
  readonly more: string;
  readonly less: string;
  /** Variables of a page have no values in a file. */
  readonly isForFile: boolean;
  readonly font: string;
}

/** How a map is drawn. */
export interface MapStyle {
  readonly name: string;
  /** Stands above the map, with the time of the import: for pictures that leave the page. */
  readonly graphName?: string;
  readonly look: MapTheme;
  readonly words: MapWords;
  /** Of the entities on the map. */
  readonly filter?: GraphFilter;
  /** The map compares with these entities, or with the import before. */
  readonly compare?: ComparedEntities | { readonly kind: 'imports' } | undefined;
  /** What paths show; default: their count. */
  readonly pathMeasure?: PathMeasure | undefined;
}

/** The page's own variables: the drawing follows the theme. */
export const editorTheme: MapTheme = {
  background: 'var(--eg-background)',
  foreground: 'var(--eg-foreground)',
  muted: 'var(--eg-muted)',
  surface: 'var(--eg-surface)',
  line: 'var(--eg-surface-line)',
  edge: 'var(--eg-edge)',
  accent: 'var(--vscode-charts-blue)',
  fast: 'var(--eg-faint-edge)',
  slow: 'var(--vscode-charts-red)',
  more: 'var(--vscode-charts-blue)',
  // The orange of high contrast light is a blue.
  less: 'var(--vscode-charts-yellow)',
  isForFile: false,
  font: 'var(--eg-font)',
};

/** For files: readable on paper and on any page. */
export const plainTheme: MapTheme = {
  background: '#ffffff',
  foreground: '#1f1f1f',
  muted: '#5f6368',
  surface: '#f4f6f9',
  line: '#b9c0c9',
  edge: '#8a939e',
  accent: '#0063d3',
  fast: '#b9c0c9',
  slow: '#d1242f',
  more: '#0063d3',
  less: '#b35900',
  isForFile: true,
  font: 'system-ui, sans-serif',
};
