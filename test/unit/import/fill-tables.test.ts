import assert from 'node:assert/strict';
import { trinoRanges } from '../../../server/src/dialects/trino/ranges.ts';
import { sourceBuildDialect } from '../../../server/src/import/build/build-dialect.ts';
import { fillingSteps } from '../../../server/src/import/build/fill-tables.ts';
import { inGroups } from '../../../server/src/import/build/ranged/filled-table.ts';

describe('tables filled by queries', () => {
  const trino = sourceBuildDialect('trino', ['lake', 'ekg']);
  const table = { name: 'unranked', title: 'Events', selects: ['SELECT 1', 'SELECT 2'] };

  it('are created by the first query, and filled by an INSERT for each further query', () => {
    assert.deepEqual(fillingSteps(table, trino), [
      { name: 'unranked', title: 'Events', sql: 'CREATE TABLE unranked AS SELECT 1', table: '"unranked"' },
      { name: 'unranked_part_2', title: 'Events', sql: 'INSERT INTO unranked SELECT 2', partOf: 'unranked' },
    ]);
  });

  it('are created in the schema of the graph if they belong to the graph', () => {
    const [step] = fillingSteps({ ...table, name: 'entity', selects: ['SELECT 1'] }, trino);
    assert.deepEqual([step?.sql, step?.table], ['CREATE TABLE "lake"."ekg".entity AS SELECT 1', '"lake"."ekg".entity']);
  });

  it('are filled by statements of eight queries in dialects that group queries', () => {
    const selects = Array.from({ length: 17 }, (_, index) => `SELECT ${index}`);
    const groups = inGroups(selects, trinoRanges);
    assert.deepEqual(
      groups.map((sql) => sql.split('\nUNION ALL\n').length),
      [8, 8, 1],
    );
    assert.deepEqual(inGroups(['SELECT 1'], trinoRanges), ['SELECT 1']);
  });
});
