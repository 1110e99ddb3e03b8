export const serviceTimes = 'How long does an activity itself take?';

export type Row = Readonly<Record<string, unknown>>;

/** The JSON of a command that lists rows, or of `analyze`. */
export type Answer = Readonly<Record<string, readonly Row[]>> & readonly { readonly groups: readonly Group[] }[];

interface Group extends Row {
  readonly by: Row;
  readonly compare?: Row;
}

/** What the command and the SQL of a section must have in common, as values of their rows. */
export const comparedAnswers: readonly (readonly [
  title: string,
  ofAnswer: (answer: Answer) => readonly (readonly unknown[])[],
  ofRow: (row: Row) => readonly unknown[],
])[] = [
  [
    'Which step takes the most time?',
    listed('steps', ['source', 'target', 'count', 'total']),
    columns('source', 'target', 'count', 'total'),
  ],
  ['Who hands over to whom?', listed('steps', ['source', 'target', 'count']), columns('source', 'target', 'count')],
  ['What is delivered in parts?', listed('entities', ['key']), columns('key')],
  [
    'What is done in batches?',
    listed('batches', ['activity', 'value', 'events']),
    columns('activity', 'user', 'events'),
  ],
  [
    'Where do objects meet and part?',
    listed('activities', ['activity', 'convergence', 'divergence']),
    columns('activity', 'convergence', 'divergence'),
  ],
  [
    'How much is in progress?',
    listed('periods', ['start', 'inProgress']),
    ({ day, in_progress }) => [(day as Date).toISOString().slice(0, 10), in_progress],
  ],
  [
    serviceTimes,
    ({ activities = [] }) =>
      activities.flatMap(({ activity, service }) =>
        service ? [[activity, ...valuesOf(service as Row, ['median', 'total'])]] : [],
      ),
    columns('activity', 'median', 'total'),
  ],
  ['Who approved what they had placed?', listed('entities', ['key']), columns('key')],
  [
    'How long does it take across objects, for each customer?',
    ([answer]) =>
      (answer?.groups ?? [])
        .filter(({ count }) => count !== 0)
        .map(({ by, count, median }) => [by['customer.region'], count, median]),
    columns('region', 'orders', 'median'),
  ],
  [
    'Is a delay passed on?',
    ([answer]) => {
      const [group] = answer?.groups ?? [];
      return [group, group?.compare].map((of) => [of?.['count'], Number(of?.['median']) / 86_400_000]);
    },
    columns('invoices', 'median'),
  ],
];

function listed(name: string, keys: readonly string[]): (answer: Answer) => readonly (readonly unknown[])[] {
  return (answer) => (answer[name] ?? []).map((row) => valuesOf(row, keys));
}

function columns(...names: readonly string[]): (row: Row) => readonly unknown[] {
  return (row) => valuesOf(row, names);
}

function valuesOf(row: Row, names: readonly string[]): readonly unknown[] {
  return names.map((name) => row[name]);
}

/** Numbers with 6 digits after the point: sums of doubles depend on their order. */
export function rowText(values: readonly unknown[]): string {
  return values.map((value) => (Number.isNaN(Number(value)) ? String(value) : Number(value).toFixed(6))).join(' | ');
}
