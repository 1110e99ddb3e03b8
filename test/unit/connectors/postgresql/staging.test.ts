import assert from 'node:assert/strict';
import { columnTypeOf } from '../../../../server/src/connectors/postgresql/column-type.ts';
import type { ResultColumn } from '../../../../server/src/connectors/postgresql/result-columns.ts';
import { stageRows } from '../../../../server/src/connectors/postgresql/staging.ts';
import type { CompiledQuery } from '../../../../server/src/query/compiled-query.ts';

const query = { sql: 'SELECT id, name FROM orders' } as unknown as CompiledQuery;
const columns = [
  ['id', 'bigint', 20, 'N'],
  ['name', 'text', 25, 'S'],
].map(([name, type, oid, category]): ResultColumn => {
  const columnType = columnTypeOf({ oid: Number(oid), modifier: -1, kind: 'b', category: String(category) });
  return { name: String(name), type: String(type), sense: columnType.sense, columnType, oid: Number(oid) };
});

describe('rows staged on the server', () => {
  it('are numbered from 0 in a temporary table', () => {
    assert.deepEqual(textsOf(undefined), [
      `CREATE TEMP TABLE "element_1" ON COMMIT DROP AS SELECT row_number() OVER () - 1 AS rowid, c1 AS c1, (c2)::text COLLATE "C" AS c2 FROM (
SELECT id, name FROM orders
) AS q (c1, c2)`,
      'ANALYZE pg_temp."element_1"',
    ]);
  });

  it('are limited to the sample', () => {
    assert.match(textsOf(7)[0] ?? '', / LIMIT 7$/);
  });

  it('have statements that map the positions of errors to the query', () => {
    for (const { executed } of stageRows(query, 'element_1', undefined, columns)) {
      const { text, core, coreOffset } = executed;
      assert.ok(core === '' || text.slice(coreOffset).startsWith(query.sql), text);
    }
  });
});

function textsOf(sample: number | undefined): readonly string[] {
  return stageRows(query, 'element_1', sample, columns).map(({ executed }) => executed.text);
}
