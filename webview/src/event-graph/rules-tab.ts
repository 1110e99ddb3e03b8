import { t } from '../ui/translate.ts';
import { chosenRuleOf, drawRulesTab } from './draw-rules.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';

/** The rules of the process, judged, and the violations of one of them. */
export function createRulesTab(page: EventGraphPage): ActingTab<Pick<EventGraphActions, 'chooseRule' | 'mapRule'>> {
  const loadRule = (rule: number, property?: string): void =>
    void page.load('rule', (signal) => page.ask('rule', { rule, property }, signal));
  return {
    title: t('Rules'),
    loads: ['rules', 'rule'],
    keeps: ['chosenRule'],
    /** Loads the rules again: their text may have been edited. */
    load() {
      void page
        .load('rules', (signal) => page.ask('rules', {}, signal))
        .then(() => {
          const rule = chosenRuleOf(page.state());
          if (rule !== undefined) loadRule(rule);
        });
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
        page.actions().filterBy({ ...(entityType === undefined ? {} : { entityType }), rule });
        page.actions().show('map');
      },
    },
  };
}
