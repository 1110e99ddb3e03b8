import { type TemplateResult, html, nothing } from 'lit';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { rowHeight } from '../ui/visible-rows.ts';
import { type EntitiesActions, problemText, statusWords } from './entities-state.ts';
import { rowActions } from './row-actions.ts';

export interface RowPlace {
  /** 0-based index among the displayed rows. */
  readonly index: number;
  readonly active: boolean;
  readonly trusted: boolean;
}

/** A row. Its actions appear on hover and focus. */
export function drawRow(
  row: EntityRow,
  { index, active, trusted }: RowPlace,
  actions: EntitiesActions,
): TemplateResult {
  const { uri, name, dataSource, path, problem } = row;
  const details = [name, path, ...(problem ? [problemText(problem)] : [])].join('\n');
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
    <div class="cell clip name" role="gridcell" title=${details}>${drawName(row)}</div>
    <div class="cell clip source" role="gridcell" title=${dataSource ?? ''}>${dataSource ?? ''}</div>
    <div class="cell" role="gridcell">${drawStatus(row)}</div>
    <div class="cell" role="gridcell">${drawProgress(row)}</div>
    ${drawTime(row.created, 'created')} ${drawTime(row.modified, 'modified-time')}
    ${drawTime(row.imported, 'imported-time')}
    <div class="cell actions" role="gridcell" @dblclick=${(event: Event) => event.stopPropagation()}>
      ${rowActions(row, trusted).map(({ action, label, icon: name, shortcut, disabled }) =>
        button(icon(name), () => disabled === undefined && actions.act(action, uri), {
          appearance: 'icon',
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

/** The reason is the accessible name of the icon. */
function drawName({ name, path, isNamesake = false, problem }: EntityRow): TemplateResult {
  const label = isNamesake ? html`${name} <span class="muted">${path}</span>` : name;
  if (!problem) return html`${label}`;
  return html`<i class="codicon codicon-warning" role="img" aria-label=${problemText(problem)}></i>${label}`;
}

/** The shape of the dot distinguishes states without colour. */
function drawStatus(row: EntityRow): TemplateResult {
  const words = statusWords(row);
  const reason = row.problem ? `\n${problemText(row.problem)}` : '';
  const kind = row.status === 'Not Imported' ? 'new' : row.modifiedSinceImport ? 'imported modified' : 'imported';
  return html`<span class=${`status clip ${kind}`} title=${words + reason}><i class="dot"></i>${words}</span>`;
}

function drawProgress(row: EntityRow): TemplateResult {
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
  if (text === '' && row.problem) {
    const reason = problemText(row.problem);
    return html`<span class="clip muted" title=${reason}>${reason}</span>`;
  }
  return hasFailed(row)
    ? html`<span class="failed" title=${text}>${icon('error')}<span class="clip">${text}</span></span>`
    : html`<span class="clip muted" title=${text}>${text}</span>`;
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

/** Omits the current year; 24-hour clock, because space is limited. */
export function shortTime(time: Date, now: Date): string {
  const year = time.getFullYear() === now.getFullYear() ? {} : ({ year: 'numeric' } as const);
  const parts = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false } as const;
  return time.toLocaleString(undefined, { ...parts, ...year });
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

/** An import that ended without a graph; the earlier one, if any, stands. */
function hasFailed({ running, progress }: EntityRow): boolean {
  return !running && /^Import (failed|interrupted)/.test(progress ?? '');
}
