import { type TemplateResult, html, nothing } from 'lit';
import type { Cause, LeftOutProperty } from '../../../protocol/analysis.ts';
import type { GraphFilter, GraphOverview } from '../../../protocol/event-graph.ts';
import { filterConditions } from '../../../protocol/filter-conditions.ts';
import { button } from '../ui/button.ts';
import { t } from '../ui/translate.ts';
import { drawInterval } from './draw-interval.ts';
import { whenLoaded } from './draw-parts.ts';
import {
  type EventGraphActions,
  type EventGraphState,
  type ExplainedOutcome,
  type OutcomeChoice,
  shownValue,
} from './event-graph-state.ts';
import { mapWords } from './map-words.ts';
import { percentText, pointsText } from './share-text.ts';
import { drawChooseType } from './type-filter.ts';

/** Values that are listed; the others have less effect. */
const mostCauses = 40;

/** The values of properties that go with an outcome. */
export function drawWhyTab(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  if (state.filter.entityType === undefined) return drawChooseType(state);
  return html`<div class="throughput why">
    <section aria-label=${t('Outcome')}>
      <h2>${t('What goes with')} ${drawOutcomes(state, actions)}</h2>
      ${whenLoaded(state.why, actions, (answer) => drawAnswer(answer, actions))}
    </section>
  </div>`;
}

/** The outcomes to choose from: throughput time, rules, activities, and one that was chosen elsewhere. */
function drawOutcomes(state: EventGraphState, actions: EventGraphActions): TemplateResult {
  const { overview, outcome } = state;
  const choices = outcomeChoices(state, shownValue(overview));
  const chosen = JSON.stringify(outcome);
  const isListed = choices.some(({ list }) => list.some(({ choice }) => JSON.stringify(choice) === chosen));
  const option = ({ choice, text }: NamedChoice): TemplateResult => {
    const value = JSON.stringify(choice);
    return html`<option value=${value} ?selected=${value === chosen}>${text}</option>`;
  };
  return html`<select
    class="input"
    id="outcome"
    aria-label=${t('Outcome')}
    @change=${(event: Event) => actions.chooseOutcome(JSON.parse((event.target as HTMLSelectElement).value) as OutcomeChoice)}
  >
    ${isListed ? nothing : option({ choice: outcome, text: choiceText(outcome) })}
    ${choices.map(({ title, list }) => (list.length === 0 ? nothing : html`<optgroup label=${title}>${list.map(option)}</optgroup>`))}
  </select>`;
}

interface NamedChoice {
  readonly choice: OutcomeChoice;
  readonly text: string;
}

function outcomeChoices(
  { rules }: EventGraphState,
  overview: GraphOverview | undefined,
): readonly { readonly title: string; readonly list: readonly NamedChoice[] }[] {
  const of = (condition: GraphFilter): NamedChoice => ({
    choice: { kind: 'condition', condition },
    text: choiceText({ kind: 'condition', condition }),
  });
  const activities = overview?.activities ?? [];
  const judged = (shownValue(rules) ?? []).slice(0, overview?.rules ?? 0);
  return [
    {
      title: t('Throughput time'),
      list: (['p90', 'median'] as const).map((kind) => ({ choice: { kind }, text: choiceText({ kind }) })),
    },
    { title: t('Rules'), list: judged.map(({ name }, index) => of({ rule: { number: index + 1, name } })) },
    ...[true, false].map((occurs) => ({
      title: occurs ? t('With an activity') : t('Without an activity'),
      list: activities.map(({ name }) => of({ activities: [{ activity: name, occurs }] })),
    })),
  ];
}

function choiceText(choice: OutcomeChoice): string {
  if (choice.kind === 'condition') return conditionText(choice.condition);
  return choice.kind === 'p90' ? t('the slowest 10 %') : t('slower than the median');
}

function conditionText(condition: GraphFilter): string {
  return filterConditions(condition, mapWords)
    .map(({ text }) => text)
    .join(' · ');
}

function drawAnswer(answer: ExplainedOutcome, actions: EventGraphActions): TemplateResult {
  const { entities, withOutcome, causes, tests, hiddenPairs, leftOut, testedPairs, outcome } = answer;
  if (entities === 0) {
    return html`<p id="no-entities">
      ${t('The filter leaves no entity, so there is nothing to explain. Remove a condition above.')}
    </p>`;
  }
  const share = withOutcome / entities;
  return html`<p>
      ${t('{0} of {1} entities ({2}): {3}.', withOutcome.toLocaleString(), entities.toLocaleString(), percentText(share), conditionText(outcome))}
    </p>
    ${
      causes.length === 0
        ? html`<p id="no-causes">
            ${hiddenPairs === 0 ? t('No value goes with it beyond chance.') : t('No single value goes with it beyond chance.')}
          </p>`
        : drawCauses(causes, actions)
    }
    <p class="muted">
      ${t('Beyond chance in {0} tests (Holm, α = 0.01). Values go with the outcome; whether they cause it, the data cannot say.', tests.toLocaleString())}
      ${hiddenPairs === 0 ? nothing : t('{0} pairs of values do not stand out from single values and are not listed.', hiddenPairs.toLocaleString())}
      ${testedPairs ? nothing : t('There are too many properties for pairs of values: only single values were compared.')}
      ${reasonsText(leftOut)}
    </p>`;
}

const reasonTexts: Readonly<Record<LeftOutProperty['reason'], string>> = {
  'part of the outcome': t('Left out, part of the outcome: {0}.', '{0}'),
  'known only after the outcome': t('Left out, known only after the outcome: {0}.', '{0}'),
  'no value of 20 entities': t('Left out, no value of 20 entities: {0}.', '{0}'),
};

function reasonsText(leftOut: readonly LeftOutProperty[]): string {
  return (Object.keys(reasonTexts) as LeftOutProperty['reason'][])
    .flatMap((reason) => {
      const names = leftOut.filter((each) => each.reason === reason).map(({ property }) => property);
      return names.length === 0 ? [] : [reasonTexts[reason].replace('{0}', () => names.join(', '))];
    })
    .join(' ');
}

function drawCauses(causes: readonly Cause[], actions: EventGraphActions): TemplateResult {
  const reach = Math.max(...causes.map(({ high }) => high));
  return html`<table class="groups causes">
      <thead>
        <tr>
          <th scope="col">${t('Goes with')}</th>
          <th scope="col">${t('Entities')}</th>
          <th scope="col">${t('Share with the outcome')}</th>
          <th scope="col">${t('Of others')}</th>
          <th scope="col" class="track-head">${t('Difference, 95 %')}</th>
          <th scope="col">${t('Lift')}</th>
        </tr>
      </thead>
      <tbody>
        ${causes.slice(0, mostCauses).map((cause) => drawCause(cause, reach, actions))}
      </tbody>
    </table>
    ${causes.length > mostCauses ? html`<p class="muted">${t('{0} more with less effect.', (causes.length - mostCauses).toLocaleString())}</p>` : nothing}`;
}

function drawCause(
  { values, entities, share, otherShare, difference, low, high, lift }: Cause,
  reach: number,
  actions: EventGraphActions,
): TemplateResult {
  const name = values.map(({ property, value }) => `${property} = ${value}`).join(t(' and '));
  const text = t('{0} points ({1} to {2})', pointsText(difference), pointsText(low), pointsText(high));
  return html`<tr>
    <th scope="row">
      ${button(name, () => actions.filterByCause(values), { appearance: 'link', title: t('Show only these entities') })}
    </th>
    <td>${entities.toLocaleString()}</td>
    <td>${percentText(share)}</td>
    <td>${percentText(otherShare)}</td>
    <td class="track-cell">${drawInterval({ value: difference, low, high, reach, text })}</td>
    <td>${lift.toLocaleString(undefined, { maximumFractionDigits: 1 })}</td>
  </tr>`;
}
