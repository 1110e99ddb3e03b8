import { type TemplateResult, html, nothing } from 'lit';
import { secretFailures } from '../../../protocol/failure-codes.ts';
import type {
  CellMark,
  Failure,
  JoinPreview,
  RefusedQuery,
  SideCounts,
  TestQueryResult,
} from '../../../protocol/query-results.ts';
import { sentence } from '../../../protocol/sentence.ts';
import { button } from '../ui/button.ts';
import { readableTime } from '../ui/readable-time.ts';
import { drawCellMark } from '../ui/draw-cell-mark.ts';
import { drawShownText } from '../ui/draw-shown-text.ts';
import { elapsedTime } from '../ui/elapsed-time.ts';
import { icon } from '../ui/icons.ts';
import { drawRefusedQuery, refusedQueryTitle, showOffending } from '../ui/refused-query.ts';
import { t } from '../ui/translate.ts';
import type { PreviewState } from './preview-state.ts';

/** Row limit in dialogs; the results panel shows more. */
const maxRows = 20;

export interface PreviewHands {
  cancel(): void;
  /** Shows the field of an error; absent without one. */
  readonly goToField?: ((property: string) => void) | undefined;
  /** Asks for a secret, and runs the query again once it is entered. */
  setSecret(): void;
  /** The name of a field of the dialog. */
  nameOf(property: string): string | undefined;
  /** The names of both ends of a relationship. */
  readonly ends?: (() => { readonly source: string; readonly target: string }) | undefined;
}

export function drawPreview(state: PreviewState, hands: PreviewHands): TemplateResult | typeof nothing {
  switch (state.kind) {
    case 'none':
      return nothing;
    case 'running':
      return html`<div class="preview running" role="status">
        <span class="clip" title=${state.step ?? nothing}>${state.step ?? t('Running the query…')}</span>
        <span class="muted">${elapsedTime(state.since)}</span>
        ${button(t('Cancel'), hands.cancel)}
      </div>`;
    case 'failure':
      if (state.error.code === 'cancelled') {
        return html`<div class="preview" role="status"><span class="muted">${t('Cancelled.')}</span></div>`;
      }
      return drawFailure(state.error, hands);
    case 'result':
      return html`<div class="preview" role="status">
        ${drawFacts(state.result)} ${drawCounts(state.counts, hands)} ${drawTable(state, hands)}
      </div>`;
  }
}

function drawFailure(error: Failure, { nameOf, goToField, setSecret }: PreviewHands): TemplateResult {
  const { code, property = '', excerpt = '', message, remedy, query } = error;
  const field = nameOf(property);
  const [first = ''] = excerpt.split('\n');
  return html`<div class="preview failed" role="alert">
    <p>
      ${icon('error')} <span><strong>${sentence(message)}</strong> ${remedy ?? ''}</span>
    </p>
    ${secretFailures.has(code) ? html`<p>${button(t('Set Secret…'), setSecret, { id: 'set-secret' })}</p>` : nothing}
    ${
      field === undefined
        ? nothing
        : html`<p class="place">
            ${button(t('Go to {0}', field), () => goToField?.(property), { id: 'go-to-field' })}
            ${first === '' ? nothing : html`<code class="sql-wrong clip">${first}</code>`}
          </p>`
    }
    ${query ? drawQuery(query) : nothing}
  </div>`;
}

/** The whole query, expanded on demand. */
function drawQuery(query: RefusedQuery): TemplateResult {
  return html`<details @toggle=${({ currentTarget }: Event) => showWhole(currentTarget as HTMLDetailsElement)}>
    <summary id="refused-query-title">${refusedQueryTitle(query)}</summary>
    ${drawRefusedQuery(query, 'refused-query-title')}
  </details>`;
}

function showWhole(details: HTMLDetailsElement): void {
  if (!details.open) return;
  details.scrollIntoView({ block: 'nearest' });
  showOffending(details);
}

function drawFacts({ columns, rows, truncated, durationMs, warnings }: TestQueryResult): TemplateResult {
  const withNulls = columns.filter(({ nulls }) => nulls > 0);
  const shown = Math.min(rows.length, maxRows);
  return html`<p>
      ${rowsText(shown, truncated || rows.length > shown)} · ${t('{0} ms', Math.round(durationMs))}
      ${withNulls
        .slice(0, 4)
        .map(
          ({ name, nulls }) =>
            html`<span class="nulls"
              >· ${icon('warning')} ${t('{0}: {1} of {2} empty', name, nulls, rows.length)}</span
            > `,
        )}
    </p>
    ${warnings.map((warning) => html`<p class="muted">${icon('warning')} ${warning}</p>`)}`;
}

function rowsText(count: number, more: boolean): string {
  if (count === 0) return t('No rows');
  if (more) return count === 1 ? t('First 1 row') : t('First {0} rows', count);
  return count === 1 ? t('1 row') : t('{0} rows', count);
}

type Counts = Extract<PreviewState, { kind: 'result' }>['counts'];

function drawCounts(counts: Counts, { ends: namesOf, cancel }: PreviewHands): TemplateResult | typeof nothing {
  const ends = namesOf?.();
  if (counts === undefined || !ends) return nothing;
  if (counts.kind === 'counting') {
    return html`<div class="preview running late">
      <span class="muted">${t('Counting matches…')}</span> <span class="muted">${elapsedTime(counts.since)}</span>
      ${button(t('Cancel'), cancel, { appearance: 'small', label: t('Cancel counting') })}
    </div>`;
  }
  if (counts.kind === 'uncounted') return html`<p class="muted">${counts.reason}</p>`;
  return html`<table class="join-counts" aria-label=${t('How the rows match')}>
    <thead>
      <tr>
        <th scope="col">${t('{0} pairs', counts.value.pairs.toLocaleString('en'))}</th>
        <th scope="col">${t('Rows')}</th>
        <th scope="col" title=${t('Rows without a value in the key or a mapped column')}>${t('NULL keys')}</th>
        <th scope="col">${t('Match nothing')}</th>
        <th scope="col" title=${t('The most matches of one entity')}>${t('Most matches')}</th>
      </tr>
    </thead>
    <tbody>
      ${drawSide(ends.source, counts.value.source)} ${drawSide(ends.target, counts.value.target)}
    </tbody>
  </table>`;
}

function drawSide(name: string, { rows, nullKeys, unmatched, most }: SideCounts): TemplateResult {
  const cell = (value: number, isDoubtful: boolean): TemplateResult =>
    html`<td class=${isDoubtful ? 'doubtful' : ''}>
      ${isDoubtful ? icon('warning') : nothing} ${value.toLocaleString('en')}
    </td>`;
  return html`<tr>
    <th scope="row" class="clip" title=${name}>${name}</th>
    ${cell(rows, false)} ${cell(nullKeys, nullKeys > 0)} ${cell(unmatched, rows > 0 && unmatched > 0)}
    ${cell(most, false)}
  </tr>`;
}

/** Columns of a relationship stand by side, whatever their order in the query. */
function drawTable(
  { result: { columns, rows, marks = [] }, sides = [] }: Extract<PreviewState, { kind: 'result' }>,
  { ends: namesOf }: PreviewHands,
): TemplateResult | typeof nothing {
  const ends = namesOf?.();
  const shown = rows.slice(0, maxRows);
  if (shown.length === 0) return nothing;
  const groups = ends ? columnsBySide(sides) : [];
  const order = groups.length > 0 ? groups.flatMap((group) => group.columns) : [...columns.keys()];
  const firsts = new Set(groups.slice(1).map((group) => group.columns[0]));
  const edge = (column: number): string => (firsts.has(column) ? 'side-edge' : '');
  return html`<div class="preview-table" tabindex="0" role="region" aria-label=${t('First rows')}>
    <table>
      ${groups.map((group) => html`<colgroup span=${group.columns.length}></colgroup>`)}
      <thead>
        ${
          ends && groups.length > 0
            ? html`<tr>
                ${groups.map((group) => drawSideName(group, ends, edge))}
              </tr>`
            : nothing
        }
        <tr>
          ${order.map((column) => {
            const { name = '', type = '' } = columns[column] ?? {};
            return html`<th scope="col" class=${edge(column)}>${name} <span class="muted">${type}</span></th>`;
          })}
        </tr>
      </thead>
      <tbody>
        ${shown.map(
          (row, place) =>
            html`<tr>
              ${order.map((column) =>
                drawCell(
                  readableTime(row[column] ?? null, columns[column]?.type ?? ''),
                  marks.find((mark) => mark.row === place && mark.column === column),
                  edge(column),
                ),
              )}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

type Cell = TestQueryResult['rows'][number][number];

function drawSideName(
  { end, columns }: SideColumns,
  ends: ReturnType<NonNullable<PreviewHands['ends']>>,
  edge: (column: number) => string,
): TemplateResult {
  return html`<th scope="colgroup" colspan=${columns.length} class=${edge(columns[0] ?? 0)}>
    <span class="side-name" title=${ends[end]}>
      <span class="muted">${end === 'source' ? t('Source') : t('Target')}</span> ${ends[end]}
    </span>
  </th>`;
}

/** Highlighted as in the results panel. */
function drawCell(value: Cell, mark: CellMark | undefined, edge: string): TemplateResult {
  const shown = value === null ? html`<em class="muted">NULL</em>` : drawShownText(String(value));
  if (!mark) return html`<td class=${edge}>${shown}</td>`;
  return html`<td class=${`marked ${mark.severity} ${edge}`} title=${mark.message}>${drawCellMark(mark)} ${shown}</td>`;
}

/** Neighbouring columns of one end of a relationship. */
interface SideColumns {
  readonly end: 'source' | 'target';
  /** Indexes of the columns in the result. */
  readonly columns: readonly number[];
}

/** The columns of the source, then those of the target, each in the order of the query. Empty for a path, which has no sides. */
function columnsBySide(sides: JoinPreview['sides']): readonly SideColumns[] {
  return (['source', 'target'] as const)
    .map((end) => ({ end, columns: [...sides.keys()].filter((column) => sides[column] === end) }))
    .filter(({ columns }) => columns.length > 0);
}
