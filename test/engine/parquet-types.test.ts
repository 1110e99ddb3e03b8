import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { ExportedGraph } from '../../protocol/event-graph.ts';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { type Cell, graphText, withProject } from '../support/import-text.ts';
import { runCommand } from '../support/run-command.ts';

/** A value of a type, and what Parquet gets instead of both. */
interface Replaced {
  readonly sql: string;
  readonly type: string;
  readonly written: string;
  readonly text: string;
}

const replaced: Readonly<Record<string, Replaced>> = {
  integer: { sql: '9007199254740993::HUGEINT', type: 'HUGEINT', written: 'DECIMAL(38,0)', text: '9007199254740993' },
  negative: {
    sql: '(-99999999999999999999999999999999999999)::HUGEINT',
    type: 'HUGEINT',
    written: 'DECIMAL(38,0)',
    text: '-99999999999999999999999999999999999999',
  },
  largest: {
    sql: '170141183460469231731687303715884105727::HUGEINT',
    type: 'HUGEINT',
    written: 'VARCHAR',
    text: '170141183460469231731687303715884105727',
  },
  unsigned: {
    sql: '340282366920938463463374607431768211455::UHUGEINT',
    type: 'UHUGEINT',
    written: 'VARCHAR',
    text: '340282366920938463463374607431768211455',
  },
  time: {
    sql: "'10:00:00.123456+02:00'::TIMETZ",
    type: 'TIME WITH TIME ZONE',
    written: 'VARCHAR',
    text: '10:00:00.123456+02:00',
  },
  india: { sql: "'10:00:00+05:30'::TIMETZ", type: 'TIME WITH TIME ZONE', written: 'VARCHAR', text: '10:00:00+05:30' },
};

/** Values that Parquet has, and values that are texts in a store. */
const kept: Readonly<Record<string, string>> = {
  lasts: "INTERVAL '1 month 2 days 3.123456 seconds'",
  ago: "INTERVAL '-1 month'",
  list: '[9007199254740993::HUGEINT]',
  nested: "{ 'at': '10:00:00+02'::TIMETZ, 'for': INTERVAL '-1 day' }",
  map: "MAP { 'a': 9007199254740993::HUGEINT }",
  moment: "'2024-01-01 00:00:00.123456'::TIMESTAMP_NS",
  second: "'2024-01-01 00:00:01'::TIMESTAMP_S",
  late: "'10:00:00.123456789'::TIME_NS",
  small: '18446744073709551615::UBIGINT',
  decimal: '1.5::DECIMAL(38,10)',
  day: "'infinity'::DATE",
  clock: "'10:00:00.123456'::TIME",
  bits: "'0101'::BIT",
  long: '123456789012345678901234567890123456789012345::BIGNUM',
  id: "'51728637-9ead-41e4-a667-e5869938248e'::UUID",
  colour: "'red'::ENUM ('red', 'blue')",
  json: `'{"a":1.50}'::JSON`,
  text: "'x'",
};

/** docs/exports.md#how-files-are-written */
describe('Parquet exports of types that Parquet lacks', () => {
  it('have all digits, zones and parts, and say what they replaced', async () => {
    const columns = { ...Object.fromEntries(Object.entries(replaced).map(([name, { sql }]) => [name, sql])), ...kept };
    const properties = Object.keys(columns);
    const project = {
      'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n',
      'graph.entity.yaml': graphText(
        `  - { activityName: Place, dataObject: orders, key: key, startTimestamp: placed, properties: [${properties.join(', ')}] }\n`,
      ),
    };
    await withProject(project, async (of) => {
      const values = Object.entries(columns).map(([name, sql]) => `${sql} AS "${name}"`);
      await createDuckdbFile(join(of.folder, 'shop.duckdb'), [
        `CREATE TABLE orders AS SELECT 1 AS key, TIMESTAMP '2024-01-01' AS placed, ${values.join(', ')}`,
      ]);
      const { status, error } = await of.import();
      assert.equal(status, 'imported', error?.message);
      const args = ['export', 'graph.entity.yaml', '--as', 'parquet', '--output', 'out', '--workspace', of.folder];
      const { stdout } = await runCommand([...args, '--format', 'json'], of.folder);
      const { notes } = JSON.parse(stdout) as ExportedGraph;
      assert.deepEqual(
        notes,
        Object.entries(replaced).map(
          ([name, { type, written }]) =>
            `Column "${name}" of properties_1 is ${written}: Parquet has no ${type} without loss.`,
        ),
      );
      const { stderr } = await runCommand(args, of.folder);
      assert.match(stderr, /^note: Column "integer" of properties_1 is DECIMAL\(38,0\): /);
      const texts = properties.map((name) => `CAST("${name}" AS VARCHAR)`).join(', ');
      const scratch = await openScratch();
      try {
        const file = `'${join(of.folder, 'out/properties_1.parquet')}'`;
        const [row = []] = (await scratch.table(`SELECT ${texts} FROM ${file}`)).rows as readonly (readonly Cell[])[];
        const [before = []] = await of.rows(`SELECT ${texts} FROM properties_1`);
        assert.deepEqual(
          row,
          properties.map((name, index) => replaced[name]?.text ?? before[index]),
        );
        const types = new Map((await scratch.describe(`SELECT * FROM ${file}`)).map(({ name, type }) => [name, type]));
        for (const [name, { written }] of Object.entries(replaced)) assert.equal(types.get(name), written, name);
      } finally {
        await scratch.close();
      }
    });
  });
});
