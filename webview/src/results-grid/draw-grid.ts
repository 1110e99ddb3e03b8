import { type TemplateResult, html } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { TestQueryResult } from '../../../protocol/query-results.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { type CellValue, cellText, isNumericType, nullsText } from './cell-text.ts';
import { columnWidths, rowNumberWidth } from './column-widths.ts';
import { gridKeys } from './grid-keys.ts';
import type { ResultsActions, ResultsState, Shown } from './results-state.ts';
import { rowHeight, visibleRows } from '../ui/visible-rows.ts';

type ShownResult = Extract<Shown, { readonly kind: 'result' }>;

/** The rows as a grid of which only the part on the screen is in the page. */
export function drawGrid(state: ResultsState, { title, result }: ShownResult, actions: ResultsActions): TemplateResult {
  const { columns, rows } = result;
  const { active, scrollTop, height } = state;
  return html`<div
    id="grid"
    role="grid"
    aria-label=${title}
    aria-rowcount=${rows.length + 1}
    aria-colcount=${columns.length + 1}
    aria-readonly="true"
    @scroll=${(event: Event) => onScroll(event, actions)}
    @keydown=${gridKeys(result, active, actions)}
  >
    ${guard([result], () => drawHeader(result))}
    <div class="rows" role="rowgroup" .style=${`height: ${rows.length * rowHeight}px`}>
      ${repeat(
        visibleRows(rows.length, scrollTop, height, active.row),
        (row) => row,
        (row) => {
          const column = row === active.row ? active.column : undefined;
          return guard([result, row, column], () => drawRow(result, row, column, actions));
        },
      )}
    </div>
  </div>`;
}

/** The template of all rows, as a declaration for the grid's style. */
export function gridTemplate(result: TestQueryResult, text: TextMetrics): string {
  return [rowNumberWidth(result.rows.length, text), ...columnWidths(result, text)]
    .map((width) => `${width}px`)
    .join(' ');
}

function onScroll({ currentTarget }: Event, actions: ResultsActions): void {
  const grid = currentTarget as HTMLElement;
  actions.scrolled(grid.scrollTop, grid.clientHeight);
}

function drawHeader({ columns, rows }: TestQueryResult): TemplateResult {
  return html`<div class="header" role="rowgroup">
    <div class="row" role="row" aria-rowindex="1">
      <div class="corner" role="columnheader" aria-colindex="1"><span class="unseen">Row</span></div>
      ${columns.map(({ name, type, nulls }, index) => {
        const detail = `${type} · ${nullsText(nulls, rows.length)}`;
        return html`<div
          class=${`heading ${isNumericType(type) ? 'number' : ''}`}
          role="columnheader"
          aria-colindex=${index + 2}
          title=${`${name}\n${detail}`}
        >
          <div class="name clip">${name}</div>
          <div class="detail muted clip">${detail}</div>
        </div>`;
      })}
    </div>
  </div>`;
}

function drawRow(
  { columns, rows }: TestQueryResult,
  row: number,
  activeColumn: number | undefined,
  actions: ResultsActions,
): TemplateResult {
  const values = rows[row] ?? [];
  return html`<div
    class=${`row ${row % 2 === 1 ? 'odd' : ''}`}
    role="row"
    aria-rowindex=${row + 2}
    .style=${`top: ${row * rowHeight}px`}
  >
    <div class="corner" role="rowheader" aria-colindex="1">${row + 1}</div>
    ${columns.map(({ type }, column) => drawCell(values[column], type, { row, column }, column === activeColumn, actions))}
  </div>`;
}

function drawCell(
  value: CellValue | undefined,
  type: string,
  cell: { readonly row: number; readonly column: number },
  active: boolean,
  actions: ResultsActions,
): TemplateResult {
  const missing = value === null || value === undefined;
  const number = typeof value === 'number' || isNumericType(type);
  const text = cellText(value);
  return html`<div
    class=${`cell clip ${missing ? 'null' : ''} ${number ? 'number' : ''}`}
    role="gridcell"
    aria-colindex=${cell.column + 2}
    aria-selected=${active ? 'true' : 'false'}
    tabindex=${active ? 0 : -1}
    data-cell=${`${cell.row}:${cell.column}`}
    title=${text.length > 24 ? text : ''}
    @mousedown=${() => actions.activate(cell)}
  >
    ${text}
  </div>`;
}
