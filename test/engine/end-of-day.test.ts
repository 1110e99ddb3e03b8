import assert from 'node:assert/strict';
import { sourceSettings } from '../support/compare-engines.ts';
import { csvSources, graphText, postgresqlSources, withGraph, withProject } from '../support/import-text.ts';
import { sharedPostgres } from '../support/postgres.ts';

const deliveries = 'id,delivered\n1,2024-07-01 10:00:00\n2,2024-07-02 10:00:00\n';
const payments = 'id,paid,changed\n1,2024-07-01,2024-07-03\n2,2024-07-01,\n';

const elements = (start: string, more = ''): string =>
  `  - { activityName: Deliver, dataObject: deliveries, entityType: order, key: id, startTimestamp: delivered }
  - { activityName: Pay, dataObject: payments, entityType: order, key: id, startTimestamp: ${start}, sequence: paid, properties: [paid]${more} }
`;

const paidLast = '{ column: paid, atEndOfDay: true }';

const eventsSql = `SELECT key, activity, lifecycle, strftime(time, '%Y-%m-%d %H:%M:%S.%f') FROM event
  JOIN entity ON entity.id = entity_id ORDER BY key, event.id`;

const files = (start: string, more?: string): Readonly<Record<string, string>> => ({
  'deliveries.csv': deliveries,
  'payments.csv': payments,
  'entity-sources.yaml': csvSources(', timeZone: Europe/Berlin'),
  'graph.entity.yaml': graphText(elements(start, more)),
});

/** docs/semantics.md#87-the-end-of-a-day */
describe('dates at the end of their day', () => {
  const events = [
    ['1', 'Deliver', 'start', '2024-07-01 08:00:00.000000'],
    ['1', 'Pay', 'start', '2024-07-01 21:59:59.999999'],
    ['2', 'Pay', 'start', '2024-07-01 21:59:59.999999'],
    ['2', 'Deliver', 'start', '2024-07-02 08:00:00.000000'],
  ];

  for (const [what, start] of [
    ['columns', paidLast],
    ['computed times', '{ expression: payments.paid, atEndOfDay: true }'],
  ] as const) {
    it(`are later than the times of that day › ${what}`, () =>
      withGraph(files(start), async (project) => {
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual(await project.rows(eventsSql), events);
        assert.deepEqual(await project.rows('SELECT paid::VARCHAR FROM properties_2'), [
          ['2024-07-01'],
          ['2024-07-01'],
        ]);
      }));
  }

  it('are noted where they come before times of the same day', async () => {
    const said =
      '1 event of "Pay" has a date without time of day, and so comes before events of the same day that have a time. If they are the later ones, write startTimestamp: { column: paid, atEndOfDay: true }.';
    for (const [start, warnings] of [
      ['paid', [said]],
      ['{ expression: payments.paid }', [said.replace('column: paid', 'expression: …')]],
      [paidLast, []],
    ] as const) {
      await withGraph(files(start), async (project) => {
        assert.deepEqual((await project.import()).warnings, warnings);
      });
    }
  });

  it('are at the beginning unless that is said', async () => {
    for (const start of ['paid', '{ column: paid }', '{ column: paid, atEndOfDay: false }']) {
      await withGraph(files(start), async (project) => {
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        assert.deepEqual((await project.rows(eventsSql))[0], ['1', 'Pay', 'start', '2024-06-30 22:00:00.000000']);
      });
    }
  });

  it('may be changes', () =>
    withGraph(files('paid', ', changeTimestamp: { column: changed, atEndOfDay: true }'), async (project) => {
      await project.import();
      assert.deepEqual((await project.rows(eventsSql))[2], ['1', 'Pay', 'change', '2024-07-03 21:59:59.999999']);
    }));

  it('may say since when values hold', () => {
    const entities =
      'entities:\n  - { entityType: order, name: state, dataObject: payments, key: id, validFrom: { column: paid, atEndOfDay: true }, properties: [changed] }\n';
    const given = { ...files('paid'), 'graph.entity.yaml': graphText(elements('paid')) + entities };
    return withGraph(given, async (project) => {
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
      assert.deepEqual(await project.rows('SELECT DISTINCT value_time::VARCHAR FROM entity_values_1'), [
        ['2024-07-01 21:59:59.999999'],
      ]);
    });
  });

  it('are refused for other values', async () => {
    const refusal = async (start: string) =>
      withGraph(
        { ...files(start), 'payments.csv': payments.replaceAll(/2024-07-0\d/g, '$& 10:00:00') },
        async (project) => {
          const { error } = await project.import();
          return `${error?.code}: ${error?.message}`;
        },
      );
    assert.equal(
      await refusal(paidLast),
      'timestamp-type: "paid" is of type TIMESTAMP: atEndOfDay is for dates without time of day. Remove it.',
    );
    assert.equal(
      await refusal('{ expression: payments.paid, atEndOfDay: true }'),
      'type-mismatch: The startTimestamp of "Pay" is of type TIMESTAMP, and atEndOfDay is for dates without time of day.',
    );
  });

  it('are refused by name where they are too far away', () =>
    withGraph({ ...files(paidLast), 'payments.csv': 'id,paid,changed\n1,294247-01-10,\n' }, async (project) => {
      const { error } = await project.import();
      assert.equal(
        error?.message,
        'Row 1 of "Pay" has "294247-01-10" in paid, which is too far away to be read as a time.',
      );
    }));

  it('make the same graph inside PostgreSQL', async () => {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(
      database,
      `CREATE TABLE deliveries (id int, delivered timestamp);
       CREATE TABLE payments (id int, paid date, changed date);
       INSERT INTO deliveries VALUES (1, '2024-07-01 10:00'), (2, '2024-07-02 10:00');
       INSERT INTO payments VALUES (1, '2024-07-01', '2024-07-03'), (2, '2024-07-01', NULL), (3, 'infinity', NULL), (4, '0044-03-15 BC', NULL)`,
    );
    const graph = graphText(elements(paidLast, ', changeTimestamp: { column: changed, atEndOfDay: true }'));
    const sources = postgresqlSources(server, database, ', timeZone: Europe/Berlin');
    await withProject({ 'entity-sources.yaml': sources, 'graph.entity.yaml': graph }, async (project) => {
      const succeed = async (request?: { readonly kind: 'fetch' }): Promise<void> => {
        const { status, error } = await project.import(request && { request });
        assert.equal(status, 'imported', error?.message);
      };
      await succeed();
      const rows = await project.rows(eventsSql);
      assert.deepEqual(
        rows.filter(([key, , lifecycle]) => key !== '4' && lifecycle === 'start'),
        events,
      );
      await project.write({ 'graph.entity.yaml': graph + sourceSettings });
      await succeed();
      await succeed({ kind: 'fetch' });
      assert.deepEqual(await project.rows(eventsSql), rows);
    });
  });
});
