import assert from 'node:assert/strict';
import { type CheckedTable, type SqlChecker, openSqlChecker } from '../../server/src/engine/sql-checker.ts';

const table = (name: string, ...columns: string[]): CheckedTable => ({
  path: [name],
  columns: columns.map((column) => ({ name: column, type: 'INTEGER' })),
});

describe('DuckDB SQL validator', () => {
  let checker: SqlChecker;

  before(async () => {
    checker = await openSqlChecker();
  });
  after(() => checker.close());

  const kindOf = async (statement: string, ...tables: readonly CheckedTable[]): Promise<string | undefined> =>
    (await checker.check(statement, tables))?.kind;

  it('uses only the tables of the current question', async () => {
    const [orders, customers] = [table('orders', 'id', 'note'), table('customers', 'id')];
    assert.equal(await kindOf('SELECT id FROM orders', orders), undefined);
    assert.equal(await kindOf('SELECT id FROM customers', customers), undefined);
    assert.equal(await kindOf('SELECT id FROM orders, customers', customers), 'table-missing');
    assert.equal(await kindOf('SELECT id FROM "ORDERS"'), 'table-missing');
    assert.equal(await kindOf("SELECT id FROM 'Customers'"), 'table-missing');
    assert.equal(await kindOf('SELECT note FROM orders JOIN customers USING (id)', orders, customers), undefined);
  });

  it('notices changed columns of a table, regardless of the spelling of its name', async () => {
    assert.equal(await kindOf('SELECT id FROM Orders', table('Orders', 'id')), undefined);
    assert.equal(await kindOf('SELECT id FROM orders', table('orders', 'note')), 'column-missing');
    assert.equal(await kindOf('SELECT id FROM Orders', table('Orders', 'id')), undefined);
  });

  it('spells names in messages as the given tables do', async () => {
    await kindOf('SELECT id FROM orders', table('orders', 'id'));
    const failure = await checker.check('SELECT o.id FROM "Orders"', [table('Orders', 'id')]);
    assert.match(failure?.message ?? '', /Candidate tables: "Orders"/);
  });

  it('validates syntax without tables, also after questions with tables', async () => {
    const orders = table('orders', 'id');
    assert.equal(await kindOf('SELECT id FROM orders', orders), undefined);
    assert.equal((await checker.check('SELECT FROM WHERE'))?.kind, 'syntax');
    assert.equal((await checker.check('SELECT 1 FROM t WHERE x'))?.kind, 'table-missing');
    assert.equal(await kindOf('SELECT id FROM orders', orders), undefined);
  });

  it('validates many tables, then others', async () => {
    const many = Array.from({ length: 150 }, (_, index) => table(`t${index}`, 'id'));
    const from = many.map(({ path }) => path[0]).join(', ');
    assert.equal(await kindOf(`SELECT 1 FROM ${from}`, ...many), undefined);
    assert.equal(await kindOf('SELECT id FROM other', table('other', 'id')), undefined);
    assert.equal(await kindOf('SELECT 1 FROM t7', table('other', 'id')), 'table-missing');
  });
});
