import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { openedText } from '../support/opened-numbers.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

interface Types {
  readonly text: string;
  readonly time: string;
}

/** Texts that a collation or padding takes for one, numbers with an expected text, padded texts and times. */
const tables = ({ text, time }: Types): readonly string[] => [
  `CREATE TABLE orders (id INTEGER, placed ${time}, changed ${time}, state ${text}, amount DECIMAL(8, 2), padded CHAR(5))`,
  `INSERT INTO orders VALUES
    (1, '2024-01-02 10:00:00', '2024-01-01 10:00:00', 'Open', 10.50, 'ab'),
    (2, '2024-01-02 10:00:00', NULL, 'open', 10.5, 'ab'),
    (3, '2024-01-02 10:00:00', NULL, 'closed', 7, NULL),
    (4, '2024-01-02 10:00:00', NULL, 'closed ', 8, NULL),
    (5, '2024-01-02 10:00:00', NULL, 'closed ', NULL, NULL)`,
  `CREATE TABLE customers (id ${text}, joined ${time})`,
  `INSERT INTO customers VALUES ('a', NULL), ('A', NULL), ('b', NULL), (NULL, NULL)`,
  `CREATE TABLE towns (id ${text}, label ${text}, note ${text})`,
  `INSERT INTO towns VALUES ('t', 'x', 'n'), ('t', 'X', 'n'), ('u', 'y', 'n'), ('u', 'y', 'n'), ('v', NULL, 'n'), ('v', 'z', 'n'), ('w', NULL, 'n'), ('w', NULL, 'N')`,
];

const graph = `version: 1
name: Test
dataSource: shop
elements:
  - activityName: Order
    dataObject: orders
    key: id
    startTimestamp: placed
    changeTimestamp: changed
    activityColumn: state
    expect:
      unique: [state, amount, placed]
      notNull: [changed]
      values: { state: [open, closed], amount: [10.5, seven], padded: [ab] }
entities:
  - { entityType: customer, dataObject: customers, key: id, expect: { unique: [id] } }
  - { entityType: town, dataObject: towns, key: id, properties: [label, note] }
`;

/** The warnings of a kind: numbers that can be opened in brackets. */
const expected = (kind: {
  readonly before: string;
  readonly empty: string;
  readonly equal: string;
  readonly other: string;
  readonly padded?: string;
}) => [
  `${kind.before} of [5] rows of "Order" change before they start.`,
  '[2] of 5 rows of "Order" share a value of state, which should be unique: "closed " in 2.',
  `${kind.equal} of 4 rows of "Order" share a value of amount, which should be unique: "10.5" in 2.`,
  '5 of 5 rows of "Order" share a value of placed, which should be unique: "2024-01-02T10:00:00.000000Z" in 5.',
  `${kind.empty} of 5 rows of "Order" have no changed, which is expected in every row (the first has the key 2).`,
  '[3] of 5 rows of "Order" have another state than expected: "closed " in 2, "Open" in 1.',
  `${kind.other} of 4 rows of "Order" have another amount than expected: "7" in 1, "8" in 1.`,
  ...(kind.padded === undefined ? [] : [kind.padded]),
  '[1] of [4] rows of "customer" have no key and are left out.',
  '[3 opens 6] of [8] rows of "town" repeat a key with other values: the last row of each key counts.',
];

const sources: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  async postgresql() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, tables({ text: 'varchar(9)', time: 'timestamp' }).join(';'));
    return postgresqlSources(server, database);
  },
  async mysql() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    const types = { text: 'varchar(9) COLLATE utf8mb4_general_ci', time: 'datetime' };
    await server.query(database, tables(types).join(';'));
    const { host, port, user, password } = server;
    return `version: 1\ndataSources:\n  shop: { kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password} }\n`;
  },
  async sqlite(folder) {
    const types = { text: 'TEXT COLLATE NOCASE', time: 'TIMESTAMP' };
    createSqliteFile(join(folder, 'shop.sqlite'), tables(types).join(';'));
    return 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n';
  },
  async duckdb(folder) {
    const types = { text: 'VARCHAR COLLATE NOCASE', time: 'TIMESTAMP' };
    await createDuckdbFile(join(folder, 'shop.duckdb'), [...tables(types)]);
    return 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n';
  },
};

const all = { before: '[1]', equal: '[2]', empty: '[4]', other: '[2]' };
const padded = '2 of 2 rows of "Order" have another padded than expected: "ab   " in 2.';

const kinds: Readonly<Record<string, readonly string[]>> = {
  postgresql: expected({ ...all, padded }),
  // A date of zeros is not NULL there.
  mysql: expected({ ...all, before: '1', empty: '4' }),
  // Its times and numbers are values of any type.
  sqlite: expected({ ...all, before: '1', equal: '2', other: '2' }),
  duckdb: expected(all),
};

describe('numbers of warnings', () => {
  for (const [kind, warnings] of Object.entries(kinds)) {
    it(`open exactly the rows that they count, or are not links, with ${kind}`, () =>
      withProject({ 'graph.entity.yaml': graph }, async (project) => {
        await project.write({ 'entity-sources.yaml': (await sources[kind]?.(project.folder)) ?? '' });
        const { status, error, notes = [] } = await project.import();
        assert.equal(status, 'imported', error?.message);
        const texts: string[] = [];
        for (const note of notes) texts.push(await openedText(project, note));
        assert.deepEqual(texts, warnings);
      }));
  }
});
