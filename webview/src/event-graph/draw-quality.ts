import { type TemplateResult, html, nothing } from 'lit';
import type { CountChange, EntityChange, GraphDiff, SchemaChange } from '../../../protocol/graph-diff.ts';
import { icon } from '../ui/icons.ts';
import { t, tParts } from '../ui/translate.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** Findings of the import about the data. */
export function drawQualityTab(state: EventGraphState): TemplateResult {
  const overview = shownValue(state.overview);
  if (!overview) return html``;
  const { totals, warnings, imported, from, to } = overview;
  return html`<div class="quality">
    <section aria-label=${t('Graph')}>
      <h2>${t('Graph')}</h2>
      <dl>
        ${fact(t('Imported'), timeText(imported))} ${fact(t('Events'), totals.events.toLocaleString())}
        ${fact(t('Entities'), totals.entities.toLocaleString())}
        ${fact(t('Correlations'), totals.correlations.toLocaleString())}
        ${fact(t('Relations'), totals.relations.toLocaleString())}
        ${fact(t('Directly follows'), totals.directlyFollows.toLocaleString())}
        ${from === undefined ? nothing : fact(t('First event'), timeText(from))}
        ${to === undefined ? nothing : fact(t('Last event'), timeText(to))}
      </dl>
    </section>
    <section aria-label=${t('Notes of the import')}>
      <h2>${t('Notes of the import')}</h2>
      ${
        warnings.length === 0
          ? html`<p>${icon('pass')} ${t('All checks passed, and nothing stood out.')}</p>`
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

/** Differences between the last two imports. */
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
  keysBecameText,
  changed,
}: GraphDiff): TemplateResult {
  return html`<section aria-label=${t('Compared imports')}>
      <h2>${changed ? t('What the last import changed') : t('The last import changed nothing')}</h2>
      <p class="muted">${t('{0} compared with {1}', timeText(before.started), timeText(after.started))}</p>
      ${
        before.slice || after.slice
          ? html`<p class="note">${icon('warning')} ${t('One of the two imports took only a part of the data.')}</p>`
          : nothing
      }
      ${
        keysBecameText
          ? html`<p class="note">
              ${icon('warning')}
              ${t('Keys are the texts of the cells of files now. The import before made them of values: 10.0 and 10 were one entity, and are two.')}
            </p>`
          : nothing
      }
      ${drawCounts(t('Table'), tables)}
    </section>
    ${
      activities.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Activities')}</h2>
            ${drawCounts(t('Activity'), activities)}
          </section>`
    }
    ${
      entities.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Entities')}</h2>
            ${drawEntities(entities)}
          </section>`
    }
    ${
      relations.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Relationships')}</h2>
            ${drawCounts(t('Relationship'), relations)}
          </section>`
    }
    ${
      schema.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Properties')}</h2>
            ${drawSchema(schema)}
          </section>`
    }`;
}

function drawCounts(title: string, changes: readonly CountChange[]): TemplateResult {
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
        <th scope="col">${t('Entity type')}</th>
        <th scope="col">${t('New')}</th>
        <th scope="col">${t('Vanished')}</th>
        <th scope="col">${t('Such as')}</th>
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
