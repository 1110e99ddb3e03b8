import { type TemplateResult, html, nothing } from 'lit';
import { statusIcons } from '../../../protocol/entity-status-icons.ts';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { rowHeight } from '../ui/visible-rows.ts';
import {
  type Column,
  type EntitiesActions,
  columns,
  failureReason,
  problemText,
  statusKind,
  statusWords,
} from './entities-state.ts';
import { rowActions } from './row-actions.ts';

export interface RowPlace {
  /** 0-based index among the displayed rows. */
  readonly index: number;
  readonly active: boolean;
  readonly trusted: boolean;
}

/** A row with its actions; where there is little room, the menu has those that are used less. */
export function drawRow(
  row: EntityRow,
  { index, active, trusted }: RowPlace,
  actions: EntitiesActions,
): TemplateResult {
  const { uri } = row;
  return html`<div
    class=${`row ${index % 2 === 1 ? 'odd' : ''}`}
    role="row"
    aria-rowindex=${index + 2}
    aria-selected=${active ? 'true' : 'false'}
    tabindex=${active ? 0 : -1}
    data-uri=${uri}
    .style=${`top: ${index * rowHeight}px`}
    @focusin=${() => actions.activate(uri)}
    @dblclick=${() => actions.act('configure', uri)}
    @contextmenu=${(event: MouseEvent) => {
      event.preventDefault();
      actions.openMenu(uri, { x: event.clientX, y: event.clientY });
    }}
  >
    ${columns.map((column) => cells[column](row, actions))}
    <div class="cell actions" role="gridcell" @dblclick=${(event: Event) => event.stopPropagation()}>
      ${rowActions(row, trusted).map(({ action, label, icon: name, shortcut, disabled, isFrequent = false }) =>
        button(icon(name), () => disabled === undefined && actions.act(action, uri), {
          appearance: 'icon',
          className: isFrequent ? 'frequent' : '',
          tabindex: -1,
          label,
          unavailable: disabled !== undefined,
          title: [label, shortcut && `(${shortcut})`, disabled && `– ${disabled}`].filter(Boolean).join(' '),
        }),
      )}
      ${button(
        icon('ellipsis'),
        ({ currentTarget }) => {
          const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
          actions.openMenu(uri, { x: left, y: bottom });
        },
        {
          appearance: 'icon',
          className: 'more',
          tabindex: -1,
          label: t('More Actions…'),
          title: t('More Actions…'),
          opensMenu: true,
        },
      )}
    </div>
  </div>`;
}

/** The cell of each column. */
const cells: Readonly<Record<Column, (row: EntityRow, actions: EntitiesActions) => TemplateResult>> = {
  name(row) {
    const { name, path, problem } = row;
    const details = [name, path, ...(problem ? [problemText(problem)] : [])].join('\n');
    return html`<div class="cell name" role="gridcell" title=${details}>${drawName(row)}</div>`;
  },
  dataSource({ dataSources }) {
    const sources = dataSources.join(', ');
    return html`<div class="cell clip source" role="gridcell" title=${sources}>${sources}</div>`;
  },
  status: (row) => html`<div class="cell" role="gridcell">${drawStatus(row)}</div>`,
  progress: (row, actions) => html`<div class="cell" role="gridcell">${drawProgress(row, actions)}</div>`,
  created: ({ created }) => drawTime(created, 'created'),
  modified: ({ modified }) => drawTime(modified, 'modified-time'),
  imported: ({ imported }) => drawTime(imported, 'imported-time'),
};

/** The part of the path that tells namesakes apart keeps its room. The reason is the accessible name of the icon. */
function drawName({ name, differingPath, problem }: EntityRow): TemplateResult {
  return html`${
      problem ? html`<i class="codicon codicon-warning" role="img" aria-label=${problemText(problem)}></i>` : nothing
    }<span class="clip">${name}</span>${
      differingPath === undefined ? nothing : html` <span class="muted clip path">${differingPath}</span>`
    }`;
}

/** Colour, shape and words each tell the status. */
function drawStatus(row: EntityRow): TemplateResult {
  const [words, kind] = [statusWords(row), statusKind(row)];
  const reason = row.problem ? `\n${problemText(row.problem)}` : '';
  // The tooltip and the filter have the words in full.
  const modified = row.slice ? t('Sample, modified') : t('Imported, modified');
  const shown = kind === 'modified' && !row.problem ? modified : words;
  return html`<span class=${`status ${kind}`} title=${words + reason}
    >${icon(statusIcons[kind])}<span class="clip">${shown}</span></span
  >`;
}

function drawProgress(row: EntityRow, actions: EntitiesActions): TemplateResult {
  const text = progressText(row);
  if (row.running) {
    const { fraction, message = '' } = row.running;
    const percent = Math.round((fraction ?? 0) * 100);
    return html`<div
      class="progress"
      role="progressbar"
      aria-label=${t('Import of {0}', row.name)}
      aria-valuetext=${text}
      aria-valuenow=${fraction === undefined ? nothing : percent}
      title=${message}
    >
      <div class="bar" .style=${`width: ${percent}%`}></div>
      <span class="clip">${text}</span>
    </div>`;
  }
  const reason = failureReason(row);
  // What the last import did is worth more than what the next one would.
  if (reason === undefined || (text !== '' && text !== reason)) {
    return html`<span class="clip muted" title=${text}>${text}</span>`;
  }
  return html`<span class="reason-place" @dblclick=${(event: Event) => event.stopPropagation()}
    >${button(html`${icon('error')}<span class="clip">${reason}</span>`, () => actions.explain(row.uri), {
      appearance: 'bare',
      className: 'reason',
      tabindex: -1,
      opensDialog: true,
      title: t('Show the whole reason'),
    })}</span
  >`;
}

function drawTime(time: string | null, name: string): TemplateResult {
  return html`<div
    class=${`cell clip time ${name}`}
    role="gridcell"
    title=${time === null ? '' : new Date(time).toLocaleString()}
  >
    ${time === null ? '' : shortTime(new Date(time), new Date())}
  </div>`;
}

/** Without the current year, or with the year and no clock; 24 hours, because space is limited. */
function shortTime(time: Date, now: Date): string {
  const day = { day: 'numeric', month: 'short' } as const;
  if (time.getFullYear() !== now.getFullYear()) return time.toLocaleDateString(undefined, { ...day, year: 'numeric' });
  return time.toLocaleString(undefined, { ...day, hour: '2-digit', minute: '2-digit', hour12: false });
}

/** Text of the progress cell: the current phase, or the result of the last import. */
function progressText({ running, progress }: EntityRow): string {
  if (!running) return progress ?? '';
  const { state, step, rows } = running;
  if (state === 'waiting') return t('Waiting');
  if (state === 'cancelling') return t('Cancelling…');
  if (step === undefined) return t('Starting');
  return rows === undefined ? step : `${step} · ${t('{0} rows', rows.toLocaleString())}`;
}
