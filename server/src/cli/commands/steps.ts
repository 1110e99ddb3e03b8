import { type AnalysisStep, stepOrders } from '../../../../protocol/analysis.ts';
import { listSteps } from '../../operations/stored-graphs/ask-questions.ts';
import type { AnswerCell } from '../answer-table.ts';
import { listCommand } from '../list-command.ts';

export const stepsCommand = listCommand<AnalysisStep>({
  name: 'steps',
  summary: 'List the steps between activities, or handovers between values, by the time they take together',
  options: [
    { name: 'by', value: 'PROPERTY', help: 'Handovers: steps between different values of it in place of activities' },
    {
      name: 'sort',
      value: 'COLUMN',
      help: 'total (default), count, median or p90; the largest first',
      choices: stepOrders,
    },
  ],
  examples: [
    'entity-graph steps orders.entity.yaml',
    'entity-graph steps orders.entity.yaml --by department --sort count --format csv',
  ],
  defaultLimit: 20,
  rows: 'steps',
  ask(question, { options: { by, sort }, projectContext, signal }) {
    const order = stepOrders.find((each) => each === sort);
    return listSteps({ ...question, by, sort: order }, projectContext, signal);
  },
  columns: () => ['from', 'to', 'count', 'median', 'p90', 'total'],
  cells({ source, target, count, median, p90, total }) {
    const times = [median, p90, total].map((value): AnswerCell => ({ value, unit: 'ms' }));
    return [source, target, { value: count, unit: 'count' }, ...times];
  },
});
