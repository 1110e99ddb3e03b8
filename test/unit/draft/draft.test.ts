import { readFile } from 'node:fs/promises';
import { because, reasonText } from '../../../server/src/draft/draft-reason.ts';
import assert from 'node:assert/strict';
import type { Column, ColumnSense, DataObject } from '../../../server/src/catalog/catalog.ts';
import { draftGraph, type DraftRequest } from '../../../server/src/draft/draft.ts';
import { draftable } from '../../../server/src/draft/draft-choice.ts';
import type { SampleCell, TableInput } from '../../../server/src/draft/table-sample.ts';

type Columns = Readonly<Record<string, ColumnSense>>;

function table(name: string, columns: Columns, more: Partial<DataObject> = {}): DataObject {
  return {
    name,
    kind: 'table',
    path: [name],
    columns: Object.entries(columns).map(([column, sense]): Column => ({
      name: column,
      type: sense,
      sense,
      nullable: true,
      primaryKey: more.primaryKey?.includes(column) ?? false,
    })),
    primaryKey: [],
    foreignKeys: [],
    statistics: { columnCount: Object.keys(columns).length },
    ...more,
  };
}

/** A table with all of its rows; a cell per column. */
function rows(object: DataObject, ...cells: readonly (readonly SampleCell[])[]): TableInput {
  return { object, sample: { columns: object.columns.map(({ name }) => name), rows: cells, isWhole: true } };
}

function draft(inputs: readonly TableInput[], more: Partial<DraftRequest> = {}) {
  const catalog = { dataSource: 'shop', dialect: 'postgresql' };
  return draftGraph({ name: 'Shop', catalog, inputs, areNamed: false, special: new Map(), answers: [], ...more });
}

const day = (number: number): string => `2024-01-${String(number).padStart(2, '0')}`;
const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

const people = table(
  'people',
  { id: 'integer', birth_date: 'date', hire_date: 'date', last_update: 'timestamp' },
  { primaryKey: ['id'] },
);

describe('first graphs', () => {
  it('prefer the time of creation to a date of birth and to the last change, from a catalog alone', () => {
    const [element] = draft([{ object: people }]).model.elements;
    assert.deepEqual([element?.start.column, element?.change?.column], ['hire_date', 'last_update']);
  });

  for (const [name, activity] of [
    ['book/Orders', 'Place Order'],
    ['orders 2024/Tabelle1', 'Place Order 2024'],
    ['shop.orders', 'Place Order'],
  ] as const) {
    it(`name activities after the table, not after its workbook or schema: ${name}`, () => {
      const orders = table(name, { id: 'integer', placed_at: 'timestamp' }, { primaryKey: ['id'] });
      assert.equal(draft([{ object: orders }]).model.elements[0]?.activityName, activity);
    });
  }

  it('ignore a time that is the same in nearly all rows', () => {
    const cells = numbers(20).map((id) => [id, `19${50 + id}-01-01`, day(1 + id), '2024-02-01']);
    const [element] = draft([rows(people, ...cells)]).model.elements;
    assert.deepEqual([element?.start.column, element?.change], ['hire_date', undefined]);
  });

  it('ignore a time of change that is before the start', () => {
    const trips = table(
      'trips',
      { id: 'integer', started_at: 'timestamp', arrival_booked: 'timestamp', ended_at: 'timestamp' },
      { primaryKey: ['id'] },
    );
    const cells = numbers(20).map((id) => [id, day(10), null, id % 2 === 0 ? day(1) : day(20)]);
    assert.equal(draft([rows(trips, ...cells)]).model.elements[0]?.change, undefined);
  });

  it('leave out a table that has only the time of the last change, unless nothing else has times', () => {
    const films = table('films', { id: 'integer', title: 'text', last_update: 'timestamp' }, { primaryKey: ['id'] });
    const cells = numbers(5).map((id) => [id, `Film ${id}`, day(1 + id)]);
    const staff = numbers(20).map((id) => [id, '1980-01-01', day(1 + id), '2024-02-01']);
    const both = draft([rows(films, ...cells), rows(people, ...staff)]);
    assert.deepEqual(
      both.model.elements.map(({ dataObject }) => dataObject),
      ['people'],
    );
    assert.deepEqual(both.leftOut, [
      { dataObject: 'films', reason: 'its times do not tell when something happened, and no events refer to it' },
    ]);
    assert.equal(draft([rows(films, ...cells)]).model.elements[0]?.start.column, 'last_update');
  });

  it('say how many rows share the only time of a table that is left out', () => {
    const films = table('films', { id: 'integer', loaded: 'date' }, { primaryKey: ['id'] });
    const cells = numbers(100).map((id) => [id, id < 97 ? day(1) : day(2 + (id % 5))]);
    const staff = numbers(20).map((id) => [id, '1980-01-01', day(1 + id), '2024-02-01']);
    const { leftOut } = draft([rows(films, ...cells), rows(people, ...staff)]);
    assert.deepEqual(leftOut, [
      { dataObject: 'films', reason: '97 of 100 rows share one date in loaded, and no events refer to it' },
    ]);
  });

  it('join texts of an activity that differ in case, and leave out a key that stands for a missing value', () => {
    const log = table('ticket_log', { case_id: 'text', activity: 'text', timestamp: 'timestamp', priority: 'text' });
    const at = (hours: number): string => new Date(Date.UTC(2024, 0, 1, hours, 7)).toISOString();
    const steps = ['Open', 'Assign', 'Work', 'Check'];
    const cells = numbers(40).flatMap((id) =>
      [...steps, id === 7 ? 'close ' : 'Close'].map((step, place) => [
        ...[`T-${id + 1}`, step, at(id * 5 + place * 7), id % 3 === 0 ? 'high' : 'low'],
      ]),
    );
    const missing = numbers(24).map((id) => ['UNASSIGNED', steps[id % 4] ?? '', at(id * 9), 'low']);
    const { text } = draft([rows(log, ...cells, ...missing)]);
    assert.ok(text.includes(`activityNames: { 'close ': Close }`), text);
    assert.ok(text.includes(`"ticket_log"."case_id" IS NULL OR "ticket_log"."case_id" NOT IN (''UNASSIGNED'')`), text);
    const plain = draft([rows(log, ...cells.filter(([, step]) => step !== 'close '))]).text;
    assert.doesNotMatch(plain, /activityNames|where/);
  });

  it('do not treat orders with a status as a log of their customers', () => {
    const orders = table('orders', { id: 'integer', customer_id: 'integer', status: 'text', placed_at: 'timestamp' });
    const cells = numbers(40).map((id) => [id, id % 8, ['new', 'paid', 'sent'][id % 3] ?? '', day(1 + (id % 28))]);
    const { chosen } = draft([rows(orders, ...cells)]);
    assert.deepEqual(
      chosen.map(({ role, columns }) => [role, ...columns]),
      [
        ['key', 'id'],
        ['time', 'placed_at'],
        ['object', 'customer_id'],
      ],
    );
  });

  it('relate objects of a log to another table only if the foreign key refers to its key', () => {
    const customers = table('customers', { id: 'integer', code: 'text', name: 'text' }, { primaryKey: ['id'] });
    const log = (target: string): DataObject =>
      table(
        'events',
        { case_id: 'text', activity: 'text', at: 'timestamp', customer: 'text' },
        {
          foreignKeys: [
            { name: 'fk', columns: ['customer'], references: { dataObject: 'customers', columns: [target] } },
          ],
        },
      );
    const cells = numbers(90).map((row) => {
      const own = Math.floor(row / 3);
      return [
        `c${own}`,
        ['open', 'work', 'close'][row % 3] ?? '',
        `${day(1 + (own % 28))}T0${row % 3}:00:00`,
        `k${own % 9}`,
      ];
    });
    const known = rows(customers, ...numbers(9).map((id) => [id, `k${id}`, `Customer ${id}`]));
    const typeOf = (target: string): unknown =>
      draft([known, rows(log(target), ...cells)]).model.elements[0]?.objects.find(({ key }) => key === 'customer')
        ?.entityType;
    assert.equal(typeOf('id'), 'customers');
    // The values are codes: entities of customers have other keys.
    assert.equal(typeOf('code'), 'customer');
  });

  it('relate tables without foreign keys by names and values, and not where the values differ', () => {
    const orders = table('orders', { order_no: 'text', placed: 'date' });
    const bills = table('bills', { bill_no: 'text', order_no: 'text', billed: 'date' });
    const ofOrders = rows(orders, ...numbers(20).map((id) => [`o${id}`, day(1 + id)]));
    const related = (prefix: string): unknown =>
      draft([
        ofOrders,
        rows(bills, ...numbers(20).map((id) => [`b${id}`, `${prefix}${id}`, day(2 + id)])),
      ]).model.relationships.map(({ source, target, mappings, correlate }) => [source, target, mappings, correlate]);
    assert.deepEqual(related('o'), [
      ['Bill Bill', 'Place Order', [{ source: 'order_no', target: 'order_no' }], undefined],
    ]);
    assert.deepEqual(related('x'), []);
  });

  it('do not correlate events shared by many rows with each of these', () => {
    const orders = table(
      'orders',
      { id: 'integer', employee: 'integer', placed: 'date' },
      {
        primaryKey: ['id'],
        foreignKeys: [{ name: 'fk', columns: ['employee'], references: { dataObject: 'people', columns: ['id'] } }],
      },
    );
    const staff = numbers(20).map((id) => [id, '1980-01-01', day(1 + id), '2024-02-01']);
    const inputs = [rows(people, ...staff), rows(orders, ...numbers(60).map((id) => [id, id % 4, day(1 + (id % 28))]))];
    assert.deepEqual(
      draft(inputs).model.relationships.map(({ source, target, correlate }) => [source, target, correlate]),
      [['Place Order', 'Hire People', 'source']],
    );
  });

  it('have tables without times as entities, if events refer or belong to them', () => {
    const key = (columns: readonly string[], target: string): Partial<DataObject>['foreignKeys'] => [
      { name: 'fk', columns, references: { dataObject: target, columns: ['id'] } },
    ];
    const orders = table(
      'orders',
      { id: 'integer', customer: 'integer', placed: 'date' },
      { primaryKey: ['id'], foreignKeys: key(['customer'], 'customers') ?? [] },
    );
    const lines = table(
      'lines',
      { id: 'integer', order: 'integer', product: 'integer', quantity: 'integer' },
      {
        primaryKey: ['id'],
        foreignKeys: [...(key(['order'], 'orders') ?? []), ...(key(['product'], 'products') ?? [])],
      },
    );
    const plain = ['customers', 'products', 'cities'].map((name) =>
      table(name, { id: 'integer', label: 'text' }, { primaryKey: ['id'] }),
    );
    const { model, leftOut } = draft([orders, lines, ...plain].map((object) => ({ object })));
    assert.deepEqual(
      model.entities.map(({ name }) => name),
      ['lines', 'customers', 'products'],
    );
    assert.deepEqual(
      model.relationships.map(({ source, target }) => `${source} → ${target}`),
      ['Place Order → customers', 'lines → Place Order', 'lines → products'],
    );
    assert.deepEqual(leftOut, [{ dataObject: 'cities', reason: 'it has no times, and no events refer to it' }]);
  });

  it('have no secrets and no binary data among their properties', () => {
    const users = table(
      'users',
      { id: 'integer', created_at: 'timestamp', password: 'text', picture: 'binary', name: 'text' },
      { primaryKey: ['id'] },
    );
    assert.deepEqual(draft([{ object: users }]).model.elements[0]?.properties, ['id', 'created_at', 'name']);
  });

  it('quote the name of a file with dots in computed times', () => {
    const file = table('orders.2024', { id: 'integer', placed: 'text' }, { kind: 'file' });
    const cells = numbers(20).map((index) => [
      index,
      `${day(index + 1)
        .split('-')
        .toReversed()
        .join('.')} 12:00`,
    ]);
    const { text } = draft([rows(file, ...cells)], { catalog: { dataSource: 'files', dialect: 'duckdb' } });
    assert.match(text, /"orders\.2024"\."placed"/);
  });

  it('explain their choices in comments, which do not change the meaning of the file', () => {
    const { text } = draft([{ object: people }]);
    assert.match(
      text,
      /\n {4}# Chosen as startTimestamp because it is called hire_date[^#]*\n {4}startTimestamp: hire_date\n/,
    );
    for (const line of text.split('\n')) assert.ok(line.length <= 80, line);
  });

  /** A log as writers of XES name its columns. */
  function caseLog(columns: Columns, cellsOf: (ofCase: number, step: number) => readonly SampleCell[]): TableInput {
    const log = table('log', { 'case:concept:name': 'text', 'concept:name': 'text', ...columns });
    const steps = ['open', 'work', 'check', 'close'];
    const cells = numbers(40).flatMap((ofCase) =>
      steps.map((step, at) => [`C${ofCase}`, step, ...cellsOf(ofCase, at)] as const),
    );
    return rows(log, ...cells);
  }
  const moment = (ofCase: number, hour: number): string => `${day(1 + (ofCase % 28))}T${10 + hour}:00:00`;

  it('give columns in the scope of the case of a log to its cases, if they are constant there', () => {
    const columns = { 'case:group': 'text', 'case:note': 'text', 'time:timestamp': 'timestamp' } as const;
    const input = caseLog(columns, (ofCase, at) => [`G${ofCase % 7}`, `N${ofCase + at}`, moment(ofCase, at)]);
    const { elements, entities } = draft([input]).model;
    assert.deepEqual(entities, [
      {
        name: 'case',
        entityType: 'case',
        dataObject: 'log',
        key: ['case:concept:name'],
        properties: [{ column: 'case:group', name: 'group' }],
        reason: 'describes the cases of the log',
      },
    ]);
    assert.deepEqual(
      elements.map(({ entityType, key, properties }) => [entityType, key, properties]),
      [['case', ['case:concept:name'], ['case:concept:name', 'concept:name', 'case:note', 'time:timestamp']]],
    );
    const types = elements.flatMap(({ objects }) => objects.map(({ entityType }) => entityType));
    assert.ok(!types.includes('case'), 'groups and notes are no cases');
  });

  it('name other things of a log after their column, also if that begins with case', () => {
    const columns = { case_group: 'text', 'time:timestamp': 'timestamp' } as const;
    const input = caseLog(columns, (ofCase, at) => [`G${ofCase % 7}`, moment(ofCase, at)]);
    const [element] = draft([input]).model.elements;
    assert.deepEqual(
      element?.objects.map(({ entityType, key }) => [entityType, key]),
      [['case_group', 'case_group']],
    );
  });

  it('take time:timestamp as the end if there is a start_timestamp', () => {
    const columns = { start_timestamp: 'timestamp', 'time:timestamp': 'timestamp' } as const;
    const timesOf = (end: number): unknown => {
      const input = caseLog(columns, (ofCase, at) => [moment(ofCase, 2 * at), moment(ofCase, 2 * at + end)]);
      const [element] = draft([input]).model.elements;
      return [element?.start.column, element?.end?.column];
    };
    assert.deepEqual(timesOf(1), ['start_timestamp', 'time:timestamp']);
    // Not an end: it is before the start.
    assert.deepEqual(timesOf(-1), ['start_timestamp', undefined]);
  });

  it('leave out tables that inherit from others, but not fetched tables that extend others', () => {
    const objects = [table('orders', {}), table('web_orders', {}, { extends: ['orders'] })];
    const { objects: kept, leftOut } = draftable({ objects });
    assert.deepEqual(
      [kept.map(({ name }) => name), leftOut],
      [
        ['orders'],
        [{ dataObject: 'web_orders', reason: 'it inherits from orders: its rows are also rows of that table' }],
      ],
    );
    assert.deepEqual(draftable({ objects, isFetched: true }).leftOut, []);
    assert.deepEqual(draftable({ objects: objects.slice(1) }).leftOut, []);
  });

  it('take the Excel tables of a sheet if they hold most of its rows, else the sheet', () => {
    const of = (name: string, rowEstimate: number, within?: string) => {
      const object = table(name, {});
      return { ...object, ...(within && { within }), statistics: { ...object.statistics, rowEstimate } };
    };
    const kept = (...objects: ReturnType<typeof of>[]): readonly string[] =>
      draftable({ objects }).objects.map(({ name }) => name);
    const sheets = [of('a/Orders', 100), of('a/Notes', 10), of('b/Orders', 100)];
    assert.deepEqual(kept(...sheets, of('a/T1', 40, 'a/Orders'), of('a/T2', 58, 'a/Orders')), [
      'a/Notes',
      'b/Orders',
      'a/T1',
      'a/T2',
    ]);
    assert.deepEqual(kept(...sheets, of('a/Countries', 4, 'a/Orders')), ['a/Orders', 'a/Notes', 'b/Orders']);
    assert.deepEqual(kept(of('a/T1', 40, 'a/Orders')), ['a/T1']);
  });

  it('leave out partitions, and views where there are tables', () => {
    const objects = [
      table('payment', {}, { kind: 'partitioned table' }),
      table('payment_2024', {}, { kind: 'partition' }),
      table('totals', {}, { kind: 'view' }),
    ];
    const names = ({ objects: some }: ReturnType<typeof draftable>): readonly string[] => some.map(({ name }) => name);
    assert.deepEqual(names(draftable({ objects })), ['payment']);
    assert.deepEqual(names(draftable({ objects: objects.slice(2) })), ['totals']);
  });
});

describe('reasons of first graphs', () => {
  it('are in the bundle of translations, with places for names', async () => {
    const bundle = JSON.parse(await readFile('l10n/bundle.l10n.json', 'utf8')) as Readonly<Record<string, string>>;
    for (const text of ['is called {0}', 'is the primary key', 'is called like the key of {0} and has its values']) {
      assert.equal(bundle[text], text);
    }
  });

  it('in English are the marked texts with the names put in', () => {
    const reasons = [because('is called {0}', 'a{1}'), because('is a time'), because('{1} before {0}', 'x', 'y')];
    assert.equal(reasonText(reasons), 'is called a{1}, is a time, y before x');
  });
});
