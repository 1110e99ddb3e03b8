import { t } from '../ui/translate.ts';
import { drawQualityTab } from './draw-quality.ts';
import type { EventGraphActions } from './event-graph-state.ts';
import type { ActingTab, EventGraphPage } from './page-tab.ts';

/** What is odd in the data, and the notes of the import. */
export function createQualityTab(
  page: EventGraphPage,
): ActingTab<Pick<EventGraphActions, 'acceptFinding' | 'mendFinding'>> {
  const load = (): void => void page.load('findings', (signal) => page.ask('findings', {}, signal));
  return {
    title: t('Data Quality'),
    loads: ['findings'],
    unfiltered: t('The filter does not apply here: these are the findings of the whole import.'),
    // The file may accept others by now.
    load,
    draw: drawQualityTab,
    actions: {
      acceptFinding({ kind, element, column }) {
        const about = { ...(element !== null && { element }), ...(column !== null && { column }) };
        void page.run('acceptFinding', { finding: kind, ...about }).then(load);
      },
      mendFinding({ elements }) {
        void page.run('mendFinding', { elements }).then(load);
      },
    },
  };
}
