import { type TemplateResult, html, nothing } from 'lit';
import type { RunningImportView } from '../../../protocol/entities-table.ts';
import type { GraphView } from '../../../protocol/graph-view.ts';
import type { ImportNews, LastImport } from '../../../protocol/import-page.ts';
import { type ImportStep, type ImportedGraph, importSteps } from '../../../protocol/import-progress.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import { elapsedText, elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';

/** The running import, else how the last one ended. */
export function drawRun(
  { running, last, status }: ImportNews,
  view: GraphView,
  hands: CanvasHandlers,
): TemplateResult | typeof nothing {
  if (running) return drawProgress(running);
  if (last && !isOlder(last, status?.imported ?? null)) {
    return last.outcome.status === 'imported'
      ? drawImported(last.outcome, last.endedAt, status?.modifiedSinceImport === true, hands)
      : drawStopped(last, status?.imported ?? null, hands);
  }
  if (!status?.imported) return nothing;
  const { imported, slice } = status;
  return drawByStatus({ imported, slice }, view, hands);
}

/** The clocks of the extension and of the state file are read at slightly different moments. */
const toleranceMs = 5000;

/** Whether another program has imported the graph since. */
function isOlder({ endedAt }: LastImport, imported: string | null): boolean {
  return imported !== null && Date.parse(imported) > Date.parse(endedAt) + toleranceMs;
}

function drawProgress({
  state,
  step,
  message,
  rows,
  fraction,
  startedAt,
  reachedAt = {},
}: RunningImportView): TemplateResult {
  const reached = step === undefined ? -1 : importSteps.indexOf(step);
  const title =
    state === 'waiting' ? t('Waiting for another import') : state === 'cancelling' ? t('Cancelling…') : t('Importing');
  return html`<div class="import-box" id="import-progress">
    <h2>
      ${icon('sync')} <span role="status">${title}</span>
      ${startedAt === undefined ? nothing : html`<span class="muted">${elapsedTime(sinceStart(startedAt))}</span>`}
    </h2>
    ${
      fraction === undefined
        ? html`<progress aria-label=${title}></progress>`
        : html`<progress aria-label=${title} max="1" .value=${fraction}></progress>`
    }
    <ol class="import-steps">
      ${importSteps.slice(0, -1).map((each, index) => {
        const [from, to] = [reachedAt[each], nextTime(index, reachedAt)];
        const done = index < reached;
        return html`<li class=${index > reached ? 'ahead' : ''} aria-current=${index === reached ? 'step' : nothing}>
          ${icon(done ? 'pass-filled' : index === reached ? 'arrow-right' : 'circle-large-outline')}
          <span>${each}</span>
          ${done && from !== undefined && to !== undefined ? html`<span class="muted">${elapsedText(to - from)}</span>` : nothing}
          ${index === reached && from !== undefined ? html`<span class="muted">${elapsedTime(sinceStart(from))}</span>` : nothing}
          ${index === reached && rows !== undefined ? html`<span class="muted">${t('{0} rows', rows.toLocaleString())}</span>` : nothing}
        </li>`;
      })}
    </ol>
    ${message === undefined ? nothing : html`<p class="muted">${message}</p>`}
  </div>`;
}

/** Converts a time of the extension's clock to the clock of `performance.now()`. */
function sinceStart(at: number): number {
  return performance.now() - Math.max(0, Date.now() - at);
}

/** When the first later step was reached; not each import has every step. */
function nextTime(index: number, reachedAt: Readonly<Partial<Record<ImportStep, number>>>): number | undefined {
  return importSteps
    .slice(index + 1)
    .map((step) => reachedAt[step])
    .find((at) => at !== undefined);
}

function drawImported(
  { totals, warnings, durationMs, slice }: ImportedGraph,
  endedAt: string,
  isModified: boolean,
  hands: CanvasHandlers,
): TemplateResult {
  return html`<div class="import-box" id="import-outcome">
    <h2>${icon('pass-filled')} ${t('Imported {0} in {1} s', momentText(endedAt), (durationMs / 1000).toFixed(1))}</h2>
    ${drawCounts([
      [t('events'), totals.events],
      [t('entities'), totals.entities],
      [t('pairs of relationships'), totals.relations],
    ])}
    ${slice ? drawSlice(slice) : nothing} ${isModified ? drawModified() : nothing}
    ${warnings.length === 0 ? nothing : html`<h3>${icon('warning')} ${warnings.length === 1 ? t('1 warning') : t('{0} warnings', warnings.length)}</h3>`}
    <ul>
      ${warnings.map((warning) => html`<li>${warning}</li>`)}
    </ul>
    ${drawLinks(hands)}
  </div>`;
}

/** Draws an import by another program, of which only the recorded status is known. */
function drawByStatus(
  { imported, slice }: { readonly imported: string; readonly slice?: ImportSlice | undefined },
  { elements, relationships, imported: known }: GraphView,
  hands: CanvasHandlers,
): TemplateResult {
  const sum = (counts: readonly (number | undefined)[]): number =>
    counts.reduce<number>((all, count = 0) => all + count, 0);
  return html`<div class="import-box" id="import-outcome">
    <h2>${icon('pass-filled')} ${t('Imported {0}', momentText(imported))}</h2>
    ${
      known
        ? drawCounts([
            [t('events'), sum(elements.map((card) => card.imported?.events))],
            [t('pairs of relationships'), sum(relationships.map((each) => each.imported?.pairs))],
          ])
        : nothing
    }
    ${slice ? drawSlice(slice) : nothing} ${known?.isModifiedSince ? drawModified() : nothing} ${drawLinks(hands)}
  </div>`;
}

function drawCounts(counts: readonly (readonly [name: string, count: number])[]): TemplateResult {
  return html`<div class="counts">
    ${counts.map(([name, count]) => html`<p><strong>${count.toLocaleString()}</strong> <span class="muted">${name}</span></p>`)}
  </div>`;
}

function drawSlice({ sample }: ImportSlice): TemplateResult {
  const told =
    sample === undefined
      ? t('A part of the graph, not the whole. Import to read all rows.')
      : t('A sample: the first {0} rows of each element. Import to read all rows.', sample.toLocaleString('en'));
  return html`<p class="modified" id="import-slice">${icon('filter')} ${told}</p>`;
}

function drawModified(): TemplateResult {
  return html`<p class="modified">
    ${icon('history')} ${t('The graph was changed since. Import it again to see the changes.')}
  </p>`;
}

function drawLinks({ edits }: CanvasHandlers): TemplateResult {
  return html`<div class="import-row">
    ${button(html`${icon('type-hierarchy')} ${t('Open Process Map')}`, () => edits.openImportLink('process map'), { id: 'open-process-map', appearance: 'primary' })}
  </div>`;
}

function drawStopped({ outcome, endedAt }: LastImport, imported: string | null, hands: CanvasHandlers): TemplateResult {
  if (outcome.status === 'imported') return html``;
  const isCancelled = outcome.status === 'cancelled' || outcome.status === 'cancelled before it began';
  const at = 'failedStep' in outcome ? ` ${t('It ended at {0}.', outcome.failedStep)}` : '';
  const title = isCancelled
    ? t('Import cancelled {0}.', momentText(endedAt))
    : t('Import failed {0}.', momentText(endedAt));
  return html`<div class="import-box" id="import-outcome">
    <h2>${icon(isCancelled ? 'circle-slash' : 'error')} ${title}${at}</h2>
    ${isCancelled ? nothing : drawFailureOf(outcome.error)}
    ${imported === null ? nothing : html`<p>${t('The graph of {0} is still in use.', momentText(imported))}</p>`}
    <div class="import-row">
      ${outcome.error.range && outcome.error.file === undefined ? button(t('Go to Problem'), () => goToRange(outcome.error, hands)) : nothing}
      ${outcome.error.hasKeptRows ? button(t('Import with Kept Rows'), () => hands.edits.startImport({ usesKeptRows: true }), { id: 'import-with-kept-rows', title: t('Use the rows of the data source from an earlier import; the graph is marked') }) : nothing}
      ${outcome.error.code === 'guard-broken' ? button(t('Import Anyway'), () => hands.edits.startImport({ acceptsGuards: true }), { id: 'import-anyway', title: t('Publish once although a guard is broken; the run says so') }) : nothing}
      ${button(t('Show Log'), () => hands.edits.openImportLink('log'))}
      ${imported === null ? nothing : button(t('Open Process Map'), () => hands.edits.openImportLink('process map'))}
    </div>
  </div>`;
}

function goToRange({ range }: Failure, { actions }: CanvasHandlers): void {
  if (range) actions.goToText(range);
}

/** An error in full, with its remedy. */
export function drawFailureOf({ message, remedy }: Failure, intro = ''): TemplateResult {
  return html`<div role="alert">
    <p>${intro} ${message}</p>
    ${remedy === undefined ? nothing : html`<p>${remedy}</p>`}
  </div>`;
}

function momentText(at: string): string {
  return new Date(at).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
}
