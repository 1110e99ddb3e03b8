import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { EntityRow, ListFailure } from '../../../protocol/entities-table.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { type MenuItem, drawMenu } from '../ui/menu.ts';
import { t, tParts } from '../ui/translate.ts';
import { rowHeight, visibleRows } from '../ui/visible-rows.ts';
import { chosenColumns, columnContent, entityColumns } from './columns.ts';
import { drawRow } from './draw-row.ts';
import {
  type Column,
  type EntitiesActions,
  type EntitiesState,
  type Sort,
  columns,
  moreColumns,
} from './entities-state.ts';
import { rowMenu } from './row-actions.ts';
import { shownRows } from './shown-rows.ts';
import { tableKeys } from './table-keys.ts';

/** The whole page: actions, then the table or its placeholder. */
export function drawEntities(state: EntitiesState, actions: EntitiesActions): TemplateResult {
  const { rows, failures, trusted, filter, menu } = state;
  const shown = shownRows(state);
  const menuRow = menu && rows?.find(({ uri }) => uri === menu.uri);
  return html`
    ${drawHeader(state, shown.length, actions)} ${trusted ? nothing : drawRestricted(actions)}
    ${failures.length > 0 ? drawFailures(failures, actions) : nothing}
    ${
      rows === undefined
        ? html`<div class="running late" role="status" aria-label=${t('Reading the entity graphs')}>
            ${[1, 2, 3].map(() => html`<div class="skeleton"></div>`)}
          </div>`
        : rows.length === 0
          ? failures.length > 0
            ? nothing
            : drawNoEntities(actions)
          : shown.length === 0
            ? drawNoMatch(filter, actions)
            : drawTable(state, shown, actions)
    }
    ${
      state.isDropTarget
        ? html`<div class="drop-target">
            <p>${icon('cloud-upload')} ${t('Drop data files for their process map, or entity graphs to add them')}</p>
          </div>`
        : nothing
    }
    ${state.columnMenu ? drawMenu(columnItems(state, actions), state.columnMenu, actions.closeMenu) : nothing}
    ${menu && menuRow ? drawMenu(rowMenu(menuRow, trusted, actions), menu.at, actions.closeMenu) : nothing}
  `;
}

function drawHeader({ rows, filter, trusted }: EntitiesState, shown: number, actions: EntitiesActions): TemplateResult {
  const count = rows === undefined ? '' : shown === rows.length ? String(shown) : t('{0} of {1}', shown, rows.length);
  return html`<header class="tools">
    <h1>${t('Entities')}</h1>
    <p class="muted" role="status" aria-label=${t('Number of entity graphs')}>${count}</p>
    <label class="input search">
      ${icon('search')}<span class="unseen">${t('Filter')}</span>
      <input
        id="filter"
        type="search"
        placeholder=${t('Filter by name, source, status…')}
        .value=${live(filter)}
        @input=${(event: Event) => actions.filterBy((event.target as HTMLInputElement).value)}
      />
    </label>
    ${headerButton('add', t('New Entity Graph'), 'primary', () => actions.act('newEntity'))}
    ${headerButton('cloud-upload', t('Import Entity Graph'), 'secondary', () => actions.act('importConfiguration'))}
    ${headerButton(
      'cloud-download',
      t('Import All'),
      'secondary',
      () => actions.act('importAll'),
      !trusted || !rows?.length,
    )}
  </header>`;
}

/** In a narrow view some buttons show their icon only. */
function headerButton(
  name: string,
  label: string,
  appearance: 'primary' | 'secondary',
  click: () => void,
  disabled = false,
): TemplateResult {
  return button(html`${icon(name)} <span class="label">${label}</span>`, click, { appearance, title: label, disabled });
}

function drawRestricted(actions: EntitiesActions): TemplateResult {
  return html`<div class="banner restricted" role="status">
    ${icon('shield')}
    <p>${t('This workspace is not trusted: queries and imports are off.')}</p>
    ${button(t('Manage Trust'), () => actions.act('manageTrust'), { appearance: 'small' })}
  </div>`;
}

/** Shows a few of them: the others probably have the same cause. */
const shownFailures = 3;

function drawFailures(failures: readonly ListFailure[], actions: EntitiesActions): TemplateResult {
  const more = failures.length - shownFailures;
  return html`<div class="banner failures" role="alert">
    ${icon('warning')}
    <div class="reasons">
      ${failures.slice(0, shownFailures).map(({ message, remedy }) => html`<p>${sentence(message)} ${remedy ?? nothing}</p>`)}
      ${more > 0 ? html`<p>${t('{0} more could not be read.', more)}</p>` : nothing}
    </div>
    ${button(t('Try Again'), () => actions.act('refresh'), { appearance: 'small' })}
  </div>`;
}

function drawTable(state: EntitiesState, shown: readonly EntityRow[], actions: EntitiesActions): TemplateResult {
  const { sort, trusted, isEarlier, scrollTop, height, chosen } = state;
  const drawn: readonly Column[] = [...columns, ...chosen];
  const active = shown.some(({ uri }) => uri === state.active) ? state.active : shown[0]?.uri;
  const activeIndex = shown.findIndex(({ uri }) => uri === active);
  return html`<div
    id="table"
    role="grid"
    aria-label=${t('Entities')}
    aria-rowcount=${shown.length + 1}
    aria-colcount=${drawn.length + 1}
    aria-busy=${isEarlier ? 'true' : 'false'}
    @scroll=${({ currentTarget }: Event) => {
      const table = currentTarget as HTMLElement;
      actions.scrolled(table.scrollTop, table.clientHeight);
    }}
    @keydown=${tableKeys(shown, active, actions)}
  >
    ${guard([sort, chosen], () => drawColumns(drawn, sort, actions))}
    <div class="rows" role="rowgroup" .style=${`height: ${shown.length * rowHeight}px`}>
      ${repeat(
        visibleRows(shown.length, scrollTop, height, activeIndex),
        (index) => shown[index]?.uri ?? index,
        (index) => {
          const row = shown[index];
          return row && drawRow(row, { index, active: row.uri === active, trusted, shown: drawn }, actions);
        },
      )}
    </div>
  </div>`;
}

/** The columns that can be shown, as a menu. */
function columnItems({ chosen }: EntitiesState, actions: EntitiesActions): readonly MenuItem[] {
  return moreColumns.map((column) => {
    const checked = chosen.includes(column);
    return {
      label: chosenColumns[column].title,
      icon: checked ? 'check' : 'blank',
      checked,
      run: () => actions.toggleColumn(column),
    };
  });
}

function drawColumns(drawn: readonly Column[], sort: Sort, actions: EntitiesActions): TemplateResult {
  return html`<div class="header" role="rowgroup">
    <div class="row" role="row" aria-rowindex="1">
      ${drawn.map((column) => {
        const { title } = columnContent(column);
        const className =
          (column in entityColumns && entityColumns[column as keyof typeof entityColumns].className) || '';
        const direction = sort.column !== column ? 'none' : sort.descending ? 'descending' : 'ascending';
        return html`<div class=${`heading ${className}`} role="columnheader" aria-sort=${direction}>
          ${button(
            html`<span class="clip">${title}</span>
              ${direction === 'none' ? nothing : icon(sort.descending ? 'arrow-down' : 'arrow-up')}`,
            () => actions.sortBy(column),
            { appearance: 'bare', title: t('Sort by {0}', title) },
          )}
        </div>`;
      })}
      <div class="heading actions" role="columnheader">
        <span>${t('Actions')}</span>
        ${button(
          icon('list-selection'),
          ({ currentTarget }) => {
            const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
            actions.openColumnMenu({ x: left, y: bottom });
          },
          {
            appearance: 'icon',
            className: 'choose-columns',
            label: t('Choose Columns…'),
            title: t('Choose Columns…'),
            opensMenu: true,
          },
        )}
      </div>
    </div>
  </div>`;
}

function drawNoEntities(actions: EntitiesActions): TemplateResult {
  return html`<section class="instead late" id="no-entities">
    <h2>${t('No entity graph yet')}</h2>
    <p>
      ${t('An entity graph says which records of a data source are activities, when they happen, and how they relate.')}
    </p>
    <p>${t('Drop a data file here (in VS Code hold Shift), or choose one, to see its process map.')}</p>
    <div class="buttons">
      ${button(html`${icon('type-hierarchy')} ${t('Process Map from a File')}`, () => actions.act('processMapOfFile'), { appearance: 'primary' })}
      ${button(html`${icon('add')} ${t('New Entity Graph')}`, () => actions.act('newEntity'))}
      ${button(html`${icon('cloud-upload')} ${t('Import Entity Graph')}`, () => actions.act('importConfiguration'))}
    </div>
  </section>`;
}

function drawNoMatch(filter: string, actions: EntitiesActions): TemplateResult {
  return html`<section class="instead" id="no-match">
    <h2>${t('Nothing matches')}</h2>
    <p>
      ${tParts('No entity graph has all of {0} in its name, data source, path, status or progress.', html`<strong>${filter.trim()}</strong>`)}
    </p>
    <div class="buttons">${button(t('Clear Filter'), () => actions.filterBy(''))}</div>
  </section>`;
}
