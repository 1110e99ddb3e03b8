import type { CanvasLayout } from './canvas-intents.ts';
import type { ComparedCanvas } from './compared-canvas.ts';
import type { GraphView } from './graph-view.ts';

/** A canvas to be drawn into a file. */
export interface CanvasToDraw {
  readonly view: GraphView;
  /** The positions that its user has chosen. */
  readonly layout: CanvasLayout;
  readonly compared?: ComparedCanvas | undefined;
}

/** Lays out a graph of ELK. */
export type LayOutGraph<Graph> = (graph: Graph) => Promise<Graph>;

/** The program that draws the canvas outside of a page, which the command line loads: an SVG file as the canvas exports it. */
export interface CanvasDrawing<Graph> {
  drawCanvasFile(canvas: CanvasToDraw, layOut: LayOutGraph<Graph>): Promise<string>;
}
