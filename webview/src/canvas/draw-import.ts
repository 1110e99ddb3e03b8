import { type TemplateResult, html, nothing } from 'lit';
import { cardName } from '../../../protocol/card-name.ts';
import { firstLineAt, movedDown } from '../../../protocol/first-lines.ts';
import type { CardView, GraphView, ProblemView, UnfinishedView } from '../../../protocol/graph-view.ts';
import type { PlannedImport } from '../../../protocol/import-page.ts';
import { sampleRows } from '../../../protocol/import-request.ts';
import type { Failure, TextRange } from '../../../protocol/query-results.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { exclamationMark, icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import type { CanvasHandlers } from './canvas-edits.ts';
import { type CanvasState, isEmpty } from './canvas-state.ts';
import { drawFailureOf, drawRun } from './draw-import-run.ts';
import type { PlanState } from './import-page.ts';

/** The third step: the import's plan and obstacles, then its progress, then its result. */
export function drawImport(state: CanvasState, view: GraphView, hands: CanvasHandlers): TemplateResult {
  const { plan, news } = state.importPage;
  const blockers = state.stale ? [] : blockersOf(view);
  const locked = isEmpty(view)
    ? t('There is nothing to import yet.')
    : state.stale || blockers.length > 0
      ? t('Correct the problems first')
      : '';
  // After an import the next step is its process map.
  const isDone =
    news !== undefined &&
    !news.running &&
    news.status?.imported !== undefined &&
    news.status.imported !== null &&
    !news.status.modifiedSinceImport &&
    (news.last === undefined || news.last.outcome.status === 'imported');
  return html`<section id="import" aria-label=${t('Import')}>
    <div class="import-body" tabindex="0" role="region" aria-label=${t('Plan, progress and result of the import')}>
      ${isEmpty(view) ? drawNothingYet(hands) : nothing} ${drawBlockers(blockers, hands)}
      ${news ? drawRun(news, view, hands) : nothing} ${isEmpty(view) ? nothing : drawWork(view, plan, hands)}
    </div>
    <footer>
      ${button(html`${icon('gear')} ${t('Import Settings')}`, () => hands.edits.openImportLink('settings'), { appearance: 'labelled' })}
      <span class="space"></span>
      ${
        news?.running
          ? button(t('Cancel'), hands.edits.cancelImport, {
              id: 'cancel-import',
              disabled: news.running.state === 'cancelling',
            })
          : html`${
              (news?.status?.imported ?? null) === null
                ? nothing
                : button(t('Import Everything Again'), () => hands.edits.startImport({ isFull: true }), {
                    disabled: locked !== '',
                    id: 'import-everything',
                    title: locked || t('Reads all rows again, including unchanged ones'),
                  })
            }
            ${button(t('Import a Sample'), () => hands.edits.startImport({ sample: sampleRows }), {
              disabled: locked !== '',
              id: 'import-sample',
              title:
                locked ||
                t(
                  'Reads the first {0} rows of each element; the graph is marked as a sample',
                  sampleRows.toLocaleString('en'),
                ),
            })}
            ${button(t('Import'), () => hands.edits.startImport(), {
              appearance: isDone ? undefined : ('primary' as const),
              disabled: locked !== '',
              id: 'start-import',
              title: locked || t('Import the graph'),
            })}`
      }
    </footer>
  </section>`;
}

function drawNothingYet({ actions }: CanvasHandlers): TemplateResult {
  return html`<div class="import-box" id="nothing-to-import">
    <h2>${t('There is nothing to import yet.')}</h2>
    <p>${t('An import reads the records of elements. Add an element first.')}</p>
    ${button(t('Elements and Relationships'), () => actions.goToStep('build'), { appearance: 'primary' })}
  </div>`;
}

interface Blocker {
  readonly name: string;
  readonly message: string;
  readonly range: TextRange;
}

/** Incomplete entries and errors; warnings do not stop an import. */
function blockersOf(view: GraphView): readonly Blocker[] {
  return [
    ...view.elements.flatMap((card, index) =>
      problemsOf(titleOf(card), card.unconfigured, card, firstLineAt(view, 'elements', index)),
    ),
    ...view.relationships.flatMap((each, index) =>
      problemsOf(each.name || t('A relationship'), each.draft, each, firstLineAt(view, 'relationships', index)),
    ),
  ];
}

function problemsOf(
  name: string,
  unfinished: UnfinishedView | undefined,
  { problems = [], range }: { readonly problems?: readonly ProblemView[]; readonly range: TextRange },
  firstLine: number,
): readonly Blocker[] {
  if (unfinished) {
    return [{ name, message: `${unfinished.problem} ${unfinished.remedy}`, range: movedDown(range, firstLine) }];
  }
  return problems
    .filter(({ severity }) => severity === 'error')
    .map(({ message, range: place }) => ({ name, message, range: movedDown(place, firstLine) }));
}

function drawBlockers(blockers: readonly Blocker[], { actions }: CanvasHandlers): TemplateResult | typeof nothing {
  if (blockers.length === 0) return nothing;
  return html`<div class="import-box" id="import-problems">
    <h2>
      ${exclamationMark()}
      ${blockers.length === 1 ? t('1 problem blocks the import') : t('{0} problems block the import', blockers.length)}
    </h2>
    <ul>
      ${blockers.map(
        ({ name, message, range }) =>
          html`<li>
            <p><strong>${name}</strong>: ${message}</p>
            ${button(t('Go to Problem'), () => actions.goToText(range), {
              appearance: 'small',
              label: t('Go to the problem of {0}', name),
            })}
          </li>`,
      )}
    </ul>
  </div>`;
}

function drawWork(view: GraphView, plan: PlanState, hands: CanvasHandlers): TemplateResult {
  const source = view.dataSource ?? t('not set');
  return html`<div class="import-box" id="import-work">
    <h2>${t('What the import does')}</h2>
    ${drawPlan(plan, source, hands)} ${drawSettings(view, source, hands)}
    <h3>${t('Elements')}</h3>
    <ul>
      ${view.elements.map(
        (card) => html`<li><strong>${titleOf(card)}</strong><span class="muted">${placeOf(card)}</span></li>`,
      )}
    </ul>
    ${view.relationships.length === 0 ? nothing : html`<h3>${t('Relationships')}</h3>`}
    <ul>
      ${view.relationships.map(({ name, label }) => html`<li><strong>${name}</strong><span class="muted">${label}</span></li>`)}
    </ul>
  </div>`;
}

function titleOf(card: CardView): string {
  return cardName(card) ?? card.dataObject ?? t('Unnamed element');
}

function placeOf({ dataSource, dataObject }: CardView): string {
  return [dataSource, dataObject].filter((part) => part !== undefined).join(' · ');
}

function drawPlan(plan: PlanState, source: string, { edits }: CanvasHandlers): TemplateResult | typeof nothing {
  switch (plan.kind) {
    case 'unknown':
      return nothing;
    case 'loading':
      return html`<div class="import-row late" role="status">
        ${icon('sync')} <span>${t('Planning the import…')}</span> <span class="muted">${elapsedTime(plan.since)}</span>
        ${button(t('Cancel'), edits.plan.cancelPlan, { appearance: 'small', label: t('Cancel planning') })}
        ${plan.step === undefined ? nothing : html`<span class="muted clip" title=${plan.step}>${plan.step}</span>`}
      </div>`;
    case 'failed':
      return needsAnswer.has(plan.error.code)
        ? drawQuestion(plan.error, edits)
        : html`<div id="plan-failure">
            ${drawFailureOf(plan.error, t('The import could not be planned:'))}
            ${button(t('Plan Again'), edits.plan.planAgain, { appearance: 'small' })}
          </div>`;
    case 'known':
      return drawFacts(plan.plan, source, edits);
  }
}

/** Failures that the user solves by an answer; nobody is asked until the user wants the plan. */
const needsAnswer: ReadonlySet<Failure['code']> = new Set(['secret-missing', 'secret-not-allowed']);

function drawQuestion({ message }: Failure, { plan }: CanvasHandlers['edits']): TemplateResult {
  return html`<div id="plan-question">
    <p>${icon('key')} ${t('The plan is read when you ask for it, because it needs an answer from you:')} ${message}</p>
    ${button(t('Plan the Import'), plan.planAgain, { appearance: 'small' })}
  </div>`;
}

function drawFacts(
  { dataSources, statements }: PlannedImport,
  source: string,
  edits: CanvasHandlers['edits'],
): TemplateResult {
  return html`<dl id="import-plan">
      <dt>${t('Data source')}</dt>
      <dd>
        ${
          dataSources
            ? dataSources.map(
                ({ name, dataObjects, rowEstimate }) =>
                  html`<p>
                    ${name}:
                    ${dataObjects.join(', ')}${rowEstimate === undefined ? '' : ` · ${t('about {0} rows', rowEstimate.toLocaleString())}`}
                  </p>`,
              )
            : source
        }
      </dd>
      <dt>${t('Statements')}</dt>
      <dd>${t('{0} in all: they read the rows, build the graph and check it', statements.toLocaleString('en'))}</dd>
    </dl>
    <p>
      ${button(t('Show Query'), () => edits.openImportLink('plan'), { appearance: 'small', title: t('Open every statement of the import') })}
    </p>`;
}

/** Import settings of the file, which are known without a plan. */
function drawSettings(
  { importSettings: { engine, catalog, schema, range } }: GraphView,
  source: string,
  { actions }: CanvasHandlers,
): TemplateResult {
  const isEmbedded = engine === 'embedded';
  const path = [catalog, schema].filter((part) => part !== undefined).join('.');
  const place = schema === undefined ? t('a schema of {0}', source) : t('the schema {0} of {1}', path, source);
  return html`<dl id="import-settings">
      <dt>${t('Engine')}</dt>
      <dd>
        ${isEmbedded ? t('embedded: rows are read, and the graph is built on this machine') : t('source: the graph is built inside the data source')}
      </dd>
      <dt>${t('Target')}</dt>
      <dd>
        ${isEmbedded ? t('a new graph in the workspace; it replaces the last one when it is complete') : t('{0}; it replaces the last graph when it is complete', place)}
      </dd>
      <dt>${t('Rows')}</dt>
      <dd>${t('all; where the data source allows it, unchanged rows come from the row cache')}</dd>
    </dl>
    <p>
      ${button(t('Change in Text'), () => actions.goToText(range), { appearance: 'small', title: t('Go to the import settings of this graph: engine, catalog and schema') })}
    </p>`;
}

export const importStyles = `
#import { display: flex; flex: 1; flex-direction: column; min-height: 0; }
#import .import-body { display: flex; flex: 1; flex-direction: column; gap: 12px; min-height: 0; overflow: auto; padding: 12px; }
#import .import-body:focus-visible { outline: 1px solid var(--eg-focus); outline-offset: -1px; }
#import .import-box { display: flex; flex: none; flex-direction: column; align-items: stretch; gap: 8px; padding: 12px; border: 1px solid var(--eg-line); border-radius: 4px; }
#import #nothing-to-import { align-items: flex-start; }
#import h2 { display: flex; align-items: center; gap: 6px; margin: 0; font-size: inherit; font-weight: 600; }
#import dl { grid-template-columns: minmax(88px, max-content) 1fr; }
#import p { margin: 0; overflow-wrap: anywhere; }
#import ul, #import ol { display: flex; flex-direction: column; gap: 4px; margin: 0; padding: 0; list-style: none; }
#import li { display: flex; flex-wrap: wrap; align-items: baseline; gap: 2px 12px; min-width: 0; overflow-wrap: anywhere; }
#import li > p { flex: 1; }
#import-work li > strong { min-width: 180px; }
#import footer { display: flex; flex: none; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 8px 12px; border-top: 1px solid var(--eg-line); }
#import .space { flex: 1; }
#import .import-row { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
#import .codicon-sync { animation: turn 1.5s linear infinite; }
#import .counts { display: flex; flex-wrap: wrap; gap: 8px 24px; }
#import .counts strong { display: block; font-size: 20px; font-weight: 600; font-variant-numeric: tabular-nums; }
#import .import-steps li { align-items: center; }
#import .import-steps .ahead { color: var(--eg-muted); }
#import .codicon-error { color: var(--eg-error); }
#import .codicon-warning { color: var(--eg-warning); }
#import progress { width: 100%; height: 4px; accent-color: var(--eg-selected); }
@media (prefers-reduced-motion: reduce) { #import .codicon-sync { animation: none; } }
`;
