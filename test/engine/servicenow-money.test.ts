import assert from 'node:assert/strict';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import { insertRecord } from '../simulator/instance.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { importIncrementally, withIncrementalImport } from '../support/incremental-imports.ts';
import { loaded } from '../support/servicenow-queries.ts';
import { withInstance } from '../support/servicenow-source.ts';

const amounts = ['USD;1234.5', 'EUR;900', 'USD;-12.25', '1500.75', 'JPY;0', ''];

/** Orders with these amounts, numbered from 1. */
function order({ instance }: Simulator, values: readonly string[] = amounts): void {
  for (const [index, amount] of values.entries()) {
    const number = `O${index + 1}`;
    insertRecord(instance, 'u_order', {
      number,
      u_amount: amount,
      u_price: amount,
      u_fee: amount,
      u_fee_currency: 'own',
    });
  }
}

const money = 'number, u_amount, u_amount_currency, u_price, u_price_currency, u_fee, u_fee_currency_code';

function orderQuery(catalog: Catalog, properties = money, where = ''): CompiledQuery {
  const lines = `startTimestamp: sys_created_on, properties: [${properties}]${where === '' ? '' : `, where: "${where}"`}`;
  const text = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - { activityName: A, dataObject: u_order, ${lines} }\n`;
  const { graph } = parseEntityGraph(text);
  const [element] = graph.elements;
  assert.ok(element);
  const built = buildElementQuery(graph, element, catalog);
  if (!('query' in built)) throw new Error(built.problems.map(({ message }) => message).join('\n'));
  return built.query;
}

/** Rows of a result, without key and time. */
function valuesOf(rows: readonly string[]): readonly string[] {
  return rows
    .map((row) => row.slice(row.indexOf('|O') + 1))
    .map((row) => row.replace(/\|[^|]*$/, (last) => (/^\|\d{4}-/.test(last) ? '' : last)))
    .sort();
}

const settings = { tables: ['u_order'] };

/** One row per condition: the numbers of the orders selected by SQL. */
const filters: readonly (readonly [where: string, numbers: readonly string[]])[] = [
  ['u_amount > 1000', ['O1', 'O4']],
  ['u_amount > 1000 AND u_amount < 1300', ['O1']],
  ['u_amount = 900', ['O2']],
  ['900 <= u_price', ['O1', 'O2', 'O4']],
  ['u_amount BETWEEN -20 AND 0', ['O3', 'O5']],
  ['u_amount IN (900, 0)', ['O2', 'O5']],
  ["u_amount_currency = 'USD'", ['O1', 'O3']],
  ["u_amount_currency IN ('EUR', 'JPY')", ['O2', 'O5']],
  ["u_fee_currency_code LIKE 'E%'", ['O2']],
  ['u_amount IS NULL', ['O6']],
  ['u_amount IS NOT NULL AND u_amount_currency IS NULL', ['O4']],
  ["u_amount > 100 AND u_amount_currency = 'EUR' AND number = 'O2'", ['O2']],
];

describe('ServiceNow currency fields', () => {
  it('are numbers with a separate currency column', async () => {
    for (const displayValue of ['false', 'true', 'all']) {
      await withInstance({ incidents: 1, settings: { ...settings, displayValue } }, async (connector, simulator) => {
        order(simulator);
        const catalog = await connector.describe({});
        const columns = catalog.objects[0]?.columns.filter(({ name }) => name.startsWith('u_')) ?? [];
        assert.deepEqual(
          columns.map(({ name, type, comment }) => `${name} ${type}: ${comment}`),
          [
            'u_amount DECIMAL(20,4): U amount',
            'u_amount_currency VARCHAR: Currency of U amount',
            'u_fee DECIMAL(20,4): U fee',
            'u_fee_currency_code VARCHAR: Currency of U fee',
            'u_fee_currency VARCHAR: U fee currency',
            'u_price DECIMAL(20,4): U price',
            'u_price_currency VARCHAR: Currency of U price',
          ],
        );
        const [found] = await loaded(connector, [orderQuery(catalog)]);
        assert.deepEqual(found?.result.warnings, []);
        const three = (amount: string, currency: string): string => Array(3).fill(`${amount}|${currency}`).join('|');
        const expected = [
          ['1234.5000', 'USD'],
          ['900.0000', 'EUR'],
          ['-12.2500', 'USD'],
          ['1500.7500', ''],
          ['0.0000', 'JPY'],
          ['', ''],
        ].map(([amount = '', currency = ''], index) => `O${index + 1}|${three(amount, currency)}`);
        assert.deepEqual(valuesOf(found?.rows ?? []), expected);
      });
    }
  });

  it('may be JSON numbers', async () => {
    await withInstance({ incidents: 1, settings }, async (connector, simulator) => {
      const catalog = await connector.describe({});
      const number = (sys_id: string, u_amount: unknown) => ({
        sys_id,
        number: 'O1',
        u_amount,
        sys_created_on: '2024-01-01 00:00:00',
      });
      const body = JSON.stringify({
        result: [number('a', 12.5), number('b', { value: 'EUR;3', display_value: '3 €' })],
      });
      simulator.failNext({ kind: 'uncounted', body }, { on: ({ path }) => path.endsWith('/table/u_order') });
      const { rows } = await connector.preview(orderQuery(catalog, 'u_amount, u_amount_currency'), { limit: 10 });
      assert.deepEqual(
        rows.map((row) => row.filter((cell) => /^(?:12\.5|3|EUR)/.test(String(cell)))),
        [['12.5000'], ['3.0000', 'EUR']],
      );
    });
  });

  it('are requested once per field, under their own name', async () => {
    await withInstance({ incidents: 1, settings }, async (connector, simulator) => {
      order(simulator);
      const query = orderQuery(await connector.describe({}), 'u_amount_currency, u_fee_currency_code, u_fee_currency');
      const before = simulator.requests.length;
      await loaded(connector, [query]);
      const [list] = simulator.requests.slice(before).filter(({ path }) => path.endsWith('/table/u_order'));
      assert.equal(list?.parameters.get('sysparm_fields'), 'sys_id,sys_created_on,u_amount,u_fee,u_fee_currency');
    });
  });

  for (const [where, numbers] of filters) {
    it(`are filtered by SQL, as the instance compares them in its own currency: ${where}`, async () => {
      await withInstance({ incidents: 1, settings }, async (connector, simulator) => {
        order(simulator);
        const query = orderQuery(await connector.describe({}), 'number', where);
        const [found] = await loaded(connector, [query]);
        assert.deepEqual(
          valuesOf(found?.rows ?? []).map((row) => row.slice(0, 2)),
          numbers,
        );
        const sent = simulator.requests.map(({ parameters }) => parameters.get('sysparm_query') ?? '');
        assert.ok(
          sent.every((each) => !/u_(?:amount|price|fee)/.test(each)),
          sent.join('\n'),
        );
      });
    });
  }

  it('with an unknown text format are refused, naming the record', async () => {
    for (const amount of ['$1,234.50', 'USD;1,5', 'a'.repeat(32), 'USD;12.34567']) {
      await withInstance({ incidents: 1, settings }, async (connector, simulator) => {
        order(simulator, [amount]);
        const id = simulator.instance.data.get('u_order')?.[0]?.['sys_id'] ?? '';
        const query = orderQuery(await connector.describe({}), 'u_amount');
        await assert.rejects(loaded(connector, [query]), (error: Error & { code?: string }) => {
          assert.equal(error.code, 'type-mismatch');
          assert.match(
            error.message,
            new RegExp(`^The record ${id} of u_order has ".*" in u_amount, which is no DECIMAL`),
          );
          return true;
        });
      });
    }
  });

  it('are updated by incremental imports', async () => {
    await withIncrementalImport(1, async (simulator, folder) => {
      order(simulator);
      const element = {
        dataObject: 'u_order',
        body: '    startTimestamp: sys_created_on\n    properties: [number, u_amount, u_amount_currency]\n',
        shown: ['number', 'u_amount', 'u_amount_currency'],
      };
      await importIncrementally(simulator, folder, { element, settings });
      Object.assign(simulator.instance.data.get('u_order')?.[1] ?? {}, {
        u_amount: 'GBP;7.125',
        sys_updated_on: '2024-07-01 10:00:00',
      });
      const { rows } = await importIncrementally(simulator, folder, { element, settings });
      assert.ok(rows.includes('O2|7.1250|GBP') && rows.includes('O1|1234.5000|USD'), rows.join('\n'));
    });
  });
});
