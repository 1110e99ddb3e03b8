import { type TemplateResult, html, nothing } from 'lit';
import { type ImportNote, noteText } from '../../../protocol/import-notes.ts';
import type { GraphTotals } from '../../../protocol/import-progress.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import { drawFindings } from './draw-findings.ts';
import { drawNumber, drawSourceNumber } from './draw-number.ts';
import { timeText } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

const totalNames: Readonly<Record<keyof GraphTotals, string>> = {
  events: t('Events'),
  entities: t('Entities'),
  correlations: t('Correlations'),
  relations: t('Relations'),
  directlyFollows: t('Directly follows'),
};

/** What is odd in the data, and what the import says of it. */
export function drawQualityTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const overview = shownValue(state.overview);
  if (!overview) return html``;
  const { totals, notes, imported, from, to } = overview;
  return html`<div class="quality">
    ${drawFindings(state, actions)}
    <section aria-label=${t('Graph')}>
      <h2>${t('Graph')}</h2>
      <dl>
        ${fact(t('Imported'), timeText(imported))}
        ${(Object.keys(totalNames) as (keyof GraphTotals)[]).map((total) =>
          fact(
            totalNames[total],
            drawNumber(totals[total].toLocaleString(), { kind: 'total', total }, totalNames[total], actions),
          ),
        )}
        ${from === undefined ? nothing : fact(t('First event'), timeText(from))}
        ${to === undefined ? nothing : fact(t('Last event'), timeText(to))}
      </dl>
    </section>
    <section aria-label=${t('Notes of the import')}>
      <h2>${t('Notes of the import')}</h2>
      ${
        notes.length === 0
          ? html`<p>${icon('pass')} ${t('All checks passed, without warnings.')}</p>`
          : html`<ul>
              ${notes.map((note) => html`<li class="note">${icon('warning')} <span>${drawNote(note, actions)}</span></li>`)}
            </ul>`
      }
    </section>
  </div>`;
}

/** The sentence of a warning; its numbers can be opened. */
function drawNote(note: ImportNote, actions: EventGraphActions): readonly unknown[] {
  return note.map((part) => {
    if (typeof part === 'string') return part;
    const shown = String(part.count);
    return part.of.kind === 'sourceRows'
      ? drawSourceNumber(shown, part.of.target, actions)
      : drawNumber(shown, part.of, noteText(note), actions, true);
  });
}

function fact(name: string, value: string | TemplateResult): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}
