import { type TemplateResult, html, nothing } from 'lit';
import type { EndMatches, GraphChanges, MeasuredNumbers, RuleNumbers } from '../../../protocol/graph-changes.ts';
import { measureText } from '../../../protocol/measure-outcome.ts';
import { t } from '../ui/translate.ts';
import { runs } from './variant-words.ts';

/** Maximum number of rows of one table. */
const shownRows = 50;

/** Maximum number of activities of a variant. */
const shownActivities = 12;

/** What an import says of matched entities, variants, rules and measures that differ, before and now. */
export function drawChangedNumbers(changes: GraphChanges): readonly (TemplateResult | typeof nothing)[] {
  return [
    drawTable(t('Matched entities'), t('Relationship'), matchRows(changes)),
    drawTable(t('Variants that gained or lost cases'), t('Variant'), variantRows(changes), changes.differingVariants),
    drawTable(
      t('Verdicts of rules'),
      t('Rule'),
      changes.rules.map(({ name, verdicts }) => [name, verdictText(verdicts?.before), verdictText(verdicts?.after)]),
    ),
    drawTable(
      t('Numbers of measures'),
      t('Measure'),
      changes.measures.map(({ name, measured }) => [name, numbersText(measured?.before), numbersText(measured?.after)]),
    ),
  ];
}

/** A name, and what is said of it before and now. */
type BothTexts = readonly [name: string, before: string, now: string];

function drawTable(
  title: string,
  of: string,
  all: readonly BothTexts[],
  count = all.length,
): TemplateResult | typeof nothing {
  if (all.length === 0) return nothing;
  const more = count - Math.min(all.length, shownRows);
  return html`<section class="whole">
    <h2>${title}</h2>
    <table class="texts">
      <thead>
        <tr>
          <th scope="col">${of}</th>
          <th scope="col">${t('Before')}</th>
          <th scope="col">${t('Now')}</th>
        </tr>
      </thead>
      <tbody>
        ${all.slice(0, shownRows).map(
          ([name, before, now]) =>
            html`<tr>
              <th scope="row">${name}</th>
              <td>${before}</td>
              <td>${now}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    ${more > 0 ? html`<p class="muted">${t('{0} more', more.toLocaleString())}</p>` : nothing}
  </section>`;
}

/** The ends of relationships whose entities are matched otherwise. */
function matchRows({ relations }: GraphChanges): readonly BothTexts[] {
  return relations.flatMap(({ name, before: pairs, after: pairsNow, matches: { before, after } = {} }) =>
    (['source', 'target'] as const).flatMap((end): readonly BothTexts[] => {
      const [old, now] = [matchText(before?.[end], pairs), matchText(after?.[end], pairsNow)];
      const of = after?.[end].name ?? before?.[end].name ?? end;
      const title = end === 'source' ? t('{0}, source {1}', name, of) : t('{0}, target {1}', name, of);
      return old === now ? [] : [[title, old, now]];
    }),
  );
}

function matchText(numbers: EndMatches | undefined, pairs: number): string {
  if (!numbers) return t('not there');
  const { matched, unmatched, most } = numbers;
  return [
    t('{0} matched', matched.toLocaleString()),
    ...(unmatched === null ? [] : [t('{0} unmatched', unmatched.toLocaleString())]),
    ...(matched === 0
      ? []
      : [t('pairs of each: {0}, at most {1}', Number((pairs / matched).toFixed(2)), most.toLocaleString())]),
  ].join(', ');
}

function variantRows({ variantCases }: GraphChanges): readonly BothTexts[] {
  return variantCases.map(({ entityType, activities, events, before, after }) => {
    const more = events > shownActivities ? ` → … (${events.toLocaleString()})` : '';
    const path = runs(activities.slice(0, shownActivities)).join(' → ');
    return [t('{0}: {1}', entityType, path + more), before.toLocaleString(), after.toLocaleString()];
  });
}

function verdictText(numbers: RuleNumbers | undefined): string {
  if (!numbers) return t('not there');
  if (numbers.error !== null) return t('not judged');
  const { kept, broken, pending, undecided } = numbers;
  return [
    numbers.holds ? t('holds') : t('broken'),
    t('{0} kept', kept.toLocaleString()),
    t('{0} broken', broken.toLocaleString()),
    t('{0} open', (pending + undecided).toLocaleString()),
  ].join(', ');
}

function numbersText(numbers: MeasuredNumbers | undefined): string {
  if (!numbers) return t('not there');
  const { error, ...values } = numbers;
  const text = measureText({ ...values, ...(error !== null && { error }) });
  return numbers.met === false ? t('{0}, misses its target', text) : text;
}
