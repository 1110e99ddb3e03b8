import { type WorkloadPeriod, workloadUnits } from '../../../../protocol/analysis.ts';
import { listWorkload } from '../../operations/stored-graphs/ask-questions.ts';
import type { AnswerCell } from '../answer-table.ts';
import { listCommand } from '../list-command.ts';

export const workloadCommand = listCommand<WorkloadPeriod>({
  name: 'workload',
  summary: 'List how many entities began, ended and were in progress in each day, week or month',
  details: ['The latest are listed, in order of time.'],
  options: [{ name: 'by', value: 'UNIT', help: 'day (default), week, month, quarter or year', choices: workloadUnits }],
  examples: [
    'entity-graph workload orders.entity.yaml --by month',
    'entity-graph workload orders.entity.yaml --where "amount > 100" --limit 1000 --format csv',
  ],
  defaultLimit: 50,
  rows: 'periods',
  ask(question, { options, projectContext, signal }) {
    const by = workloadUnits.find((unit) => unit === options['by']);
    return listWorkload({ ...question, by }, projectContext, signal);
  },
  columns: () => ['start', 'arrivals', 'completions', 'in progress'],
  cells({ start, arrivals, completions, inProgress }) {
    return [start, ...[arrivals, completions, inProgress].map((value): AnswerCell => ({ value, unit: 'count' }))];
  },
});
