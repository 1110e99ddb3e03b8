import type { AnalysisActivity } from '../../../../protocol/analysis.ts';
import { listActivities } from '../../operations/stored-graphs/ask-questions.ts';
import type { AnswerCell } from '../answer-table.ts';
import { listCommand } from '../list-command.ts';

export const activitiesCommand = listCommand<AnalysisActivity>({
  name: 'activities',
  summary: 'List the activities of entities with service times, convergence and divergence',
  details: [
    'Convergence: the share of events of an activity with more than one of the entities. Divergence: the share of the',
    'entities with more than one event of it.',
  ],
  options: [],
  examples: [
    'entity-graph activities orders.entity.yaml',
    'entity-graph activities orders.entity.yaml --entity-type item --format csv',
  ],
  defaultLimit: 50,
  rows: 'activities',
  ask: (question, { projectContext, signal }) => listActivities(question, projectContext, signal),
  columns: () => [
    'activity',
    'events',
    'entities',
    'convergence',
    'divergence',
    'service median',
    'service p90',
    'service total',
  ],
  cells({ activity, events, entities, convergence, divergence, service }) {
    const { median = null, p90 = null, total = null } = service ?? {};
    return [
      activity,
      ...[events, entities].map((value): AnswerCell => ({ value, unit: 'count' })),
      ...[convergence, divergence].map((value): AnswerCell => ({ value, unit: 'share' })),
      ...[median, p90, total].map((value): AnswerCell => ({ value, unit: 'ms' })),
    ];
  },
});
