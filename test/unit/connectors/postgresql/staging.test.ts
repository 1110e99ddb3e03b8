import assert from 'node:assert/strict';
import { columnTypeOf } from '../../../../server/src/connectors/postgresql/column-type.ts';
import type { ResultColumn } from '../../../../server/src/connectors/postgresql/result-columns.ts';
import { distributedStaging, temporaryStaging } from '../../../../server/src/connectors/postgresql/staging.ts';
import type { CompiledQuery } from '../../../../server/src/query/compiled-query.ts';

const query = { sql: 'SELECT id, name FROM orders' } as unknown as CompiledQuery;
const columns = [
  ['id', 'bigint', 20, 'N'],
  ['name', 'text', 25, 'S'],
].map(([name, type, oid, category]): ResultColumn => {
  const columnType = columnTypeOf({ oid: Number(oid), modifier: -1, kind: 'b', category: String(category) });
  return { name: String(name), type: String(type), sense: columnType.sense, columnType, oid: Number(oid) };
});

describe('rows staged in a cluster', () => {
  const staging = distributedStaging('"ekg"', (table) => `SELECT create_distributed_table('${table}', 'rowid')`);

  it('are inserted into a table that is distributed while it is empty', () => {
    const texts = staging.fill(query, 'element_1', undefined, columns).map(({ executed }) => executed.text);
    const select =
      'SELECT gen_random_uuid() AS rowid, c1 AS c1, ((c2)::text) COLLATE "default" AS c2 FROM (\nSELECT id, name FROM orders\n) AS q (c1, c2)';
    assert.deepEqual(texts, [
      `CREATE TABLE "ekg"."element_1" AS ${select} WITH NO DATA`,
      `SELECT create_distributed_table('"ekg"."element_1"', 'rowid')`,
      `INSERT INTO "ekg"."element_1" ${select}`,
    ]);
  });

  it('are limited to the sample', () => {
    const texts = staging.fill(query, 'element_1', 7, columns).map(({ executed }) => executed.text);
    assert.match(texts[2] ?? '', / LIMIT 7$/);
  });

  it('have statements that map the positions of errors to the query', () => {
    for (const { executed } of staging.fill(query, 'element_1', undefined, columns)) {
      const { text, core, coreOffset } = executed;
      assert.ok(core === '' || text.slice(coreOffset).startsWith(query.sql), text);
    }
  });
});

describe('rows staged on one server', () => {
  it('are numbered from 0 in a temporary table', () => {
    const [fill] = temporaryStaging.fill(query, 'element_1', undefined, columns);
    assert.match(
      fill?.executed.text ?? '',
      /^CREATE TEMP TABLE "element_1" ON COMMIT DROP AS SELECT row_number\(\) OVER \(\) - 1 AS rowid, /,
    );
  });
});
