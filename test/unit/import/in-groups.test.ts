import assert from 'node:assert/strict';
import { inGroups } from '../../../server/src/import/build/ranged/in-groups.ts';

describe('tables that are filled in groups', () => {
  it('are created from the first eight selects, and get the others by further statements', () => {
    const selects = Array.from({ length: 17 }, (_, index) => `SELECT ${index}`);
    const [create, ...others] = inGroups('t', 'CREATE TABLE', selects);
    assert.match(create, /^CREATE TABLE t AS SELECT 0\nUNION ALL\nSELECT 1\n/);
    assert.equal(create.split('UNION ALL').length, 8);
    assert.deepEqual(
      others.map((sql) => [sql.startsWith('INSERT INTO t SELECT'), sql.split('UNION ALL').length]),
      [
        [true, 8],
        [true, 1],
      ],
    );
    assert.equal(others[1], 'INSERT INTO t SELECT 16');
  });

  it('need one statement for one select', () => {
    assert.deepEqual(inGroups('t', 'CREATE TABLE', ['SELECT 1']), ['CREATE TABLE t AS SELECT 1']);
  });
});
