import { type TemplateResult, html, nothing } from 'lit';
import type { GraphOverview } from '../../../protocol/event-graph.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { type MenuItem, drawMenu } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import { activityItems } from './activity-filter.ts';
import { drawDraftChoices } from './draw-draft-choices.ts';
import { drawFilterBar } from './draw-filter-bar.ts';
import { numberItems, sourceRowsItems } from './draw-number.ts';
import { whenLoaded } from './draw-parts.ts';
import { violationItems } from './draw-rules.ts';
import { mapWords } from './map-words.ts';
import { pathItems } from './path-filter.ts';
import type { EventGraphActions, EventGraphState, Loaded, MenuSubject } from './event-graph-state.ts';
import type { Tabs } from './tabs.ts';

/** The whole page. */
export function drawEventGraph(state: EventGraphState, actions: EventGraphActions, tabs: Tabs): TemplateResult {
  const { menu } = state;
  return html`
    ${whenLoaded(state.overview, actions, (overview) => drawPage(state, overview, actions, tabs))}
    ${menu ? drawMenu(menuItems(menu.of, state, actions), menu.at, actions.closeMenu) : nothing}
    <p class="unseen" role="status" aria-live="polite">${state.announcement}</p>
  `;
}

function drawPage(
  state: EventGraphState,
  overview: GraphOverview,
  actions: EventGraphActions,
  tabs: Tabs,
): TemplateResult {
  const shown = tabs.get(state.tab);
  return html`
    <header class="tools">
      <h1 class="clip" title=${overview.name}>${overview.name}</h1>
      <div
        role="tablist"
        aria-label=${t('Views')}
        @keydown=${(event: KeyboardEvent) => walkTabs(event, state.tab, actions, [...tabs.keys()])}
      >
        ${[...tabs].map(([tab, { title }]) =>
          button(title, () => actions.show(tab), {
            appearance: 'bare',
            role: 'tab',
            id: `tab-${tab}`,
            selected: state.tab === tab,
            controls: 'panel',
            tabindex: state.tab === tab ? 0 : -1,
          }),
        )}
      </div>
      <span class="space"></span>
      ${button(html`${icon('terminal')} <span class="tool-name">${t('SQL Console')}</span>`, () => actions.openSqlConsole(), { appearance: 'labelled', title: t('SQL Console: SQL over this graph, in an editor'), label: t('SQL Console') })}
      ${menuButton('snippets', 'code', t('Use Elsewhere'), actions)}
      ${menuButton('export', 'export', t('Export'), actions)}
    </header>
    ${overview.slice ? drawSlice(overview.slice, actions) : nothing}
    ${
      state.draftChoices && state.tab === 'map'
        ? drawDraftChoices(state.draftChoices, state.isRedrafting === true, actions)
        : nothing
    }
    ${shown?.unfiltered === undefined ? drawFilterBar(state, overview, actions) : drawUnfiltered(shown.unfiltered, state)}
    ${state.failure ? drawFailureBanner(state.failure, actions) : nothing} ${drawStillReading(state, actions)}
    <div id="panel" role="tabpanel" aria-labelledby=${`tab-${state.tab}`}>${shown?.draw(state, actions)}</div>
  `;
}

/** Progress above earlier answers, which it does not move. */
function drawStillReading(state: EventGraphState, actions: EventGraphActions): TemplateResult | typeof nothing {
  const slow = Object.values(state).flatMap((part) => (isSlowAnswer(part) ? [part.since] : []));
  if (slow.length === 0) return nothing;
  return html`<div class="still-reading" role="status">
    <p>
      <span>${t('Reading the graph…')}</span> ${elapsedTime(Math.min(...slow))}
      ${button(t('Cancel'), actions.stopReading, { appearance: 'small', title: t('Cancel, and return to the last answered filter') })}
    </p>
  </div>`;
}

function isSlowAnswer(part: unknown): part is Extract<Loaded<unknown>, { kind: 'loading' }> {
  const loaded = part as Loaded<unknown> | undefined;
  return loaded?.kind === 'loading' && loaded.isSlow === true && loaded.before !== undefined;
}

/** Says nothing without conditions: then every tab is about the whole graph. */
function drawUnfiltered(reason: string, { filter }: EventGraphState): TemplateResult | typeof nothing {
  if (filterConditions(filter, mapWords).length === 0) return nothing;
  return html`<div class="slice" id="unfiltered" role="note">
    ${icon('filter')}
    <p>${reason}</p>
  </div>`;
}

function drawSlice({ sample }: ImportSlice, actions: EventGraphActions): TemplateResult {
  const told =
    sample === undefined
      ? t('A part of the graph, not the whole. Import to read all rows.')
      : t('A sample: the first {0} rows of each element. Import to read all rows.', sample.toLocaleString('en'));
  return html`<div class="slice" id="slice" role="note">
    ${icon('filter')}
    <p>${told}</p>
    ${button(t('Import'), actions.importNow, { appearance: 'small' })}
  </div>`;
}

function drawFailureBanner({ message, remedy }: Failure, actions: EventGraphActions): TemplateResult {
  return html`<div class="banner" id="action-failure" role="alert">
    ${icon('error')}
    <p>${sentence(message)}${remedy === undefined ? nothing : html` ${remedy}`}</p>
    ${button(icon('close'), actions.dismissFailure, { appearance: 'icon', title: t('Close'), label: t('Close') })}
  </div>`;
}

function menuButton(
  kind: 'export' | 'snippets',
  name: string,
  label: string,
  actions: EventGraphActions,
): TemplateResult {
  return button(
    html`${icon(name)} <span class="tool-name">${label}</span>`,
    ({ currentTarget }: Event) => {
      const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
      actions.openMenu({ kind }, { x: left, y: bottom + 2 });
    },
    { appearance: 'labelled', id: `${kind}-menu`, opensMenu: true, title: label, label },
  );
}

function menuItems(of: MenuSubject, state: EventGraphState, actions: EventGraphActions): readonly MenuItem[] {
  switch (of.kind) {
    case 'export':
      return exportItems(actions);
    case 'snippets':
      return snippetItems(actions);
    case 'number':
      return numberItems(of, actions);
    case 'sourceRows':
      return sourceRowsItems(of.target, actions);
    case 'violation':
      return violationItems(of.of, of.rule, actions);
    case 'period':
      return [
        {
          label: t('Only Entities with Events Then'),
          icon: 'filter',
          run: () => actions.filterBy({ ...state.filter, ...of.period }),
        },
        ...numberItems(of.number, actions).map((item, index) => (index === 0 ? { ...item, separated: true } : item)),
      ];
    case 'activity':
      return activityItems(of.activity, state, actions);
    case 'path':
      return pathItems(of.path, state, actions);
  }
}

function exportItems(actions: EventGraphActions): readonly MenuItem[] {
  return [
    { label: t('Map as SVG…'), icon: 'file-media', run: () => void actions.exportImage('svg', false) },
    { label: t('Map as PNG…'), icon: 'file-media', run: () => void actions.exportImage('png', false) },
    {
      label: t('Map as PNG in Colours of the Editor…'),
      icon: 'color-mode',
      run: () => void actions.exportImage('png', true),
    },
    { label: t('Paths as CSV…'), icon: 'table', separated: true, run: () => actions.exportRows('csv') },
    { label: t('Paths as CSV for Spreadsheets…'), icon: 'table', run: () => actions.exportRows('spreadsheet') },
    { label: t('Whole Graph…'), icon: 'export', separated: true, run: actions.exportGraph },
  ];
}

function snippetItems(actions: EventGraphActions): readonly MenuItem[] {
  return [
    { label: t('Copy Path of the Store'), icon: 'copy', run: () => actions.copySnippet('path') },
    { label: t('Copy DuckDB SQL'), icon: 'database', separated: true, run: () => actions.copySnippet('duckdb') },
    { label: t('Copy Python with pm4py'), icon: 'code', run: () => actions.copySnippet('python') },
    { label: t('Copy Cypher'), icon: 'code', run: () => actions.copySnippet('cypher') },
  ];
}

function walkTabs(event: KeyboardEvent, tab: string, actions: EventGraphActions, names: readonly string[]): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step === undefined) return;
  event.preventDefault();
  const next = names[(names.indexOf(tab) + step + names.length) % names.length] ?? tab;
  actions.show(next);
  document.getElementById(`tab-${next}`)?.focus();
}
