import type { EventBatch } from '../../../../protocol/analysis.ts';
import { listBatches } from '../../operations/stored-graphs/ask-questions.ts';
import { listCommand } from '../list-command.ts';

export const batchesCommand = listCommand<EventBatch>({
  name: 'batches',
  summary: 'List what is done in batches: five or more events of an activity within a minute',
  options: [{ name: 'by', value: 'PROPERTY', help: 'Events of a batch have one value of it, such as the user' }],
  examples: [
    'entity-graph batches orders.entity.yaml',
    'entity-graph batches orders.entity.yaml --by user --format csv',
  ],
  defaultLimit: 20,
  rows: 'batches',
  ask: (question, { options: { by }, projectContext, signal }) =>
    listBatches({ ...question, by }, projectContext, signal),
  columns: ({ by }) => ['activity', ...(by === undefined ? [] : [by]), 'first', 'last', 'events'],
  cells: ({ activity, value, first, last, events }, { by }) => [
    activity,
    ...(by === undefined ? [] : [value]),
    { time: first },
    { time: last },
    { value: events, unit: 'count' },
  ],
});
