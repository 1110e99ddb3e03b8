import type { ElkNode } from 'elkjs/lib/elk-api.js';
import type { CanvasDrawing } from '../../../protocol/canvas-drawing.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { comparedView } from './compared-view.ts';
import { type Look, drawSvg, estimatedWidth } from './draw-svg.ts';
import { createLayouter } from './layouter.ts';
import type { Picture } from './picture.ts';

/** The shape of a page. */
const screen = { width: 1600, height: 1000 };

/** Estimated, as no browser measures them. */
const text: TextMetrics = {
  fontSize: 13,
  lineHeight: 20,
  width: (measured, weight) => estimatedWidth(measured) * (weight === 'bold' ? 1.06 : 1),
};

/** Readable on paper and on any page. */
const colours: Readonly<Record<Parameters<Look['colour']>[0], string>> = {
  background: '#ffffff',
  foreground: '#1f1f1f',
  muted: '#5f6368',
  edge: '#8a939e',
  surface: '#f4f6f9',
  'surface-line': '#b9c0c9',
  error: '#d1242f',
  added: '#1a7f37',
  changed: '#9a6700',
  removed: '#cf222e',
};
const plain: Look = { font: '13px system-ui, sans-serif', colour: (token) => colours[token] };

/** The canvas as the page draws it, without a page. */
export const drawCanvasFile: CanvasDrawing<ElkNode>['drawCanvasFile'] = async ({ view, layout, compared }, layOut) => {
  const picture = await new Promise<Picture>((resolve, reject) => {
    const layouter = createLayouter({ layout: layOut }, text, {
      onPicture: (drawn, failure) => (failure === undefined ? resolve(drawn) : reject(new Error(failure))),
      onChosen: () => undefined,
    });
    layouter.choose(layout);
    layouter.show(comparedView(view, compared), screen, { again: true, collapsed: new Set() });
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n${drawSvg(picture, { name: view.name, compared }, plain)}\n`;
};
