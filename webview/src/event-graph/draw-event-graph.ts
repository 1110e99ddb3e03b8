import { type TemplateResult, html, nothing } from 'lit';
import type { GraphFilter, GraphOverview } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import type { ImportSlice } from '../../../protocol/import-request.ts';
import type { Failure } from '../../../protocol/query-results.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { type MenuItem, drawMenu } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import { activityItems } from './activity-filter.ts';
import { numberItems, sourceRowsItems } from './draw-number.ts';
import { whenLoaded } from './draw-parts.ts';
import { violationItems } from './draw-rules.ts';
import { mapWords } from './map-words.ts';
import { pathItems } from './path-filter.ts';
import { type EventGraphActions, type EventGraphState, type MenuSubject, shownValue } from './event-graph-state.ts';
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
    ${shown?.isFiltered ? drawFilter(state, overview, actions) : nothing}
    ${state.failure ? drawFailureBanner(state.failure, actions) : nothing}
    <div id="panel" role="tabpanel" aria-labelledby=${`tab-${state.tab}`}>${shown?.draw(state, actions)}</div>
  `;
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

function drawFilter(state: EventGraphState, overview: GraphOverview, actions: EventGraphActions): TemplateResult {
  const { filter } = state;
  const { entityType, from, to } = filter;
  const change = (part: Partial<Record<keyof GraphFilter, unknown>>): void => {
    const next = Object.fromEntries(
      Object.entries({ ...filter, ...part }).filter(([, value]) => value !== undefined && value !== ''),
    );
    actions.filterBy(next as GraphFilter);
  };
  const day = (label: string, value: string | undefined, set: (value: string | undefined) => void): TemplateResult =>
    html`<label class="field"
      ><span class="muted">${label}</span
      ><input
        class="input"
        type="date"
        .value=${value?.slice(0, 10) ?? ''}
        @change=${(event: Event) => {
          const text = (event.target as HTMLInputElement).value;
          set(text === '' ? undefined : `${text}T00:00:00Z`);
        }}
    /></label>`;
  return html`<div class="filter-bar" role="group" aria-label=${t('Filter')}>
    <label class="field"
      ><span class="muted">${t('Entities')}</span>
      <select
        class="input"
        id="entity-type"
        @change=${(event: Event) => change({ entityType: (event.target as HTMLSelectElement).value })}
      >
        <option value="" ?selected=${entityType === undefined}>${t('of all types')}</option>
        ${overview.entityTypes.map(
          ({ name, entities }) =>
            html`<option value=${name} ?selected=${entityType === name}>
              ${name} (${entities.toLocaleString()})
            </option>`,
        )}
      </select></label
    >
    ${day(t('with events from'), from, (value) => change({ from: value }))}
    ${day(t('to before'), to, (value) => change({ to: value }))}
    ${filterConditions(filter, mapWords)
      // The period has its fields.
      .filter(({ part }) => part !== 'from')
      .map(({ text, rest }) =>
        button(html`<span class="clip">${text}</span>${icon('close')}`, () => actions.filterBy(rest), {
          appearance: 'chip',
          title: t('Remove this condition: {0}', text),
        }),
      )}
    ${
      Object.keys(filter).every((key) => key === 'entityType')
        ? nothing
        : button(html`${icon('clear-all')} ${t('Clear')}`, actions.clearFilter, { appearance: 'labelled' })
    }
    ${
      state.filtersBefore.length === 0
        ? nothing
        : button(html`${icon('discard')} ${t('Undo')}`, actions.undoFilter, {
            appearance: 'labelled',
            id: 'undo-filter',
            title: t('Undo the last change of the filter (Ctrl+Z)'),
          })
    }
    ${drawMatching(state, overview)}
  </div>`;
}

/** Such as `119 of 316 orders`. */
function drawMatching(
  { filter, matching }: EventGraphState,
  { entityTypes }: GraphOverview,
): TemplateResult | typeof nothing {
  const count = shownValue(matching);
  const type = entityTypes.find(({ name }) => name === filter.entityType);
  if (count === undefined || !type) return nothing;
  const text = t('{0} of {1} entities', count.toLocaleString(), type.entities.toLocaleString());
  return html`<span id="matching" role="status" class=${matching?.kind === 'known' ? '' : 'stale'}>${text}</span>`;
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
