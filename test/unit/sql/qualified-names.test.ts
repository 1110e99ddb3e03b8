import assert from 'node:assert/strict';
import { mysql } from '../../../server/src/dialects/mysql.ts';
import { isPending } from '../../../server/src/language/sql/sql-validator.ts';
import { namesValidator } from '../../../server/src/sql/qualified-names.ts';

describe('names in SQL without a parser', () => {
  const tables = [
    { path: ['shop', 'orders'], bare: true, columns: columns('id', 'customer_id', 'state', 'order date') },
    { path: ['shop', 'customers'], bare: true, columns: columns('id', 'city') },
    { path: ['stock', 'items'], bare: false, columns: columns('sku') },
  ];

  function columns(...names: readonly string[]) {
    return names.map((name) => ({ name, type: 'text' }));
  }

  /** Each mistake as the text at its position. */
  function mistakes(sql: string): readonly string[] {
    const statement = `SELECT 1 FROM \`shop\`.\`orders\` AS \`orders\`\n${sql}`;
    const answer = namesValidator(mysql)({ statement, tables });
    assert.ok(!isPending(answer));
    return answer.map(({ kind, name, position }) => {
      const at = statement.slice(position).replace(/^[`"]/, '');
      assert.ok(at.startsWith(name ?? ''), `${name} is at its position`);
      return `${kind} ${name}`;
    });
  }

  const cases: readonly (readonly [title: string, sql: string, expected: readonly string[]])[] = [
    ['a column that its table has not', 'WHERE (orders.stat = 1)', ['column stat']],
    ['a column in backticks', 'WHERE (`orders`.`order dat` IS NULL)', ['column order dat']],
    ['a column of a joined table', 'JOIN customers c ON c.id = customer_id WHERE (c.town = 1)', ['column town']],
    ['a column of a table of another database', 'JOIN stock.items AS i ON i.skuu = 1', ['column skuu']],
    ['an alias that no table has', 'JOIN customers c ON cu.id = orders.customer_id', ['alias cu']],
    ['a compared column', "WHERE (staus = 'open' AND state LIKE 'x')", ['column staus']],
    ['a compared column in backticks', 'JOIN customers ON `citty` = 1', ['column citty']],
    ['nothing in names of either case', 'JOIN Customers C ON c.ID = ORDERS.Customer_Id', []],
    ['nothing in comments and texts', "WHERE (state = 'orders.stat' /* orders.x */) # orders.y", []],
    [
      'nothing in a subquery with an alias of its own',
      'WHERE (EXISTS (SELECT 1 FROM customers k WHERE k.id = state AND x = 1))',
      [],
    ],
    [
      'nothing in columns of a derived table',
      'JOIN (SELECT id AS number FROM customers) d ON d.number = orders.id AND d.other = 1',
      [],
    ],
    ['nothing in a table that is not known', 'JOIN unknown_table u ON u.any = other', []],
    ['nothing in paths of three parts', 'WHERE (shop.orders.state = 1)', []],
    ['nothing in calls and variables', 'WHERE (sys.format_bytes(id) = @@session.sql_mode)', []],
    ['nothing in values that are words', 'WHERE (CURRENT_DATE > `order date` AND NULL IS NULL)', []],
    ['nothing in EXTRACT', 'WHERE (EXTRACT(YEAR FROM orders.`order date`) = 2020)', []],
  ];
  for (const [title, sql, expected] of cases) it(`find ${title}`, () => assert.deepEqual(mistakes(sql), expected));

  it('have the columns of their table as candidates when unknown', () => {
    const answer = namesValidator(mysql)({ statement: 'SELECT 1 FROM customers c WHERE (c.cty = 1)', tables });
    assert.ok(!isPending(answer));
    assert.deepEqual(answer[0]?.candidates, ['id', 'city']);
  });
});
