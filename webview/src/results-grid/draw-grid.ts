import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { repeat } from 'lit/directives/repeat.js';
import type { CellMark, TestQueryResult } from '../../../protocol/query-results.ts';
import { readableTime } from '../ui/readable-time.ts';
import { drawCellMark } from '../ui/draw-cell-mark.ts';
import { drawShownText } from '../ui/draw-shown-text.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { shownText } from '../ui/shown-text.ts';
import type { TextMetrics } from '../ui/text-metrics.ts';
import { t } from '../ui/translate.ts';
import { rowHeight, visibleRows } from '../ui/visible-rows.ts';
import { type CellValue, cellText, isNumericType, nullsText } from './cell-text.ts';
import { headerRow } from './cell.ts';
import { rowNumberWidth } from './column-widths.ts';
import { gridKeys } from './grid-keys.ts';
import { type ResultsActions, type ResultsState, type ShownResult, opensRows } from './results-state.ts';
import { type CellBlock, isSelected, selectedBlock } from './selection.ts';
import { nextSort } from './sort-rows.ts';
import { visibleColumns } from './visible-columns.ts';

/** The result grid, rendering only visible cells. */
export function drawGrid(state: ResultsState, shown: ShownResult, actions: ResultsActions): TemplateResult {
  const { title, result } = shown;
  const { columns, rows } = result;
  const { active, anchor, order, sort, widths, view } = state;
  const drawn = visibleColumns(widths, view.scrollLeft, view.width, active.column);
  const drawnKey = drawn.join();
  const block = selectedBlock(anchor, active);
  const headerActive = active.row === headerRow ? active.column : undefined;
  return html`<div
    id="grid"
    role="grid"
    aria-label=${title}
    aria-rowcount=${rows.length + 1}
    aria-colcount=${columns.length + 1}
    aria-readonly="true"
    aria-multiselectable="true"
    @scroll=${(event: Event) => onScroll(event, actions)}
    @keydown=${gridKeys(state, shown, actions)}
  >
    ${guard([result, sort, widths, headerActive, drawnKey], () => drawHeader(result, drawn, state, actions))}
    <div class="rows" role="rowgroup" .style=${`height: ${rows.length * rowHeight}px`}>
      ${repeat(
        visibleRows(rows.length, view.scrollTop, view.height, Math.max(0, active.row)),
        (row) => row,
        (row) => {
          const column = row === active.row ? active.column : undefined;
          const inside = row >= block.top && row <= block.bottom ? `${block.left}-${block.right}` : '';
          return guard([result, order, row, column, inside, drawnKey], () =>
            drawRow(row, drawn, state, shown, block, actions),
          );
        },
      )}
    </div>
  </div>`;
}

/** Columns keep their nodes, and a focused cell its focus, while others are added and removed. */
function byColumn(drawn: readonly number[], draw: (column: number) => TemplateResult): unknown {
  return repeat(drawn, (column) => column, draw);
}

/** The grid template of all rows, as a CSS declaration. */
export function gridTemplate(rows: number, widths: readonly number[], text: TextMetrics): string {
  return [rowNumberWidth(rows, text), ...widths].map((width) => `${width}px`).join(' ');
}

function onScroll({ currentTarget }: Event, actions: ResultsActions): void {
  const grid = currentTarget as HTMLElement;
  const { scrollTop, scrollLeft, clientHeight: height, clientWidth: width } = grid;
  actions.scrolled({ scrollTop, scrollLeft, height, width });
}

function drawHeader(
  { columns, rows }: TestQueryResult,
  drawn: readonly number[],
  { active, sort, widths }: ResultsState,
  actions: ResultsActions,
): TemplateResult {
  return html`<div class="header" role="rowgroup">
    <div class="row" role="row" aria-rowindex="1">
      <div class="corner" role="columnheader" aria-colindex="1"><span class="unseen">${t('Row')}</span></div>
      ${byColumn(drawn, (column) => {
        const { name = '', type = '', nulls = 0 } = columns[column] ?? {};
        const detail = type === '' ? '' : `${type} · ${nullsText(nulls, rows.length)}`;
        const direction = sort?.column !== column ? 'none' : sort.descending ? 'descending' : 'ascending';
        const focusable = active.row === headerRow && active.column === column;
        return html`<div
          class=${`heading ${isNumericType(type) ? 'number' : ''}`}
          role="columnheader"
          aria-colindex=${column + 2}
          .style=${`grid-column: ${column + 2}`}
          aria-sort=${direction}
          tabindex=${focusable ? 0 : -1}
          data-cell=${`${headerRow}:${column}`}
          title=${[name, detail, t('Click to sort; drag the edge to resize.')].filter((line) => line !== '').join('\n')}
          @focus=${() => actions.activate({ row: headerRow, column })}
          @click=${() => actions.sortBy(nextSort(sort, column))}
          @contextmenu=${(event: MouseEvent) => openMenu(event, actions)}
        >
          <div class="name">
            <span class="clip">${name}</span>
            ${direction === 'none' ? nothing : icon(direction === 'descending' ? 'arrow-down' : 'arrow-up')}
          </div>
          ${detail === '' ? nothing : html`<div class="detail muted clip">${detail}</div>`}
          <div
            class="edge"
            aria-hidden="true"
            @pointerdown=${(event: PointerEvent) => dragEdge(event, column, widths[column] ?? 0, actions)}
            @click=${(event: Event) => event.stopPropagation()}
            @dblclick=${() => actions.fit(column)}
          ></div>
        </div>`;
      })}
    </div>
  </div>`;
}

function dragEdge(event: PointerEvent, column: number, width: number, actions: ResultsActions): void {
  const edge = event.currentTarget as HTMLElement;
  const from = event.clientX;
  event.preventDefault();
  event.stopPropagation();
  edge.setPointerCapture(event.pointerId);
  const move = ({ clientX }: PointerEvent): void => actions.resize(column, width + clientX - from);
  edge.addEventListener('pointermove', move);
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', move), { once: true });
}

function openMenu(event: MouseEvent, actions: ResultsActions): void {
  event.preventDefault();
  actions.openMenu('cell', { x: event.clientX, y: event.clientY });
}

function drawRow(
  row: number,
  drawn: readonly number[],
  { active, order }: ResultsState,
  shown: ShownResult,
  block: CellBlock,
  actions: ResultsActions,
): TemplateResult {
  const { result, marks } = shown;
  const { columns, rows } = result;
  const place = order[row] ?? row;
  const values = rows[place] ?? [];
  const lastColumn = columns.length - 1;
  return html`<div
    class=${`row ${row % 2 === 1 ? 'odd' : ''}`}
    role="row"
    aria-rowindex=${row + 2}
    .style=${`top: ${row * rowHeight}px`}
  >
    <div
      class="corner"
      role="rowheader"
      aria-colindex="1"
      @mousedown=${(event: MouseEvent) => {
        const { shiftKey } = event;
        if (shiftKey) selectNoText(event);
        if (!shiftKey) actions.activate({ row, column: 0 });
        actions.activate({ row, column: lastColumn }, true);
      }}
    >
      ${place + 1}
    </div>
    ${byColumn(drawn, (column) =>
      drawCell(
        values[column],
        columns[column]?.type ?? '',
        marks.at(place, column),
        {
          row,
          place,
          column,
          active: active.row === row && active.column === column,
          selected: isSelected(block, { row, column }),
          opens: opensRows(shown, place, column) ? () => actions.openNumber(place) : undefined,
        },
        actions,
      ),
    )}
  </div>`;
}

interface CellPlace {
  readonly row: number;
  /** Of the row in the result. */
  readonly place: number;
  readonly column: number;
  readonly active: boolean;
  readonly selected: boolean;
  /** Opens the rows behind the number. */
  readonly opens: (() => void) | undefined;
}

function drawCell(
  value: CellValue | undefined,
  type: string,
  mark: CellMark | undefined,
  { row, place, column, active, selected, opens }: CellPlace,
  actions: ResultsActions,
): TemplateResult {
  const missing = value === null || value === undefined;
  const number = typeof value === 'number' || isNumericType(type);
  const exact = cellText(value);
  const text = cellText(readableTime(value ?? null, type));
  return html`<div
    class=${`cell clip ${missing ? 'null' : ''} ${number ? 'number' : ''} ${mark ? `marked ${mark.severity}` : ''}`}
    role="gridcell"
    aria-colindex=${column + 2}
    .style=${`grid-column: ${column + 2}`}
    aria-selected=${selected ? 'true' : 'false'}
    tabindex=${active ? 0 : -1}
    data-cell=${`${row}:${column}`}
    title=${cellTitle(exact, exact !== text, mark)}
    @mousedown=${(event: MouseEvent) => {
      const { button, shiftKey, currentTarget } = event;
      if (shiftKey) selectNoText(event);
      // The menu applies to the whole selection.
      if (button === 0 || !selected) actions.activate({ row, column }, shiftKey);
      if (shiftKey && currentTarget instanceof HTMLElement) currentTarget.focus();
    }}
    @dblclick=${() => actions.openTimeline(place)}
    @contextmenu=${(event: MouseEvent) => openMenu(event, actions)}
  >
    ${opens ? button(text, opens, { appearance: 'link', tabindex: -1, title: t('Show the rows (Enter)') }) : missing ? text : drawShownText(text)}${mark ? drawCellMark(mark) : nothing}
  </div>`;
}

/** A click with Shift selects cells: text that the browser selected would be copied instead of them. It leaves the focus, too. */
function selectNoText(event: MouseEvent): void {
  event.preventDefault();
  window.getSelection()?.removeAllRanges();
}

/** Tooltip: text wider than its cell or shown in another form, and the reason of its mark. */
function cellTitle(text: string, isShownElse: boolean, mark: CellMark | undefined): string {
  const { left } = shownText(text);
  const lines = [
    text.length > 24 || isShownElse || mark ? text.slice(0, text.length - left) : '',
    left > 0 ? t('… {0} characters in all', text.length.toLocaleString('en')) : '',
    mark?.message ?? '',
  ];
  return lines.filter((line) => line !== '').join('\n');
}
