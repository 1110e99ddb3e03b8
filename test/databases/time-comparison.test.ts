import assert from 'node:assert/strict';
import { join } from 'node:path';
import { noSecrets } from '../support/no-secrets.ts';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { graphText, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

/** Times around midnight, in microseconds since the first. `day` is that of the first and of the second. */
const moments = [0, 1, 500_000, 86_400_000_000] as const;
const days = [0, 86_400_000_000] as const;
const operators = ['=', '!=', '<', '>='] as const;

const compares: Readonly<Record<(typeof operators)[number], (left: number, right: number) => boolean>> = {
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
};

/** A column of times: as it is declared and written, and what its values mean. */
interface Column {
  readonly type: string;
  readonly values: readonly string[];
  readonly means: readonly number[];
  /** As in `times` of the data source. */
  readonly times?: string;
}

const dates: Column = { type: 'DATE', values: ["'2024-01-01'", "'2024-01-02'"], means: days };

/** Ways to write the same times in SQLite. */
const sqlite: Readonly<Record<string, Column>> = {
  date: dates,
  blank: {
    ...{ type: 'DATETIME', means: moments },
    values: [
      ...["'2024-01-01 00:00:00'", "'2024-01-01 00:00:00.000001'"],
      ...["'2024-01-01 00:00:00.5'", "'2024-01-02 00:00'"],
    ],
  },
  letter: {
    ...{ type: 'TEXT', means: moments },
    values: [
      ...["'2024-01-01T00:00:00.000'", "'2024-01-01T00:00:00.000001'"],
      ...["'2024-01-01T00:00:00.500'", "'2024-01-02T00:00:00'"],
    ],
  },
  whole: { type: 'DATETIME', values: ["'2024-01-01 00:00:00'", "'2024-01-02 00:00:00'"], means: days },
  'whole with a letter': { type: 'TEXT', values: ["'2024-01-01T00:00:00Z'", "'2024-01-02T00:00:00Z'"], means: days },
  mixed: { type: 'TEXT', values: ["'2024-01-01'", "'2024-01-02 00:00:00'"], means: days },
  offset: {
    ...{ type: 'TEXT', means: moments },
    values: [
      ...["'2024-01-01T01:00:00+01:00'", "'2023-12-31 23:00:00.000001-01'"],
      ...["'2024-01-01 00:00:00.5Z'", "'2024-01-02 02:00:00+02:00'"],
    ],
  },
  'short offset': {
    ...{ type: 'TEXT', means: moments },
    values: [
      ...["'2024-01-01 02:00 +02:00'", "'2024-01-01 00:00:00.000001 z'"],
      ...["'2024-01-01T02:00:00.5+0200'", "'2024-01-02 02:30 +0230'"],
    ],
  },
  'offset of some': {
    ...{ type: 'TEXT', means: moments },
    values: [
      ...["'2024-01-01 00:00'", "'2024-01-01 01:00:00.000001+01:00'"],
      ...["'2024-01-01 00:00:00.5'", "'2024-01-01 22:00 -02'"],
    ],
  },
  seconds: {
    ...{ type: 'INTEGER', means: [0, 500_000, 86_400_000_000], times: 'unix-seconds' },
    values: ['1704067200', '1704067200.5', '1704153600'],
  },
  milliseconds: {
    ...{ type: 'INTEGER', means: [0, 500_000, 86_400_000_000], times: 'unix-milliseconds' },
    values: ['1704067200000', '1704067200500', '1704153600000'],
  },
  days: { type: 'REAL', values: ['2460310.5', '2460311.5'], means: days, times: 'julian-days' },
};

/** Engines that have types for times. */
const typed = (precise: string): Readonly<Record<string, Column>> => ({
  date: dates,
  time: {
    ...{ type: precise, means: moments },
    values: [
      ...["'2024-01-01 00:00:00'", "'2024-01-01 00:00:00.000001'"],
      ...["'2024-01-01 00:00:00.5'", "'2024-01-02 00:00:00'"],
    ],
  },
});

const tableOf = (name: string, { type, values }: Column): string[] => [
  `CREATE TABLE ${name} (id INTEGER, placed ${type})`,
  ...values.map((value, id) => `INSERT INTO ${name} VALUES (${id}, ${value})`),
];

/** Makes the tables; returns the sources file. */
type Prepare = (folder: string, tables: readonly string[], times: string) => Promise<string>;

const kinds: Readonly<
  Record<string, { readonly columns: Readonly<Record<string, Column>>; readonly prepare: Prepare }>
> = {
  sqlite: {
    columns: sqlite,
    async prepare(folder, tables, times) {
      createSqliteFile(join(folder, 'shop.sqlite'), tables.join(';'));
      return `version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite, times: { ${times} } }\n`;
    },
  },
  duckdb: {
    columns: typed('TIMESTAMP'),
    async prepare(folder, tables) {
      await createDuckdbFile(join(folder, 'shop.duckdb'), tables);
      return 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n';
    },
  },
  mysql: {
    columns: typed('DATETIME(6)'),
    async prepare(_folder, tables) {
      const server = await sharedMariadb();
      const database = await server.createDatabase();
      await server.query(database, tables.join(';'));
      const { host, port, user, password } = server;
      return `version: 1\ndataSources:\n  shop: { kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password} }\n`;
    },
  },
};

/** docs/semantics.md#112-unlike-types */
describe('times are compared as times', () => {
  for (const [kind, { columns, prepare }] of Object.entries(kinds)) {
    it(`${kind} › mappings and cross tables match equal times in columns of different types`, () => {
      const names = Object.keys(columns);
      const table = (name: string): string => name.replaceAll(' ', '_');
      const pairs = names.flatMap((left, index) => names.slice(index).map((right) => [left, right] as const));
      const elements = names.map(
        (name) =>
          `  - { activityName: ${name}, dataObject: ${table(name)}, entityType: ${name}, key: id, startTimestamp: placed }\n`,
      );
      const compared = pairs.flatMap(([left, right]) => operators.map((operator) => ({ left, right, operator })));
      const mappings = compared.map(
        ({ left, right, operator }) =>
          `  - { name: "${left} ${operator} ${right}", source: ${left}, target: ${right}, mappings: [{ source: placed, operator: "${operator}", target: placed }] }\n`,
      );
      const across = `  - { name: across, source: date, target: date, crossTable: { dataObject: ${table(names[1] ?? '')}, sourceMappings: [{ source: placed, cross: placed }], targetMappings: [{ cross: placed, target: placed }] } }\n`;
      return withProject(
        { 'graph.entity.yaml': graphText(elements.join(''), [...mappings, across].join('')) },
        async (project) => {
          const tables = Object.entries(columns).flatMap(([name, column]) => tableOf(table(name), column));
          const times = Object.entries(columns).flatMap(([name, { times }]) =>
            times === undefined ? [] : [`${table(name)}.placed: ${times}`],
          );
          await project.write({ 'entity-sources.yaml': await prepare(project.folder, tables, times.join(', ')) });
          const { relationships } = await project.import();
          // The graph has the same times.
          const stored = await project.rows('SELECT DISTINCT activity, epoch_us(time) FROM event ORDER BY ALL');
          const first = 1_704_067_200_000_000;
          const meant = names
            .toSorted()
            .flatMap((name) => (columns[name]?.means ?? []).map((mean) => [name, String(first + mean)]));
          assert.deepEqual(
            stored.map((row) => row.map(String)),
            meant,
          );
          const found = Object.fromEntries(relationships.map(({ name, pairs }) => [name, pairs]));
          const expected = compared.map(({ left, right, operator }) => {
            const [one, other] = [columns[left]?.means ?? [], columns[right]?.means ?? []];
            const matching = one.flatMap((a) => other.filter((b) => compares[operator](a, b)));
            return [`${left} ${operator} ${right}`, matching.length] as const;
          });
          assert.deepEqual(found, Object.fromEntries([...expected, ['across', 2]]));
        },
      );
    });
  }

  it('sqlite › Test Query of a path compares keys that are times like an import', () => {
    const tables = [
      'CREATE TABLE first (id INTEGER, at DATETIME)',
      "INSERT INTO first VALUES (1, '2024-01-01 00:00:00'), (2, '2024-01-02 00:00:00')",
      'CREATE TABLE second (id INTEGER, at TEXT)',
      "INSERT INTO second VALUES (1, '2024-01-01T01:00+01:00'), (2, '2024-01-03T00:00:00Z')",
    ];
    const element = (name: string, key: string) =>
      `  - { activityName: ${name} by ${key}, dataObject: ${name}, entityType: ${key === 'at' ? 'moment' : name}, key: ${key}, startTimestamp: at }\n`;
    const elements = ['first', 'second'].flatMap((name) => [element(name, 'id'), element(name, 'at')]).join('');
    const relationships =
      '  - { name: one, source: first by id, target: first by at, mappings: [{ source: id, target: id }] }\n' +
      '  - { name: other, source: second by at, target: second by id, mappings: [{ source: id, target: id }] }\n' +
      '  - { name: both, source: first by id, target: second by id, path: [one, other] }\n';
    return withProject({ 'graph.entity.yaml': graphText(elements, relationships) }, async (project) => {
      createSqliteFile(join(project.folder, 'shop.sqlite'), tables.join(';'));
      await project.write({
        'entity-sources.yaml': 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n',
      });
      const { relationships: imported } = await project.import();
      assert.equal(imported.find(({ name }) => name === 'both')?.pairs, 1);
      const context = { ...noSecrets, workspaceFolderOf: () => project.folder };
      const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), context);
      const { rows } = await testQuery(file, { kind: 'relationship', name: 'both' }, context);
      assert.deepEqual(rows, [['1', '1']]);
    });
  });
});
