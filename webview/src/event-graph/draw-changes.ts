import { type TemplateResult, html, nothing } from 'lit';
import { guard } from 'lit/directives/guard.js';
import { unsafeSVG } from 'lit/directives/unsafe-svg.js';
import type { ChangedMap, ShownNumber } from '../../../protocol/event-graph.ts';
import {
  type ChangeKind,
  type ChangePart,
  type ChangedRows,
  type GraphChanges,
  type NamedChange,
  changeParts,
  kindsOfPart,
} from '../../../protocol/graph-changes.ts';
import type { GraphDiff, SchemaChange } from '../../../protocol/graph-diff.ts';
import type { GraphTotals } from '../../../protocol/import-progress.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t, tParts } from '../ui/translate.ts';
import { drawNumber } from './draw-number.ts';
import { drawChangedNumbers } from './draw-changed-numbers.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

const titles: Readonly<Record<ChangePart, string>> = {
  entities: t('Entities'),
  events: t('Events'),
  values: t('Values'),
  entries: t('Master data'),
  versions: t('Values with times'),
  correlations: t('Correlations'),
  relations: t('Relations'),
  paths: t('Directly follows'),
  variants: t('Cases by variant'),
  rules: t('Violations of rules'),
  measures: t('Measures'),
  expectations: t('Expectations'),
};

const kindTitles: Readonly<Record<ChangeKind, string>> = {
  new: t('New'),
  gone: t('Gone'),
  moved: t('Moved'),
  changed: t('Changed'),
  broken: t('No longer holds'),
  mended: t('Holds again'),
};

/** Numbers of the last import that can be opened; those of the import before are in another store. */
const numberOf: Partial<Record<ChangePart, (name: string) => ShownNumber>> = {
  entities: (entityType) => ({ kind: 'entityType', entityType }),
  relations: (relationship) => ({ kind: 'relationship', relationship }),
};

const totalOf: Partial<Record<ChangePart, keyof GraphTotals>> = {
  entities: 'entities',
  events: 'events',
  correlations: 'correlations',
  relations: 'relations',
  paths: 'directlyFollows',
};

/** Maximum number of rows of one table. */
const shownRows = 50;

/** What the last import changed, compared with the one before. */
export function drawChangesTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { diff } = state;
  if (diff?.kind === 'failed' && diff.error.code === 'no-earlier-run') {
    return html`<section class="instead" id="no-changes">
      <h2>${t('Nothing to compare with yet')}</h2>
      <p>${t('The next import of this graph is compared with the last one: what is new, gone, moved or changed.')}</p>
      <div class="buttons">${button(t('Import'), actions.importNow)}</div>
    </section>`;
  }
  return html`<div class="quality">${whenLoaded(diff, actions, (found) => drawDiff(found, state, actions))}</div>`;
}

/** The entity type of the map: the chosen one, else that of the filter, else that of the process map. */
export function changedTypeOf({ changedType, filter, overview }: EventGraphState): string | undefined {
  const { entityTypes: types = [], mapEntityType } = shownValue(overview) ?? {};
  return [changedType, filter.entityType, mapEntityType, types[0]?.name].find((type) =>
    types.some(({ name }) => name === type),
  );
}

/** The process map with both numbers of each activity and path, and their differences in colour. */
function drawMap(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const types = shownValue(state.overview)?.entityTypes ?? [];
  const shown = changedTypeOf(state);
  const { changedMap } = state;
  const isWithoutEvents = changedMap?.kind === 'failed' && changedMap.error.code === 'not-in-graph';
  return html`<section class="whole" aria-label=${t('Map of the changes')}>
    <h2>${t('Process map, now and before')}</h2>
    <label class="field"
      ><span class="muted">${t('Entities of type')}</span
      ><select
        class="input"
        id="changed-type"
        @change=${(event: Event) => actions.chooseChangedType((event.target as HTMLSelectElement).value)}
      >
        ${types.map(({ name }) => html`<option value=${name} ?selected=${name === shown}>${name}</option>`)}
      </select></label
    >
    ${
      isWithoutEvents
        ? html`<p class="muted" role="status">
            ${t('Entities of this type have no events of their own, so there is no map of them.')}
          </p>`
        : whenLoaded(changedMap, actions, drawChangedMap)
    }
  </section>`;
}

function drawChangedMap({ svg, width, height }: ChangedMap): TemplateResult {
  const label = t('Process map, now and before. The numbers are in the tables below.');
  return html`<div id="changed-map" tabindex="0" role="img" aria-label=${label}>
    ${guard(
      [svg],
      () =>
        html`<svg
          aria-hidden="true"
          width=${width}
          viewBox=${`0 0 ${width} ${height}`}
          xmlns="http://www.w3.org/2000/svg"
        >
          ${unsafeSVG(svg)}
        </svg>`,
    )}
  </div>`;
}

function drawDiff(
  { before, after, schema, changes, rows = [], changed }: GraphDiff,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  return html`<section aria-label=${t('Compared imports')}>
      <h2>${changed ? t('What the last import changed') : t('The last import has changed nothing')}</h2>
      <p class="muted">
        ${t('The import of {0} compared with that of {1}', timeText(after.started), timeText(before.started))}
      </p>
      ${
        before.slice || after.slice
          ? html`<p class="note">${icon('warning')} ${t('One of the two imports took only a part of the data.')}</p>`
          : nothing
      }
      ${drawTotals(changes, actions)}
    </section>
    ${changed ? drawMap(state, actions) : nothing}
    ${changeParts.map((part) =>
      changes[part].length === 0 ? nothing : drawPart(part, changes[part], part === 'entities' ? rows : [], actions),
    )}
    ${drawChangedNumbers(changes)}
    ${
      schema.length === 0
        ? nothing
        : html`<section>
            <h2>${t('Properties')}</h2>
            ${drawSchema(schema)}
          </section>`
    }`;
}

/** All numbers of each part, of what does not differ, too. */
function drawTotals({ totals }: GraphChanges, actions: EventGraphActions): TemplateResult {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${t('What')}</th>
        <th scope="col">${t('Before')}</th>
        <th scope="col">${t('Now')}</th>
        <th scope="col">${t('Change')}</th>
      </tr>
    </thead>
    <tbody>
      ${changeParts.map((part) => {
        const { before, after } = totals[part];
        if (before === 0 && after === 0) return nothing;
        const total = totalOf[part];
        const shown = after.toLocaleString();
        return html`<tr>
          <th scope="row">${titles[part]}</th>
          <td>${before.toLocaleString()}</td>
          <td>
            ${total && after > 0 ? drawNumber(shown, { kind: 'total', total }, titles[part], actions, true) : shown}
          </td>
          <td>${signed(after - before)}</td>
        </tr>`;
      })}
    </tbody>
  </table>`;
}

function drawPart(
  part: ChangePart,
  changes: readonly NamedChange[],
  rows: readonly ChangedRows[],
  actions: EventGraphActions,
): TemplateResult {
  const kinds: readonly ChangeKind[] = kindsOfPart[part];
  const shown = kinds.filter((kind) => changes.some((change) => (change[kind] ?? 0) > 0));
  const more = changes.length - shownRows;
  return html`<section>
    <h2>${titles[part]}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('Name')}</th>
          <th scope="col">${t('Before')}</th>
          <th scope="col">${t('Now')}</th>
          ${shown.map((kind) => html`<th scope="col">${kindTitles[kind]}</th>`)}
          ${part === 'entities' ? html`<th scope="col">${t('Such as')}</th>` : nothing}
        </tr>
      </thead>
      <tbody>
        ${changes.slice(0, shownRows).map(
          (change) =>
            html`<tr>
              <th scope="row">${change.name}</th>
              <td>${change.before.toLocaleString()}</td>
              <td>${drawAfter(part, change, actions)}</td>
              ${shown.map((kind) => html`<td>${drawCount(part, kind, change, actions)}</td>`)}
              ${part === 'entities' ? html`<td class="keys">${drawKeys(change.name, rows, actions)}</td>` : nothing}
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 ? html`<p class="muted">${t('{0} more', more.toLocaleString())}</p>` : nothing}
  </section>`;
}

function drawAfter(
  part: ChangePart,
  { name, after }: NamedChange,
  actions: EventGraphActions,
): string | TemplateResult {
  const number = numberOf[part]?.(name);
  const shown = after.toLocaleString();
  return number && after > 0 ? drawNumber(shown, number, name, actions, true) : shown;
}

/** The number of changes of a kind, which opens their rows. */
function drawCount(
  part: ChangePart,
  kind: ChangeKind,
  { name, [kind]: count = 0 }: NamedChange,
  actions: EventGraphActions,
): string | TemplateResult {
  const shown = count.toLocaleString();
  if (count === 0) return shown;
  const title = t('{0}: {1}', `${titles[part]}, ${name}`, kindTitles[kind]);
  return button(shown, () => actions.openChangedRows({ part, kind, name }, title), {
    appearance: 'bare',
    className: 'number',
    title: t('Show the rows that this number counts'),
  });
}

/** Some keys of new and gone entities; the new ones lead to their timeline. */
function drawKeys(entityType: string, rows: readonly ChangedRows[], actions: EventGraphActions): unknown {
  const keys = (kind: ChangeKind): readonly string[] =>
    rows
      .filter((each) => each.part === 'entities' && each.kind === kind)
      .flatMap((each) => each.rows)
      .flatMap(([type, key]) => (type === entityType ? [String(key)] : []));
  return [
    keys('new').map(
      (key) =>
        html`+
        ${button(key, () => actions.findInTimeline(entityType, key), { appearance: 'link', title: t('Find it on the timeline') })} `,
    ),
    keys('gone')
      .map((key) => `− ${key}`)
      .join(', '),
  ];
}

function drawSchema(changes: readonly SchemaChange[]): TemplateResult {
  return html`<ul>
    ${changes.map(
      ({ element, property, before, after, usedBy = [] }) =>
        html`<li>
          ${schemaText(element, html`<strong>${property}</strong>`, before, after)}
          ${usedBy.length === 0 ? nothing : html`<span class="muted">${t('used by {0}', usedBy.join(', '))}</span>`}
        </li>`,
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
  return change === 0 ? '0' : `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString()}`;
}
