import { type TemplateResult, html, nothing } from 'lit';
import { live } from 'lit/directives/live.js';
import type { PropertyValues } from '../../../protocol/analysis.ts';
import type { EntityHit, GraphOverview } from '../../../protocol/event-graph.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import { t } from '../ui/translate.ts';
import {
  type ConditionDraft,
  type DraftSubject,
  type DurationUnit,
  brushOfRange,
  durationUnits,
  mistakeOf,
  rangeOfClasses,
  withDraft,
} from './condition-draft.ts';
import { drawBins } from './draw-bins.ts';
import { whenLoaded } from './draw-parts.ts';
import { drawPeriod } from './draw-period.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';

/** A part below the filter bar. Escape closes it. */
export function drawPanel(title: string, content: unknown, actions: EventGraphActions): TemplateResult {
  return html`<section
    class="filter-panel"
    aria-label=${title}
    @keydown=${(event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      event.preventDefault();
      actions.backOut();
    }}
  >
    <div class="panel-content">${content}</div>
    ${button(icon('close'), actions.closeFilterPanel, { appearance: 'icon', title: t('Close (Escape)'), label: t('Close') })}
  </section>`;
}

/** The condition that is being written. */
export function drawConditionEditor(
  state: EventGraphState,
  overview: GraphOverview,
  actions: EventGraphActions,
): TemplateResult {
  const { draft, filter } = state;
  const title = t('Add a condition');
  // The properties of the type are being read.
  if (!draft)
    return drawPanel(
      title,
      whenLoaded(state.properties, actions, () => html``),
      actions,
    );
  const type = shownValue(state.draftValues)?.type;
  const isComplete = withDraft(filter, draft, type) !== undefined;
  return drawPanel(
    title,
    html`<div
        class="panel-row"
        @keydown=${(event: KeyboardEvent) => {
          if (event.key !== 'Enter' || !(event.target as Element).matches('.limit')) return;
          // The button that gets the focus would be pressed.
          event.preventDefault();
          actions.applyDraft();
        }}
      >
        ${drawSubjects(state, draft, actions)} ${drawOneLine(draft, state, overview, actions)}
        ${draft.subject.kind === 'period' ? nothing : button(t('Only These'), actions.applyDraft, { appearance: 'primary', className: 'small', id: 'apply-condition', unavailable: !isComplete })}
      </div>
      ${drawMistake(mistakeOf(draft, type))}
      ${state.properties?.kind === 'failed' ? drawMistake(t('The properties could not be read: {0}', state.properties.error.message), button(t('Try Again'), actions.reload, { appearance: 'small' })) : nothing}
      ${draft.subject.kind === 'property' ? whenLoaded(state.draftValues, actions, (values) => drawValues(values, draft, state, actions)) : nothing}
      ${draft.subject.kind === 'related' ? drawRelated(draft, state, actions) : nothing}`,
    actions,
  );
}

function drawMistake(text: string | undefined, remedy?: TemplateResult): TemplateResult | typeof nothing {
  if (text === undefined) return nothing;
  return html`<p class="draft-mistake" role="alert">${icon('error')}<span>${text}</span>${remedy}</p>`;
}

const subjectNames = {
  throughput: t('Throughput time'),
  period: t('Period'),
  path: t('Path'),
  related: t('Related entity'),
} as const;

function drawSubjects(
  { properties }: EventGraphState,
  { subject }: ConditionDraft,
  actions: EventGraphActions,
): TemplateResult {
  const chosen = subject.kind === 'property' ? `=${subject.property}` : subject.kind;
  return html`<label class="field"
    ><span class="muted">${t('Condition on')}</span
    ><select
      class="input"
      id="condition-subject"
      @change=${(event: Event) => {
        const { value } = event.target as HTMLSelectElement;
        actions.chooseSubject(
          value.startsWith('=')
            ? { kind: 'property', property: value.slice(1) }
            : ({ kind: value } as Exclude<DraftSubject, { kind: 'property' }>),
        );
      }}
    >
      <optgroup label=${t('Property')}>
        ${(shownValue(properties) ?? []).map(
          ({ name }) => html`<option value=${`=${name}`} ?selected=${chosen === `=${name}`}>${name}</option>`,
        )}
      </optgroup>
      <optgroup label=${t('Process')}>
        ${Object.entries(subjectNames).map(
          ([kind, name]) => html`<option value=${kind} ?selected=${chosen === kind}>${name}</option>`,
        )}
      </optgroup>
    </select></label
  >`;
}

/** The controls of a condition that stand on the line of its subject. */
function drawOneLine(
  draft: ConditionDraft,
  state: EventGraphState,
  overview: GraphOverview,
  actions: EventGraphActions,
): TemplateResult | typeof nothing {
  switch (draft.subject.kind) {
    case 'property': {
      const type = shownValue(state.draftValues)?.type ?? 'text';
      return type === 'text' ? nothing : drawRange(draft, type, actions);
    }
    case 'throughput':
      return drawDurations(draft, actions);
    case 'period':
      return html`${drawPeriod(state.filter, actions)}`;
    case 'path':
      return html`${drawActivities(t('From'), 'source', draft, overview, actions)}
        <select
          class="input"
          aria-label=${t('Follows')}
          @change=${(event: Event) => actions.setDraft({ follows: (event.target as HTMLSelectElement).value as 'directly' })}
        >
          <option value="directly" ?selected=${draft.follows === 'directly'}>${t('directly followed by')}</option>
          <option value="eventually" ?selected=${draft.follows === 'eventually'}>${t('later followed by')}</option>
        </select>
        ${drawActivities(t('To'), 'target', draft, overview, actions)} ${drawDurations(draft, actions)}`;
    case 'related':
      return nothing;
  }
}

function drawActivities(
  label: string,
  part: 'source' | 'target',
  draft: ConditionDraft,
  { activities }: GraphOverview,
  actions: EventGraphActions,
): TemplateResult {
  return html`<select
    class="input"
    aria-label=${label}
    @change=${(event: Event) => actions.setDraft({ [part]: (event.target as HTMLSelectElement).value })}
  >
    <option value="" ?selected=${draft[part] === ''}>${t('Choose an activity')}</option>
    ${activities.map(({ name }) => html`<option value=${name} ?selected=${draft[part] === name}>${name}</option>`)}
  </select>`;
}

const unitNames: Readonly<Record<DurationUnit, string>> = {
  minutes: t('minutes'),
  hours: t('hours'),
  days: t('days'),
  weeks: t('weeks'),
};

function drawDurations(draft: ConditionDraft, actions: EventGraphActions): TemplateResult {
  const amount = (label: string, part: 'longer' | 'shorter'): TemplateResult =>
    drawInput(label, 'number', draft[part], (value) => actions.setDraft({ [part]: value }));
  return html`${amount(t('longer than'), 'longer')} ${amount(t('shorter than'), 'shorter')}
    <select
      class="input"
      aria-label=${t('Unit')}
      @change=${(event: Event) => actions.setDraft({ unit: (event.target as HTMLSelectElement).value as DurationUnit })}
    >
      ${Object.keys(durationUnits).map(
        (unit) =>
          html`<option value=${unit} ?selected=${unit === draft.unit}>${unitNames[unit as DurationUnit]}</option>`,
      )}
    </select>`;
}

function drawRange(draft: ConditionDraft, type: 'number' | 'time', actions: EventGraphActions): TemplateResult {
  const input = (label: string, part: 'from' | 'to'): TemplateResult =>
    drawInput(label, type === 'time' ? 'datetime-local' : 'number', draft[part].replace(' ', 'T'), (value) =>
      actions.setDraft({ [part]: value, values: [] }),
    );
  return html`${input(t('from'), 'from')} ${input(t('to below'), 'to')}`;
}

function drawInput(
  label: string,
  type: 'number' | 'datetime-local',
  value: string,
  set: (value: string) => void,
): TemplateResult {
  return html`<label class="field"
    ><span class="muted">${label}</span
    ><input
      class=${`input limit ${type === 'number' ? 'number-limit' : ''}`}
      type=${type}
      step=${type === 'number' ? 'any' : '1'}
      .value=${live(value)}
      @input=${(event: Event) => set((event.target as HTMLInputElement).value)}
  /></label>`;
}

function drawValues(
  found: PropertyValues,
  draft: ConditionDraft,
  state: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  return found.classes.length > 0 ? drawClasses(found, draft, actions) : drawList(found, draft, state, actions);
}

function drawClasses(found: PropertyValues, draft: ConditionDraft, actions: EventGraphActions): TemplateResult {
  const { classes } = found;
  const [first, last] = [classes[0], classes.at(-1)];
  return html`${drawBins({
      id: 'condition-bins',
      label: t(
        'Entities by {0}. Arrow keys choose a column, with Shift several, Enter filters by them.',
        found.property,
      ),
      bins: classes.map(({ from, to, entities }) => ({
        count: entities,
        text: t('{0} – {1}: {2} entities', boundText(from, found), boundText(to, found), entities.toLocaleString()),
      })),
      brushed: brushOfRange(found, draft),
      brushing: {
        onBrush: (brush) => actions.setDraft(brush ? rangeOfClasses(found, brush) : { from: '', to: '' }),
        // Dragging only chooses: the limits can be changed before they apply.
        onChoose: (_at, by) => by === 'key' && actions.applyDraft(),
      },
    })}
    <p class="muted ends">
      <span>${boundText(first?.from ?? 0, found)}</span><span>${t('Drag over columns to choose a range.')}</span
      ><span>${boundText(last?.to ?? 0, found)}</span>
    </p>`;
}

/** A bound of a class in words. */
export function boundText(bound: number, { type }: Pick<PropertyValues, 'type'>): string {
  if (type !== 'time') return bound.toLocaleString(undefined, { maximumFractionDigits: 6 });
  return new Date(bound).toISOString().slice(0, 16).replace('T', ' ').replace(' 00:00', '');
}

function drawList(
  { property, values, others }: PropertyValues,
  draft: ConditionDraft,
  { draftSearch }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const chosen = new Set(draft.values);
  const isListed = new Set(values.map(({ value }) => value));
  const listed = [
    // What is chosen stays in sight while others are searched for.
    ...draft.values.filter((value) => !isListed.has(value)).map((value) => ({ value, entities: undefined })),
    ...values,
  ];
  const toggle = (value: string | null): void => {
    const rest = draft.values.filter((each) => each !== value);
    actions.setDraft({ values: chosen.has(value) ? rest : [...rest, value], from: '', to: '' });
  };
  return html`${others > 0 || draftSearch !== '' ? drawSearch(t('Find a value'), draftSearch, actions) : nothing}
    <ul class="value-choice" aria-label=${t('Values of {0}', property)}>
      ${listed.map(
        ({ value, entities }) =>
          html`<li>
            <label class="check"
              ><input type="checkbox" .checked=${live(chosen.has(value))} @change=${() => toggle(value)} /><span
                class="clip"
                >${value === null ? html`<em>${t('no value')}</em>` : value === '' ? html`<em>${t('empty')}</em>` : value}</span
              ></label
            ><span class="muted">${entities === undefined ? '' : entities.toLocaleString()}</span>
          </li>`,
      )}
    </ul>
    ${others > 0 ? html`<p class="muted">${t('{0} more values.', others.toLocaleString())}</p>` : nothing}`;
}

function drawSearch(label: string, text: string, actions: EventGraphActions): TemplateResult {
  return html`<label class="input search">
    ${icon('search')}<span class="unseen">${label}</span>
    <input
      type="search"
      id="condition-search"
      placeholder=${label}
      .value=${live(text)}
      @input=${(event: Event) => actions.searchDraft((event.target as HTMLInputElement).value)}
    />
  </label>`;
}

function drawRelated({ related }: ConditionDraft, state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return html`${drawSearch(t('Find by key or text of a property'), state.draftSearch, actions)}
    <div class="panel-row">
      ${related.map(({ id, key }) =>
        button(
          html`<span class="clip">${key}</span>${icon('close')}`,
          () => actions.setDraft({ related: related.filter((each) => each.id !== id) }),
          {
            appearance: 'chip',
            title: t('Remove {0}', key),
          },
        ),
      )}
    </div>
    ${
      state.draftSearch === ''
        ? html`<p class="muted">${t('Keeps the entities that are related to one of those that you choose.')}</p>`
        : whenLoaded(state.draftHits, actions, (hits) => drawHits(hits, related, state, actions))
    }`;
}

function drawHits(
  found: readonly EntityHit[],
  related: ConditionDraft['related'],
  { draftSearch, filter }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const isOwn = ({ entityType }: EntityHit): boolean => entityType === filter.entityType;
  const hits = found
    .filter(({ id }) => related.every((each) => each.id !== id))
    // Entities are rarely related to others of their own type, which come last.
    .toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)));
  if (hits.length === 0) {
    return html`<p class="muted" role="status">
      ${found.length > 0 ? t('All that were found are chosen.') : t('No entity has a key or a property that contains “{0}”.', draftSearch)}
    </p>`;
  }
  return html`<ul class="value-choice" aria-label=${t('Entities')}>
    ${hits
      .slice(0, 30)
      .map(
        ({ id, key, entityType, found: by }) =>
          html`<li>
            ${button(html`${key}${by ? ` · ${by.property}: ${by.value}` : ''} <span class="muted">${entityType}</span>`, () => actions.setDraft({ related: [...related, { id, key }] }), { appearance: 'link' })}
          </li>`,
      )}
  </ul>`;
}
