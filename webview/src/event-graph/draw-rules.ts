import { type TemplateResult, html, nothing } from 'lit';
import type { BrokenBy, FilteredRule, RuleDetails, ShownNumber } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import type { RuleResult } from '../../../protocol/process-rules.ts';
import { isBroken, neverHappened, shareText } from '../../../protocol/rule-outcome.ts';
import { button } from '../ui/button.ts';
import { icon } from '../ui/icons.ts';
import type { MenuItem } from '../ui/menu.ts';
import { t } from '../ui/translate.ts';
import { drawNumber } from './draw-number.ts';
import { timeText, whenLoaded } from './draw-parts.ts';
import { type EventGraphActions, type EventGraphState, shownValue } from './event-graph-state.ts';
import { mapWords, unitText } from './map-words.ts';

/** The rules of the process, and the details of the selected one. */
export function drawRulesTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  return html`<div class="rules">
    ${whenLoaded(state.rules, actions, (rules) => (rules.length === 0 ? drawNone(actions) : drawRules(rules, state, actions)))}
  </div>`;
}

const example = `rules:
  - name: Orders are shipped in five days
    each: { entityType: order }
    expect:
      - { activity: Ship Order, after: Place Order, within: 5d }`;

function drawNone(actions: EventGraphActions): TemplateResult {
  return html`<section class="instead">
    <h2>${t('This graph has no rules')}</h2>
    <p>
      ${t('Write rules of the process under rules: in the file of the entity graph. They are judged when this page is opened, and by each import.')}
    </p>
    <div class="buttons">
      ${button(t('Suggest Rules…'), actions.suggestRules, { appearance: 'primary', title: t('What is nearly always kept in this graph') })}
    </div>
    <pre class="example">${example}</pre>
  </section>`;
}

function drawRules(rules: readonly FilteredRule[], state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const chosen = chosenRuleOf(state) ?? 1;
  const isFiltered = rules[chosen - 1]?.isFiltered === true;
  const hasConditions = filterConditions(state.filter, mapWords).length > 0;
  const isOfAll = (rule: FilteredRule): boolean => hasConditions && !rule.isFiltered;
  return html`<aside class="rule-list">
      <ul aria-label=${t('Rules')}>
        ${rules.map((rule, index) => drawRule(rule, isOfAll(rule), index + 1 === chosen, () => actions.chooseRule(index + 1)))}
      </ul>
    </aside>
    <div class="rule-details">
      ${whenLoaded(state.rule, actions, (details) =>
        drawDetails(details, { rule: chosen, isFiltered, isOfAll: hasConditions && !isFiltered }, state, actions),
      )}
    </div>`;
}

function drawRule(rule: FilteredRule, isOfAll: boolean, isChosen: boolean, onClick: () => void): TemplateResult {
  const numbers = isOfAll ? t('{0} · of the whole graph', numbersOf(rule)) : numbersOf(rule);
  const share = rule.share === null ? '–' : shareText(rule.share);
  return html`<li>
    ${button(
      html`<span class="rule-name">${outcomeIcon(rule)} <span>${rule.name}</span></span>
        <span class="rule-share">${drawShare(rule)} <span class="rule-percent">${share}</span></span>
        <span class="muted">${numbers}</span>`,
      onClick,
      {
        appearance: 'bare',
        className: 'rule',
        current: isChosen,
        // What is seen, after what the icon says.
        label: `${outcomeText(rule)}: ${rule.name} ${share} ${numbers}`,
      },
    )}
  </li>`;
}

/** Kept, pending, undecided and broken, as parts of a bar; a line where the share must be. */
function drawShare({ concerned, kept, broken, pending, undecided, atLeast }: RuleResult): TemplateResult {
  const part = (count: number, kind: string): TemplateResult | typeof nothing =>
    count === 0 ? nothing : html`<i class=${kind} .style=${`flex-grow: ${count}`}></i>`;
  return html`<span class="share-bar" aria-hidden="true"
    >${part(kept, 'kept')}${part(pending, 'pending')}${part(undecided, 'undecided')}${part(broken, 'broken')}${
      atLeast < 1 && concerned > 0 ? html`<b .style=${`left: ${atLeast * 100}%`}></b>` : nothing
    }</span
  >`;
}

function outcomeIcon(rule: RuleResult): TemplateResult {
  if (rule.error !== undefined) return html`<span class="outcome unsure">${icon('question')}</span>`;
  if (rule.holds) return html`<span class="outcome kept">${icon('pass')}</span>`;
  if (!isBroken(rule)) return html`<span class="outcome unsure">${icon('circle-slash')}</span>`;
  return html`<span class=${`outcome broken-${rule.severity}`}
    >${icon(rule.severity === 'error' ? 'error' : rule.severity === 'warning' ? 'warning' : 'info')}</span
  >`;
}

function outcomeText(rule: RuleResult): string {
  if (rule.error !== undefined) return t('Not judged');
  if (rule.holds) return t('Holds');
  if (neverHappened(rule)) return t('Never happened');
  return isBroken(rule) ? t('Broken') : t('Judges nothing');
}

function numbersOf({ judged, concerned, broken, pending, undecided, error }: RuleResult): string {
  if (error !== undefined) return error;
  if (judged === 0) return t('There are no such entities or events.');
  if (concerned === 0) return t('It concerns none of {0}.', judged.toLocaleString());
  return [
    t('{0} of {1} broken', broken.toLocaleString(), concerned.toLocaleString()),
    ...(pending > 0 ? [t('{0} pending', pending.toLocaleString())] : []),
    ...(undecided > 0 ? [t('{0} without a value', undecided.toLocaleString())] : []),
    ...(judged > concerned ? [t('{0} not concerned', (judged - concerned).toLocaleString())] : []),
  ].join(' · ');
}

interface ChosenRule {
  readonly rule: number;
  readonly isFiltered: boolean;
  /** The filter has conditions, which do not apply to it. */
  readonly isOfAll: boolean;
}

function drawDetails(
  details: RuleDetails,
  { rule, isFiltered, isOfAll }: ChosenRule,
  { filter }: EventGraphState,
  actions: EventGraphActions,
): TemplateResult {
  const { result, expectations, imported, violations } = details;
  const brokenType = violations[0]?.entity?.entityType;
  const needed = result.atLeast < 1 ? t('{0} must keep it', shareText(result.atLeast)) : t('all must keep it');
  return html`<header>
      <h2>${outcomeIcon(result)} ${result.name}</h2>
      <p class="muted">
        ${outcomeText(result)} ·
        ${
          imported !== undefined && result.broken > 0
            ? drawNumber(numbersOf(result), { kind: 'broken', rule: imported }, result.name, actions, !isFiltered)
            : numbersOf(result)
        }${result.error === undefined ? html` · ${needed}` : nothing}
      </p>
      ${isOfAll ? html`<p class="note">${icon('info')} <span>${t('Judged for the whole graph: the filter is about entities of type {0}.', filter.entityType ?? '')}</span></p>` : nothing}
      <ul class="expectations">
        ${expectations.map((each) => html`<li>${each}</li>`)}
      </ul>
      <div class="buttons">
        ${
          result.broken > 0
            ? button(
                html`${icon('type-hierarchy')} ${t('Show on Map')}`,
                // The entities that break it are of one type, whatever the map showed before.
                () => actions.mapRule({ number: imported ?? 0, name: result.name }, brokenType),
                {
                  appearance: 'labelled',
                  disabled: imported === undefined,
                  title:
                    imported === undefined
                      ? t('The rule was changed since the last import: import again')
                      : t('The process map of the entities that break it'),
                },
              )
            : nothing
        }
        ${result.sql === '' ? nothing : button(html`${icon('terminal')} ${t('Show Its SQL')}`, () => actions.openSqlConsole(result.sql), { appearance: 'labelled' })}
      </div>
    </header>
    ${result.concerned === 0 ? nothing : drawTrend(details)} ${drawValues(details, rule, actions)}
    ${drawViolations(details, actions)}`;
}

/** The width of a column of the trend, where there are few, with the gap beside it: the dates stand below the columns. */
const mostTrendPixels = 57;

/** The share that breaks the rule, over time; the height of a column is how many it concerns. */
function drawTrend({ trend: { unit, buckets } }: RuleDetails): TemplateResult {
  const most = Math.max(1, ...buckets.map(({ concerned }) => concerned));
  const text = ({ start, concerned, broken }: (typeof buckets)[number]): string =>
    t('{0}: {1} of {2} broken', timeText(start).slice(0, 10), broken.toLocaleString(), concerned.toLocaleString());
  return html`<section aria-label=${t('Over time')}>
    <h3>${t('Over time')} <span class="muted">${unitText(unit)}</span></h3>
    <div class="columns trend" role="list">
      ${buckets.map(
        (bucket) =>
          html`<span class="column" role="listitem" title=${text(bucket)} aria-label=${text(bucket)}
            ><span class="stack" .style=${`height: ${Math.max(1, (bucket.concerned / most) * 100)}%`}
              ><i
                class="broken"
                .style=${`height: ${(bucket.broken / Math.max(1, bucket.concerned)) * 100}%`}
              ></i></span
          ></span>`,
      )}
    </div>
    <p class="muted ends" .style=${`max-width: max(${buckets.length * mostTrendPixels}px, 14em)`}>
      <span>${timeText(buckets[0]?.start ?? '').slice(0, 10)}</span>
      ${buckets.length > 1 ? html`<span>${timeText(buckets.at(-1)?.start ?? '').slice(0, 10)}</span>` : nothing}
    </p>
  </section>`;
}

/** The distribution of violations over the values of a property. */
function drawValues({ properties, values }: RuleDetails, rule: number, actions: EventGraphActions): TemplateResult {
  if (!values) return html``;
  return html`<section aria-label=${t('Where it is broken')}>
    <h3>
      ${t('Where it is broken')}
      <select
        class="input"
        aria-label=${t('Property')}
        @change=${(event: Event) => actions.chooseRule(rule, (event.target as HTMLSelectElement).value)}
      >
        ${properties.map((name) => html`<option value=${name} ?selected=${name === values.property}>${name}</option>`)}
      </select>
    </h3>
    <ul class="bars">
      ${values.values.map(({ value, concerned, broken }) => {
        const shown = value === null ? html`<em>NULL</em>` : value === '' ? html`<em>${t('empty')}</em>` : value;
        return html`<li class="counted">
          <div class="bar">
            <span class="bar-name clip" title=${value ?? 'NULL'}>${shown}</span>
            <span class="bar-track"
              ><span class="bar-fill broken" .style=${`width: ${(broken / concerned) * 100}%`}></span
            ></span>
          </div>
          <span class="bar-count wide">${t('{0} of {1}', broken.toLocaleString(), concerned.toLocaleString())}</span>
        </li>`;
      })}
    </ul>
    ${values.others > 0 ? html`<p class="muted">${t('{0} more values', values.others.toLocaleString())}</p>` : nothing}
  </section>`;
}

function drawViolations({ violations, result }: RuleDetails, actions: EventGraphActions): TemplateResult {
  if (violations.length === 0) return html``;
  const more = result.broken - violations.length;
  return html`<section aria-label=${t('Who breaks it')}>
    <h3>${t('Who breaks it')}</h3>
    <ul class="violations">
      ${violations.map((each) => drawViolation(each, result.name, actions))}
    </ul>
    ${more > 0 ? html`<p class="muted">${t('{0} more; all of them are in the table rule_violation.', more.toLocaleString())}</p>` : nothing}
  </section>`;
}

function drawViolation(violation: BrokenBy, rule: string, actions: EventGraphActions): TemplateResult {
  const { entity, event, detail } = violation;
  const who = entity
    ? button(html`${entity.entityType} ${entity.key}`, () => actions.openTimeline(entity.id), {
        appearance: 'bare',
        className: 'link',
        title: t('Show its timeline'),
      })
    : t('event {0}', event ?? '');
  const more = button(
    icon('table'),
    ({ currentTarget }: Event) => {
      const { left, bottom } = (currentTarget as HTMLElement).getBoundingClientRect();
      actions.openMenu({ kind: 'violation', of: violation, rule }, { x: left, y: bottom + 2 });
    },
    {
      appearance: 'icon',
      opensMenu: true,
      title: t('Show its events or rows'),
      label: entity ? t('Show events or rows of {0}', entity.key) : t('Show event {0}', event ?? ''),
    },
  );
  return html`<li><span class="who">${who}</span> ${more} <span class="muted">${detail}</span></li>`;
}

/** The menu items of a violation. */
export function violationItems(
  { entity, event, rows }: BrokenBy,
  rule: string,
  actions: EventGraphActions,
): readonly MenuItem[] {
  const numbers: readonly { readonly label: string; readonly number: ShownNumber; readonly title: string }[] = [
    ...(event === undefined
      ? []
      : [
          {
            label: t('Show the Event'),
            number: { kind: 'event' as const, id: event },
            title: t('event {0}', String(event)),
          },
        ]),
    ...(entity
      ? [{ label: t('Show Its Events'), number: { kind: 'entity' as const, id: entity.id }, title: entity.key }]
      : []),
  ];
  const targets = entity
    ? rows.map(({ kind, name }) => ({ kind, name, only: { kind: 'key' as const, key: entity.key } }))
    : [];
  return [
    ...numbers.map(({ label, number, title }) => ({
      label,
      icon: 'list-unordered' as const,
      run: () => actions.openNumber({ kind: 'number', number, title, isOfAll: true }, 'events'),
    })),
    ...targets.map((target, index) => ({
      label: t('Show Its Rows of {0}', target.name),
      icon: 'table' as const,
      separated: index === 0,
      run: () => actions.openSourceRows(target, 'rows'),
    })),
    ...(targets.length === 0
      ? []
      : [
          {
            label: t('Create Test from Rows…'),
            icon: 'beaker',
            separated: true,
            run: () => actions.createTest(targets, t('{0} breaks: {1}', entity?.key ?? '', rule), rule),
          },
        ]),
  ];
}

/** Whether the tab shows a rule. */
export function chosenRuleOf(state: EventGraphState): number | undefined {
  const rules = shownValue(state.rules) ?? [];
  if (rules.length === 0) return undefined;
  return Math.min(state.chosenRule ?? 1, rules.length);
}
