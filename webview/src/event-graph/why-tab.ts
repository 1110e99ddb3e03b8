import type { GraphFilter, TypeFilter } from '../../../protocol/event-graph.ts';
import { t } from '../ui/translate.ts';
import { drawWhyTab } from './draw-why.ts';
import type { EventGraphActions, OutcomeChoice } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';
import { typeFilterOf } from './type-filter.ts';

/** What goes with an outcome: the values of properties whose entities have it more often. */
export function createWhyTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'chooseOutcome' | 'explain' | 'filterByCause'>> {
  /** The condition behind the choice; quantiles are those of the filter. */
  async function outcomeOf(filter: TypeFilter, choice: OutcomeChoice, signal: AbortSignal) {
    if (choice.kind === 'condition') return { ok: true as const, value: choice.condition };
    const answer = await page.ask('measures', { filter, measures: ['throughput'] }, signal);
    if (!answer.ok) return answer;
    const limit = answer.value[0]?.groups[0]?.[choice.kind] ?? 0;
    return { ok: true as const, value: { throughput: { slower: limit } } satisfies GraphFilter };
  }
  const load = (): void => {
    const { filter, outcome } = page.state();
    const of = typeFilterOf(filter);
    if (!of) return page.drop('why');
    void page.load('why', async (signal) => {
      const condition = await outcomeOf(of, outcome, signal);
      if (!condition.ok) return condition;
      const asked = { filter: of, outcome: { ...condition.value, entityType: of.entityType } };
      const answer = await page.ask('why', asked, signal);
      return answer.ok ? { ok: true, value: { ...answer.value, outcome: condition.value } } : answer;
    });
  };
  const loadRules = (): void => {
    if (page.state().rules) return;
    void page.load('rules', (signal) => page.ask('rules', {}, signal));
  };
  return {
    title: t('Why'),
    loads: ['why'],
    keeps: ['outcome'],
    load() {
      loadRules();
      if (!page.state().why) load();
    },
    filterChanged() {
      if (page.state().tab === 'why') load();
      else page.drop('why');
    },
    draw: drawWhyTab,
    actions: {
      chooseOutcome(outcome) {
        page.keep({ ...page.state(), outcome });
        load();
      },
      explain(condition) {
        const { why: _, ...state } = page.state();
        page.keep({ ...state, outcome: { kind: 'condition', condition } });
        page.actions().show('why');
      },
      filterByCause(causes) {
        const { filter } = page.state();
        const names = new Set(causes.map(({ property }) => property));
        const values = (filter.values ?? []).filter(({ property }) => !names.has(property));
        const exact = causes.filter(({ where }) => where === undefined);
        const ranges = causes.flatMap(({ where }) => where ?? []);
        page.actions().filterBy({
          ...filter,
          values: [...values, ...exact.map(({ property, value }) => ({ property, values: [value] }))],
          ...(ranges.length > 0 && { where: [...(filter.where ?? []), ...ranges] }),
        });
        page.actions().show('map');
      },
    },
  };
}
