import { type TemplateResult, html, nothing } from 'lit';
import type { EntityCase, EntityCases } from '../../../protocol/analysis.ts';
import { durationText } from '../../../protocol/duration-text.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import type { EventGraphActions, EventGraphState } from './event-graph-state.ts';
import { drawChooseType } from './type-filter.ts';

interface Column {
  readonly name: string;
  readonly title: string;
  textOf(entity: EntityCase): string | null;
  readonly isNumber: boolean;
}

const timed = (milliseconds: number | null): string | null =>
  milliseconds === null ? null : durationText(milliseconds);
const dated = (time: string | null): string | null => (time === null ? null : timeText(time));

const ownColumns: readonly Column[] = [
  { name: 'key', title: t('Key'), textOf: ({ key }) => key, isNumber: false },
  { name: 'throughput', title: t('Throughput'), textOf: ({ throughput }) => timed(throughput), isNumber: true },
  { name: 'events', title: t('Events'), textOf: ({ events }) => events.toLocaleString(), isNumber: true },
  { name: 'rework', title: t('Rework'), textOf: ({ rework }) => rework.toLocaleString(), isNumber: true },
  { name: 'idle', title: t('Idle'), textOf: ({ idle }) => timed(idle), isNumber: true },
  { name: 'first', title: t('First event'), textOf: ({ first }) => dated(first), isNumber: false },
  { name: 'last', title: t('Last event'), textOf: ({ last }) => dated(last), isNumber: false },
];

/** The entities of the filter as a table that can be sorted; each opens its timeline. */
export function drawCasesTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  if (state.filter.entityType === undefined) return drawChooseType(state);
  return html`<div class="cases">
    ${whenLoaded(state.cases, actions, (cases) => drawCases(cases, state, actions))}
  </div>`;
}

function drawCases({ cases, all }: EntityCases, state: EventGraphState, actions: EventGraphActions): TemplateResult {
  if (cases.length === 0) return html`<p class="muted">${t('No entity matches the filter.')}</p>`;
  // A property may have the name of a column of the list, which then cannot be sorted by.
  const properties = Object.keys(cases[0]?.properties ?? {}).filter((name) =>
    ownColumns.every((own) => own.name !== name),
  );
  const columns: readonly Column[] = [
    ...ownColumns,
    ...properties.map((name) => ({
      name,
      title: name,
      isNumber: false,
      textOf: (entity: EntityCase) => entity.properties[name] ?? null,
    })),
  ];
  return html`<div class="case-table">
      <table aria-label=${t('Entities')} @keydown=${walk}>
        <thead>
          <tr>
            ${columns.map((column) => drawHead(column, state, actions))}
          </tr>
        </thead>
        <tbody>
          ${cases.map((entity, index) => drawCase(entity, index, columns, actions))}
        </tbody>
      </table>
    </div>
    <p class="case-count">
      <span class="muted"
        >${t('{0} of {1} entities. Enter or a double click opens the timeline of one.', cases.length.toLocaleString(), all.toLocaleString())}</span
      >
      ${cases.length < all ? button(t('Show More'), actions.showMoreCases, { appearance: 'small', id: 'more-cases' }) : nothing}
    </p>`;
}

function drawHead(
  { name, title, isNumber }: Column,
  { caseSort }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const isSorted = caseSort.column === name;
  const direction = caseSort.isAscending ? 'ascending' : 'descending';
  return html`<th scope="col" class=${isNumber ? 'number-cell' : ''} aria-sort=${isSorted ? direction : nothing}>
    ${button(
      html`<span>${title}</span>${isSorted ? icon(caseSort.isAscending ? 'arrow-up' : 'arrow-down') : nothing}`,
      () => actions.sortCases(name),
      { appearance: 'bare', className: 'head', title: t('Sort by {0}', title) },
    )}
  </th>`;
}

function drawCase(
  entity: EntityCase,
  index: number,
  columns: readonly Column[],
  actions: EventGraphActions,
): TemplateResult {
  return html`<tr
    tabindex=${index === 0 ? 0 : -1}
    data-case=${entity.id}
    @dblclick=${() => actions.openTimeline(entity.id)}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Enter') return;
      event.preventDefault();
      actions.openTimeline(entity.id);
    }}
  >
    ${columns.map(({ textOf, isNumber }) => {
      const text = textOf(entity);
      return html`<td class=${isNumber ? 'number-cell' : ''} title=${text ?? ''}>
        <span class="clip">${text ?? html`<span class="muted">–</span>`}</span>
      </td>`;
    })}
  </tr>`;
}

/** Arrow keys go from row to row. */
function walk(event: KeyboardEvent): void {
  const row = (event.target as Element).closest<HTMLElement>('[data-case]');
  if (!row) return;
  const rows = [...(row.parentElement?.querySelectorAll<HTMLElement>('[data-case]') ?? [])];
  const at = rows.indexOf(row);
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: rows.length - 1 }[event.key];
  const next = to === undefined ? undefined : rows[Math.min(rows.length - 1, Math.max(0, to))];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
