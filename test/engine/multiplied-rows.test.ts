import assert from 'node:assert/strict';
import { csvSources, graphText, withGraph } from '../support/import-text.ts';

const graph = graphText(
  `  - activityName: Ship Order
    dataObject: orders
    key: id
    startTimestamp: line.shipped
    joins: JOIN lines AS line ON line.order_id = orders.id
`,
);
/** Each order has one line per date; an empty date gives no event. */
function files(dates: readonly (readonly string[])[]): Readonly<Record<string, string>> {
  const orders = dates.map((_, index) => `${index + 1}\n`);
  const lines = dates.flatMap((shipped, index) => shipped.map((date) => `${index + 1},${date}\n`));
  return {
    'entity-sources.yaml': csvSources(),
    'graph.entity.yaml': graph,
    'orders.csv': `id\n${orders.join('')}`,
    'lines.csv': `order_id,shipped\n${lines.join('')}`,
  };
}

describe('warning about joins that multiply rows', () => {
  const [one, other] = ['2024-01-01 00:00:00', '2024-01-02 00:00:00'];
  const cases: readonly (readonly [
    what: string,
    dates: readonly (readonly string[])[],
    warnings: readonly string[],
  ])[] = [
    ['is not given for rows without a time', [[one, '', ''], [one, ''], [other]], []],
    [
      'counts rows with a time only, and the rows that they were made of',
      [
        [one, other, ''],
        [one, other],
        ['', ''],
      ],
      ['The joins of "Ship Order" make 4 rows with a time of 2 (× 2): each of them is an event.'],
    ],
    [
      'counts all rows where all have a time',
      [[one, other], [other]],
      ['The joins of "Ship Order" make 3 rows of 2 (× 1.5): each of them is an event.'],
    ],
  ];
  for (const [what, dates, warnings] of cases) {
    it(what, () =>
      withGraph(files(dates), async (project) => {
        const summary = await project.import();
        assert.equal(summary.status, 'imported', summary.error?.message);
        assert.deepEqual(summary.warnings, warnings);
        assert.equal(summary.totals.events, dates.flat().filter((date) => date !== '').length);
      }),
    );
  }
});
