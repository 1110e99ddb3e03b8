import { type TemplateResult, html, nothing } from 'lit';
import type { CountChange, EntityChange, GraphDiff, SchemaChange } from '../../../protocol/graph-diff.ts';
import { icon } from '../ui/icons.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** What the import noticed about the data. */
export function drawQualityTab(state: EventGraphState): TemplateResult {
  const overview = shownValue(state.overview);
  if (!overview) return html``;
  const { totals, warnings, imported, from, to } = overview;
  return html`<div class="quality">
    <section aria-label="Graph">
      <h2>Graph</h2>
      <dl>
        ${fact('Imported', timeText(imported))} ${fact('Events', totals.events.toLocaleString())}
        ${fact('Entities', totals.entities.toLocaleString())}
        ${fact('Correlations', totals.correlations.toLocaleString())}
        ${fact('Relations', totals.relations.toLocaleString())}
        ${fact('Directly follows', totals.directlyFollows.toLocaleString())}
        ${from === undefined ? nothing : fact('First event', timeText(from))}
        ${to === undefined ? nothing : fact('Last event', timeText(to))}
      </dl>
    </section>
    <section aria-label="Notes of the import">
      <h2>Notes of the import</h2>
      ${
        warnings.length === 0
          ? html`<p>${icon('pass')} All checks passed, and nothing stood out.</p>`
          : html`<ul>
              ${warnings.map((warning) => html`<li class="note">${icon('warning')} <span>${warning}</span></li>`)}
            </ul>`
      }
    </section>
  </div>`;
}

function fact(name: string, value: string): TemplateResult {
  return html`<dt>${name}</dt>
    <dd>${value}</dd>`;
}

/** What the last import changed against the one before it. */
export function drawChangesTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return html`<div class="quality">${whenLoaded(state.diff, actions, drawDiff)}</div>`;
}

function drawDiff({
  before,
  after,
  tables,
  activities,
  entities,
  relations,
  schema,
  changed,
}: GraphDiff): TemplateResult {
  return html`<section aria-label="Compared imports">
      <h2>${changed ? 'What the last import changed' : 'The last import changed nothing'}</h2>
      <p class="muted">${timeText(before.started)} compared with ${timeText(after.started)}</p>
      ${
        before.slice || after.slice
          ? html`<p class="note">${icon('warning')} One of the two imports took only a part of the data.</p>`
          : nothing
      }
      ${drawCounts('Table', tables)}
    </section>
    ${
      activities.length === 0
        ? nothing
        : html`<section>
            <h2>Activities</h2>
            ${drawCounts('Activity', activities)}
          </section>`
    }
    ${
      entities.length === 0
        ? nothing
        : html`<section>
            <h2>Entities</h2>
            ${drawEntities(entities)}
          </section>`
    }
    ${
      relations.length === 0
        ? nothing
        : html`<section>
            <h2>Relationships</h2>
            ${drawCounts('Relationship', relations)}
          </section>`
    }
    ${
      schema.length === 0
        ? nothing
        : html`<section>
            <h2>Properties</h2>
            ${drawSchema(schema)}
          </section>`
    }`;
}

function drawCounts(title: string, changes: readonly CountChange[]): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${title}</th>
        <th scope="col">Before</th>
        <th scope="col">Now</th>
        <th scope="col">Change</th>
      </tr>
    </thead>
    <tbody>
      ${changes.map(
        ({ name, before, after }) =>
          html`<tr>
            <th scope="row">${name}</th>
            <td>${before.toLocaleString()}</td>
            <td>${after.toLocaleString()}</td>
            <td>${signed(after - before)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`;
}

function drawEntities(changes: readonly EntityChange[]): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">Entity type</th>
        <th scope="col">New</th>
        <th scope="col">Vanished</th>
        <th scope="col">Such as</th>
      </tr>
    </thead>
    <tbody>
      ${changes.map(
        ({ entityType, added, removed, addedKeys, removedKeys }) =>
          html`<tr>
            <th scope="row">${entityType}</th>
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
        html`<li>
          ${element}: <strong>${property}</strong>
          ${before === undefined ? `is new (${after})` : after === undefined ? 'is gone' : `was ${before}, is ${after}`}
        </li>`,
    )}
  </ul>`;
}

function signed(change: number): string {
  return change === 0 ? '' : `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString()}`;
}
