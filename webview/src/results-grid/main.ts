import { render } from 'lit';
import { openExtensionChannel } from '../extension-channel.ts';
import { installStyles } from '../ui/install-styles.ts';
import { rootElement } from '../ui/root-element.ts';
import { browserTextMetrics } from '../ui/text-metrics.ts';
import { gridTemplate } from './draw-grid.ts';
import { drawResults } from './draw-results.ts';
import { type ResultsActions, type ResultsState, type Shown, showing } from './results-state.ts';
import { resultsStyles } from './results-styles.ts';

installStyles(resultsStyles);
const root = rootElement();
const text = browserTextMetrics();

const channel = openExtensionChannel({
  running: ({ title }) => show({ kind: 'running', title, since: Date.now(), cancelling: false }),
  result: ({ title, source, result }) => show({ kind: 'result', title, source, result }),
  failure: ({ title, error }) => show({ kind: 'failure', title, error }),
});

const actions: ResultsActions = {
  cancel() {
    if (state.shown.kind !== 'running') return;
    update({ ...state, shown: { ...state.shown, cancelling: true } });
    channel.post({ type: 'cancel' });
  },
  goTo: (range, file) => channel.post({ type: 'revealRange', range, ...(file === undefined ? {} : { file }) }),
  activate: (active) => update({ ...state, active }),
  copy: (copied) => channel.post({ type: 'copy', text: copied }),
  scrolled: (scrollTop, height) => update({ ...state, scrollTop, height }),
};

let state: ResultsState = {
  shown: { kind: 'nothing' },
  active: { row: 0, column: 0 },
  scrollTop: 0,
  height: root.clientHeight,
};
let clock: ReturnType<typeof setInterval> | undefined;

function show(shown: Shown): void {
  clearInterval(clock);
  // The time that a query takes is drawn every second.
  if (shown.kind === 'running') clock = setInterval(() => update(state), 1000);
  if (shown.kind === 'result') root.style.setProperty('--columns', gridTemplate(shown.result, text));
  update(showing(state, shown));
  const grid = document.getElementById('grid');
  if (grid) [grid.scrollTop, grid.scrollLeft] = [0, 0];
}

function update(next: ResultsState): void {
  state = next;
  render(drawResults(state, actions, Date.now()), root);
}

new ResizeObserver(() => update({ ...state, height: root.clientHeight })).observe(root);
update(state);
