import { t } from '../ui/translate.ts';
import { chosenRuleOf, drawRulesTab } from './draw-rules.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';

/** The rules of the process, judged, and the violations of one of them. */
export function createRulesTab(page: EventGraphPage): ActingTab<Pick<EventGraphActions, 'chooseRule' | 'mapRule'>> {
  const loadRule = (rule: number, property?: string): void =>
    void page.load('rule', (signal) => page.ask('rule', { rule, property, filter: page.state().filter }, signal));
  /** The text of the rules may have been edited. */
  const load = (): void => {
    const shown = chosenRuleOf(page.state());
    if (shown !== undefined) loadRule(shown);
    void page
      .load('rules', (signal) => page.ask('rules', { filter: page.state().filter }, signal))
      .then(() => {
        const rule = chosenRuleOf(page.state());
        if (rule !== undefined && rule !== shown) loadRule(rule);
      });
  };
  return {
    title: t('Rules'),
    loads: ['rules', 'rule'],
    keeps: ['chosenRule'],
    load,
    filterChanged() {
      if (page.state().tab === 'rules') return load();
      page.drop('rules');
      page.drop('rule');
    },
    draw: drawRulesTab,
    actions: {
      chooseRule(rule, property) {
        const state = page.state();
        const { rule: before, ...rest } = state;
        // Shows nothing while loading, rather than the details of another rule.
        page.keep(rule === state.chosenRule && before ? { ...state, chosenRule: rule } : { ...rest, chosenRule: rule });
        loadRule(rule, property);
      },
      mapRule(rule, entityType) {
        const { filter } = page.state();
        // Conditions are about entities of the type of the filter.
        const kept = entityType === filter.entityType ? filter : {};
        page.actions().filterBy({ ...kept, ...(entityType === undefined ? {} : { entityType }), rule });
        page.actions().show('map');
      },
    },
  };
}
