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
  isForFile: true,
  font: 'system-ui, sans-serif',
};
