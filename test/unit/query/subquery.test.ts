import assert from 'node:assert/strict';
import { mayHaveSubquery } from '../../../server/src/query/subquery.ts';

describe('a fragment of SQL', () => {
  for (const sql of [
    'id IN (SELECT parent FROM orders)',
    'EXISTS (FROM orders AS o WHERE o.id = orders.parent)',
    'EXISTS ( /* all */ from orders)',
    'id IN (TABLE orders)',
    'EXISTS (SUMMARIZE orders)',
    'EXISTS (PIVOT orders ON note)',
    'EXISTS (WITH o AS (FROM orders) FROM o)',
    'FROM orders SELECT true',
    '((FROM orders LIMIT 1)).id = 1',
  ]) {
    it(`may have a subquery: ${sql}`, () => assert.equal(mayHaveSubquery(sql, 'duckdb'), true));
  }

  for (const sql of [
    'amount > 5',
    'extract(year FROM placed) = 2024',
    'note IS DISTINCT FROM parent',
    "note = '(SELECT 1)'",
    '("from" = 1)',
    'amount > 5 -- (SELECT 1)',
  ]) {
    it(`has no subquery: ${sql}`, () => assert.equal(mayHaveSubquery(sql, 'duckdb'), false));
  }
});
