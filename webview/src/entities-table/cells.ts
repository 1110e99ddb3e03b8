import { type TemplateResult, html, nothing } from 'lit';
import { statusIcons } from '../../../protocol/entity-status-icons.ts';
import type { EntityRow } from '../../../protocol/entities-table.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { type EntitiesActions, failureReason, problemText, statusKind, statusWords } from './entities-state.ts';

/** The part of the path that distinguishes equal names is never cut off. The problem is the accessible name of the icon. */
export function drawName({ name, differingPath, problem }: EntityRow): TemplateResult {
  return html`${
      problem ? html`<i class="codicon codicon-warning" role="img" aria-label=${problemText(problem)}></i>` : nothing
    }<span class="clip">${name}</span>${
      differingPath === undefined ? nothing : html` <span class="muted clip path">${differingPath}</span>`
    }`;
}

/** Colour, shape and words each show the status. */
export function drawStatus(row: EntityRow): TemplateResult {
  const [words, kind] = [statusWords(row), statusKind(row)];
  const reason = row.problem ? `\n${problemText(row.problem)}` : '';
  // The tooltip and the filter have the words in full.
  const modified = row.slice ? t('Sample, modified') : t('Imported, modified');
  const shown = kind === 'modified' && !row.problem ? modified : words;
  return html`<span class=${`status ${kind}`} title=${words + reason}
    >${icon(statusIcons[kind])}<span class="clip">${shown}</span></span
  >`;
}

export function drawProgress(row: EntityRow, actions: EntitiesActions): TemplateResult {
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
  // The result of the last import takes precedence over problems of the next one.
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

export function drawTime(time: string | null, name: string): TemplateResult {
  return html`<div
    class=${`cell clip time ${name}`}
    role="gridcell"
    title=${time === null ? '' : new Date(time).toLocaleString()}
  >
    ${time === null ? '' : shortTime(new Date(time), new Date())}
  </div>`;
}

const day = { day: 'numeric', month: 'short' } as const;
// Making a format takes longer than a row of the table.
const pastYears = new Intl.DateTimeFormat(undefined, { ...day, year: 'numeric' });
const thisYear = new Intl.DateTimeFormat(undefined, { ...day, hour: '2-digit', minute: '2-digit', hour12: false });

/** Without the current year, or with the year and no clock; 24 hours, because space is limited. */
function shortTime(time: Date, now: Date): string {
  // A format throws for a damaged time, such as that of a status file that was edited by hand.
  if (Number.isNaN(time.getTime())) return String(time);
  return (time.getFullYear() === now.getFullYear() ? thisYear : pastYears).format(time);
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
