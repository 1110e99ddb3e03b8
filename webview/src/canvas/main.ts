import { render } from 'lit';
import type { GraphView } from '../../../protocol/graph-view.ts';
import { openExtensionChannel } from '../extension-channel.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { createActions } from './canvas-actions.ts';
import { type CanvasState, type KeptState, isEmpty, withGraph } from './canvas-state.ts';
import { canvasStyles } from './canvas-styles.ts';
import { drawCanvas } from './draw-canvas.ts';
import { createLayouter } from './layouter.ts';
import { browserTextMetrics } from '../ui/text-metrics.ts';
import { screenSize, showPicture } from './show-picture.ts';

installStyles(canvasStyles);
const root = rootElement();
const text = browserTextMetrics();
// Drawn lines are as high as the layout takes them to be.
root.style.setProperty('--line-height', `${text.lineHeight}px`);

const channel = openExtensionChannel<KeptState>({
  graph: ({ view }) => showGraph(view),
  stale: ({ message, range }) => update({ ...state, stale: { message, range } }),
});

const firstViewport = { x: 0, y: 0, zoom: 1 };
let state: CanvasState = { viewport: firstViewport, grid: false, ...channel.kept };
/** The first picture is fitted, unless the webview was only hidden. */
let fitNext = channel.kept === undefined;

const layouter = createLayouter(root.dataset['worker'], text, {
  onPicture(picture, layoutFailure) {
    const { layoutFailure: _before, ...rest } = state;
    const next = layoutFailure === undefined ? rest : { ...rest, layoutFailure };
    const size = screenSize(root);
    update(showPicture(next, picture, { size, fit: fitNext }));
    // A page that is not on the screen yet has no room to fit into.
    fitNext = fitNext && size.width === 0;
  },
});

const actions = createActions({
  state: () => state,
  update,
  screen: () => screenSize(root),
  post: (message) => channel.post(message),
  retryLayout: () => state.view && layouter.show(state.view, screenSize(root), { again: true }),
});

function showGraph(view: GraphView): void {
  update(withGraph(state, view));
  if (!state.view) return;
  if (isEmpty(state.view)) {
    const { picture: _picture, layoutFailure: _failure, ...rest } = state;
    fitNext = true;
    layouter.forget();
    update(rest);
  } else {
    layouter.show(state.view, screenSize(root), { again: false });
  }
}

function update(next: CanvasState): void {
  const { viewport, selected, grid } = next;
  const changed = viewport !== state.viewport || selected !== state.selected || grid !== state.grid;
  state = next;
  if (changed) channel.keep({ viewport, grid, ...(selected === undefined ? {} : { selected }) });
  render(drawCanvas(state, actions), root);
}

update(state);

new ResizeObserver(() => {
  if (!fitNext || !state.picture || screenSize(root).width === 0) return;
  fitNext = false;
  actions.fit();
}).observe(root);
