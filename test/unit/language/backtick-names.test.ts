import assert from 'node:assert/strict';
import { joinAliases, sqlRoles } from '../../../server/src/language/sql/sql-roles.ts';

describe('names in backticks', () => {
  const roles = (sql: string): readonly string[] => sqlRoles(sql).map(({ role, text }) => `${role} ${text}`);

  it('have the colours of names: tables, aliases and columns', () => {
    assert.deepEqual(roles('JOIN `order details` `d` ON `d`.`order id` = `id`'), [
      'keyword JOIN',
      'table order details',
      'alias d',
      'keyword ON',
      'alias d',
      'column order id',
      'column id',
    ]);
  });

  it('are one token although they hold a quote or a keyword', () => {
    assert.deepEqual(roles("`it's` = 'x' AND `select` = 1"), [
      "column it's",
      "string 'x'",
      'keyword AND',
      'column select',
      'number 1',
    ]);
  });

  it('are aliases of joined tables', () => {
    assert.deepEqual([...joinAliases('JOIN `customers` AS `C` ON 1 = 1')], ['c']);
  });
});
