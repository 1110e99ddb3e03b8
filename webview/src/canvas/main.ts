import { render } from 'lit';
import { createDebouncer } from '../../../protocol/debouncer.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { TextRange } from '../../../protocol/query-results.ts';
import type { CanvasRequests } from '../../../protocol/requests/canvas-requests.ts';
import { dialogSplitStyles } from '../dialogs/dialog-split.ts';
import { dialogStyles } from '../dialogs/dialog-styles.ts';
import { openExtensionChannel } from '../extension-channel.ts';
import { createRequestChannel } from '../request-channel.ts';
import { registerControls } from '../ui/controls.ts';
import { shownTextStyles } from '../ui/draw-shown-text.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { whenLoaded } from '../ui/when-loaded.ts';
import { refusedQueryStyles } from '../ui/refused-query.ts';
import { browserTextMetrics } from '../ui/text-metrics.ts';
import { createActions } from './canvas-actions.ts';
import { createEdits } from './create-edits.ts';
import { type CanvasState, type SavedState, firstState, isEmpty, savedStateOf, withGraph } from './canvas-state.ts';
import { canvasStyles } from './canvas-styles.ts';
import { comparedView } from './compared-view.ts';
import { comparisonStyles } from './comparison-styles.ts';
import { createCatalogReader } from '../catalog/catalog-reader.ts';
import { createOtherSources } from '../catalog/other-sources.ts';
import { importStyles } from './draw-import.ts';
import { createImportReader } from './import-page.ts';
import { panelStyles } from './panel-styles.ts';
import { drawCanvas } from './draw-canvas.ts';
import { stepsStyles } from './draw-steps.ts';
import { readingStyles } from '../catalog/draw-reading.ts';
import { createColumnsOf } from './draw-metadata.ts';
import { createElkRunner } from './elk-runner.ts';
import { type GraphMessage, createGraphReceiver } from './graph-receiver.ts';
import { createLayouter } from './layouter.ts';
import { cardPlaces, moveSmoothly } from './move-smoothly.ts';
import { hasNameBoxes } from './name-boxes.ts';
import { showNameSize } from './name-size.ts';
import { openingOf } from './picture.ts';
import { screenSize, showPicture } from './show-picture.ts';
import { stopAtPosition } from './view-key.ts';
import { resized } from './viewport.ts';
import { nameSizeAt } from './zoom-detail.ts';

installStyles(
  canvasStyles +
    comparisonStyles +
    stepsStyles +
    panelStyles +
    importStyles +
    readingStyles +
    dialogStyles +
    dialogSplitStyles +
    refusedQueryStyles +
    shownTextStyles,
);
registerControls();
const root = rootElement();
const text = browserTextMetrics();
// Line height assumed by the layout.
root.style.setProperty('--line-height', `${text.lineHeight}px`);

const channel = openExtensionChannel<SavedState>({
  graph: (message) => receiveGraph(message),
  graphChange: (message) => receiveGraph(message),
  importNews: ({ news }) => update({ ...state, importPage: { ...state.importPage, news } }),
  catalog({ state: told }) {
    catalog.told(told);
    // Other data sources may have been read along.
    if (told.kind !== 'reading') otherSources.load();
  },
  otherCatalog: ({ dataSource, state: told }) => otherSources.told(dataSource, told),
  comparison: ({ shown }) => showComparison(shown ?? undefined),
  textSelection: ({ position }) => selectAt(position),
  response: ({ id, result }) => requests.receive(id, result),
  requestProgress: ({ id, step }) => requests.reached(id, step),
});
const graphOf = createGraphReceiver(() => channel.post({ type: 'ready' }));
const requests = createRequestChannel<CanvasRequests>((message) => channel.post(message));
const columnsOf = createColumnsOf(requests.ask);

let state: CanvasState = { ...firstState, ...channel.kept };
/** The state that the page shows. */
let drawn: CanvasState | undefined;
let keptText = JSON.stringify(savedStateOf(state));
/** Minimum page width in pixels for palette and drawing side by side. */
const roomForPalette = 800;

/** The first drawing is fitted, unless the webview was only hidden. */
let fitNext = channel.kept === undefined;
/** The next picture is that of Arrange. */
let isArranging = false;

const layouter = createLayouter(createElkRunner(root.dataset['worker']), text, {
  onPicture(picture, layoutFailure, anew) {
    const size = screenSize(root);
    const before = isArranging ? cardPlaces(root) : undefined;
    update(showPicture({ ...state, layoutFailure }, picture, { size, fit: fitNext, anew }));
    if (before) moveSmoothly(root, before);
    isArranging = false;
    // A page that is not visible yet has no size to fit into.
    fitNext = fitNext && size.width === 0;
    // The rows of the palette that are out of sight follow the first frame with the picture.
    if (state.isOpening) {
      requestAnimationFrame(() => requestIdleCallback(() => update({ ...state, isOpening: undefined })));
    }
  },
  onChosen: keepPositions,
});

/** Stored positions arrive before the first layout, which waits for them only briefly. */
const layoutRead = Promise.race([
  requests.ask('layout', {}).then((outcome) => {
    if (!outcome.ok) return;
    layouter.choose(outcome.value);
    if (outcome.value.grid && channel.kept === undefined) update({ ...state, grid: true });
  }),
  new Promise((resolve) => setTimeout(resolve, 1000)),
]);

// The size of the preview is that of all canvases.
void requests.ask('previewShare', {}).then((outcome) => {
  if (outcome.ok && outcome.value) update({ ...state, previewShare: outcome.value });
});
const savingShare = createDebouncer(400, () => {
  void requests.ask('savePreviewShare', { share: state.previewShare });
});

/** How long cards must not have been moved before their positions are kept. */
const debounceMs = 400;
const keeping = createDebouncer(debounceMs, () => {
  const layout = { ...layouter.chosen, ...(state.grid ? { grid: true as const } : {}) };
  void requests.ask('saveLayout', { layout }).then((outcome) => {
    if (!outcome.ok && Object.keys(layout.elements).length > 0) update({ ...state, failure: outcome.error });
  });
});

function keepPositions(): void {
  keeping.schedule();
}

const actions = createActions({
  state: () => state,
  update,
  screen: () => screenSize(root),
  post: (message) => channel.post(message),
  layOut: ({ again }) => layOut(again),
  keepLayout: keepPositions,
});

const catalog = createCatalogReader({
  ask: requests.ask,
  state: () => state.objects,
  become(objects) {
    update({ ...state, objects });
    edits.catalogChanged();
  },
});

const otherSources = createOtherSources({
  ask: requests.ask,
  state: () => state,
  become(change) {
    update({ ...state, ...change });
    edits.catalogChanged();
  },
});

const importReader = createImportReader({
  ask: requests.ask,
  becomePlan: (plan) => update({ ...state, importPage: { ...state.importPage, plan } }),
});

const edits = createEdits({
  plan: importReader,
  catalog,
  readSource: otherSources.read,
  stopSource: otherSources.stop,
  state: () => state,
  update,
  ask: requests.ask,
  expectAt(point) {
    layouter.expectAt(point);
    // A dropped card stays under the pointer, the first one too.
    if (point) fitNext = false;
  },
  move(corners, isDragging) {
    layouter.move(corners, isDragging);
    keepPositions();
  },
  goToText: (range) => actions.goToText(range),
  reveal: (key) => actions.reveal(key),
  forgetPositions() {
    layouter.choose({ elements: {} });
    keepPositions();
    fitNext = true;
    isArranging = true;
    layOut(true);
  },
});
const hands = { actions, edits };

function layOut(again: boolean): void {
  const { view, collapsed, compared } = state;
  if (!view) return;
  const shown = comparedView(view, compared?.canvas);
  layouter.show(shown, screenSize(root), { again, collapsed: new Set(collapsed) });
}

/** The drawing of the file stays in its place: only entries that the base has alone come and go. */
function showComparison(compared: CanvasState['compared']): void {
  update({ ...state, compared });
  if (state.picture) layOut(false);
}

function receiveGraph(message: GraphMessage): void {
  const view = graphOf(message);
  if (view) void layoutRead.then(() => showGraph(view));
}

function showGraph(view: GraphView): void {
  const first = state.view === undefined;
  const told = withGraph(state, view);
  state = told;
  if (!told.view) return draw();
  // A graph without data objects starts with choosing them.
  if (first && channel.kept === undefined && isEmpty(told.view) && told.view.dataObjects.length === 0 && !state.stale) {
    state = { ...state, step: 'choose' };
  }
  // A small page shows the drawing instead of the palette.
  if (first && channel.kept === undefined && !isEmpty(told.view) && window.innerWidth < roomForPalette) {
    state = { ...state, paletteOpen: false };
  }
  if (isEmpty(told.view)) {
    fitNext = true;
    layouter.forget();
    state = { ...state, picture: undefined, layoutFailure: undefined, isOpening: undefined };
    return drawGraph();
  }
  // A first layout needs the size that the palette leaves to the drawing.
  if (!state.picture) update(first ? { ...state, isOpening: true } : state);
  // This draws the page if the layout keeps all positions.
  layOut(false);
  // The first drawing is deferred: the worker with ELK gets its message only when this function returns.
  if (state.picture) drawGraph();
  else setTimeout(drawGraph);
}

/** Draws the changes of the latest graph, and requests its dependent data. */
function drawGraph(): void {
  if (drawn !== state) draw();
  const { view } = state;
  if (!view) return;
  if (state.objects.kind === 'unknown') catalog.load(false);
  otherSources.follow(view);
  edits.follow();
}

/** The text cursor moved: selects the entry at the cursor without taking the focus. */
function selectAt(position: TextRange['start']): void {
  const key = state.view && stopAtPosition(state.view, position);
  if (key === undefined || key === state.selected) return;
  actions.select(key, { quiet: true });
  actions.reveal(key);
}

function update(next: CanvasState): void {
  if (next.previewShare !== state.previewShare) savingShare.schedule();
  state = next;
  draw();
}

function draw(): void {
  const kept = JSON.stringify(savedStateOf(state));
  if (kept !== keptText) channel.keep(savedStateOf(state));
  keptText = kept;
  drawn = state;
  const page = { width: root.clientWidth, height: root.clientHeight, screen: screenSize(root), text };
  showNameSize(nameSizeAt(state.viewport.zoom, hasNameBoxes(state.picture)));
  render(drawCanvas(state, page, hands, columnsOf), root);
  importReader.follow(state);
}

whenLoaded(() => update(state));

let shownSize = screenSize(root);
new ResizeObserver(() => {
  const size = screenSize(root);
  if (!state.picture || size.width === 0) return;
  const viewport = resized(state.viewport, openingOf(state.picture), shownSize, size);
  shownSize = size;
  if (fitNext) {
    fitNext = false;
    actions.fit();
  } else update({ ...state, viewport });
}).observe(root);

window.addEventListener('keydown', (event) => {
  // Escape closes the metadata panel from any focus.
  if (event.key === 'Escape' && state.metadataOf !== undefined) update({ ...state, metadataOf: undefined });
});
