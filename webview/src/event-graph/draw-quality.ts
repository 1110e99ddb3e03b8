import { type TemplateResult, html, nothing } from 'lit';
import type { CountChange, EntityChange, GraphDiff, SchemaChange } from '../../../protocol/graph-diff.ts';
import type { ShownNumber } from '../../../protocol/event-graph.ts';
import { type ImportNote, noteText } from '../../../protocol/import-notes.ts';
import type { GraphTotals } from '../../../protocol/import-progress.ts';
import { icon } from '../ui/icons.ts';
import { t, tParts } from '../ui/translate.ts';
import { drawChanges } from './draw-changes.ts';
import { drawNumber, drawSourceNumber } from './draw-number.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

const totalNames: Readonly<Record<keyof GraphTotals, string>> = {
  events: t('Events'),
  entities: t('Entities'),
  correlations: t('Correlations'),
  relations: t('Relations'),
  directlyFollows: t('Directly follows'),
};

/** Findings of the import about the data. */
export function drawQualityTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const overview = shownValue(state.overview);
  if (!overview) return html``;
  const { totals, notes, imported, from, to } = overview;
  return html`<div class="quality">
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

/** Differences between the last two imports. */
export function drawChangesTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return html`<div class="quality">${whenLoaded(state.diff, actions, (diff) => drawDiff(diff, actions))}</div>`;
}

/** Numbers of the last import can be opened, except 0. Those of the previous import are in another store. */
function drawDiff(
  { before, after, tables, activities, entities, relations, schema, changes, changed }: GraphDiff,
  actions: EventGraphActions,
): TemplateResult {
  return html`<section aria-label=${t('Compared imports')}>
      <h2>${changed ? t('What the last import changed') : t('The last import has changed nothing')}</h2>
      <p class="muted">${t('{0} compared with {1}', timeText(before.started), timeText(after.started))}</p>
      ${
        before.slice || after.slice
          ? html`<p class="note">${icon('warning')} ${t('One of the two imports took only a part of the data.')}</p>`
          : nothing
      }
      ${drawCounts(t('Table'), tables, (table) => ({ kind: 'table', table }), actions)}
    </section>
    ${
      activities.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Activities')}</h2>
            ${drawCounts(t('Activity'), activities, (activity) => ({ kind: 'node', activity, number: 'events' }), actions)}
          </section>`
    }
    ${
      entities.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Entities')}</h2>
            ${drawEntities(entities, actions)}
          </section>`
    }
    ${
      relations.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Relationships')}</h2>
            ${drawCounts(t('Relationship'), relations, (relationship) => ({ kind: 'relationship', relationship }), actions)}
          </section>`
    }
    ${
      schema.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Properties')}</h2>
            ${drawSchema(schema)}
          </section>`
    }
    ${drawChanges(changes)}`;
}

function drawCounts(
  title: string,
  changes: readonly CountChange[],
  numberOf: (name: string) => ShownNumber,
  actions: EventGraphActions,
): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${title}</th>
        <th scope="col">${t('Before')}</th>
        <th scope="col">${t('Now')}</th>
        <th scope="col">${t('Change')}</th>
      </tr>
    </thead>
    <tbody>
      ${changes.map(
        ({ name, before, after }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${before.toLocaleString()}</td>
            <td>${after === 0 ? '0' : drawNumber(after.toLocaleString(), numberOf(name), name, actions, true)}</td>
            <td>${signed(after - before)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function drawEntities(changes: readonly EntityChange[], actions: EventGraphActions): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${t('Entity type')}</th>
        <th scope="col">${t('Now')}</th>
        <th scope="col">${t('New')}</th>
        <th scope="col">${t('Vanished')}</th>
        <th scope="col">${t('Such as')}</th>
      </tr>
    </thead>
    <tbody>
      ${changes.map(
        ({ entityType, after, added, removed, addedKeys, removedKeys }) =>
          html`<tr>
            <th scope="row">${entityType}</th>
            <td>
              ${drawNumber(after.toLocaleString(), { kind: 'entityType', entityType }, entityType, actions, true)}
            </td>
            <td>${added.toLocaleString()}</td>
            <td>${removed.toLocaleString()}</td>
            <td class="keys">
              ${[...addedKeys.map((key) => `+ ${key}`), ...removedKeys.map((key) => `− ${key}`)].join(', ')}
            </td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function drawSchema(changes: readonly SchemaChange[]): TemplateResult {
  return html`<ul>
    ${changes.map(
      ({ element, property, before, after }) =>
        html`<li>${schemaText(element, html`<strong>${property}</strong>`, before, after)}</li>`,
    )}
  </ul>`;
}

function schemaText(
  element: string,
  property: TemplateResult,
  before: string | undefined,
  after: string | undefined,
): readonly unknown[] {
  if (before === undefined) return tParts('{0}: {1} is new ({2})', element, property, after);
  if (after === undefined) return tParts('{0}: {1} is gone', element, property);
  return tParts('{0}: {1} was {2}, is {3}', element, property, before, after);
}

function signed(change: number): string {
  return change === 0 ? '' : `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString()}`;
}
