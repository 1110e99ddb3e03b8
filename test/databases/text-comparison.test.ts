import assert from 'node:assert/strict';
import { join } from 'node:path';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

/** Pairs of `a` that a collation or padding would take for one text. */
const texts = ['a', 'A', 'a ', 'ä', 'a%', 'b'];

/** Two tables `one` and `other` of these texts, whose columns have this type. */
const tables = (types: readonly [one: string, other: string]): string[] =>
  ['one', 'other'].flatMap((name, index) => [
    `CREATE TABLE ${name} (code ${types[index]}, placed TIMESTAMP)`,
    `INSERT INTO ${name} VALUES ${texts.map((text) => `('${text}', '2024-01-01 00:00:00')`).join(', ')}`,
  ]);

/** Makes the tables, in columns of unlike collations where a kind has them; returns the sources file. */
const kinds: Readonly<Record<string, (folder: string) => Promise<string>>> = {
  async postgresql() {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, tables(['varchar(5) COLLATE "C"', 'text COLLATE "C"']).join(';'));
    return postgresqlSources(server, database);
  },
  async mysql() {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    const types = ['varchar(5) COLLATE utf8mb4_general_ci', 'varchar(5) CHARACTER SET latin1'] as const;
    await server.query(database, tables(types).join(';'));
    const { host, port, user, password } = server;
    return `version: 1\ndataSources:\n  shop: { kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password} }\n`;
  },
  async sqlite(folder) {
    createSqliteFile(join(folder, 'shop.sqlite'), tables(['TEXT COLLATE NOCASE', 'TEXT COLLATE RTRIM']).join(';'));
    return 'version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite }\n';
  },
  async duckdb(folder) {
    await createDuckdbFile(join(folder, 'shop.duckdb'), tables(['VARCHAR COLLATE NOCASE', 'VARCHAR COLLATE NOACCENT']));
    return 'version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb }\n';
  },
};

const operators = ['=', '!=', '<', '<=', 'like', 'not like'] as const;

const relationships = operators
  .map(
    (operator) =>
      `  - { name: "${operator}", source: See One, target: See Other, mappings: [{ source: code, operator: "${operator}", target: code }] }\n`,
  )
  .join('');

/** The order of UTF-8 is that of code points. */
const compares: Readonly<Record<(typeof operators)[number], (left: string, right: string) => boolean>> = {
  '=': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<': (left, right) => left < right,
  '<=': (left, right) => left <= right,
  like: (left, right) => isLike(left, right),
  'not like': (left, right) => !isLike(left, right),
};

function isLike(left: string, pattern: string): boolean {
  return pattern.endsWith('%') ? left.startsWith(pattern.slice(0, -1)) : left === pattern;
}

/** docs/semantics.md#112-unlike-types */
describe('texts are compared by their characters', () => {
  for (const [kind, prepare] of Object.entries(kinds)) {
    it(`${kind} › keys and mappings compare code points, not collations`, () =>
      withProject(
        {
          'graph.entity.yaml': graphText(
            `  - { activityName: See One, dataObject: one, entityType: one, key: code, startTimestamp: placed }
  - { activityName: See Other, dataObject: other, entityType: other, key: code, startTimestamp: placed }
`,
            relationships,
          ),
        },
        async (project) => {
          await project.write({ 'entity-sources.yaml': await prepare(project.folder) });
          const { status, error } = await project.import();
          assert.equal(status, 'imported', error?.message);
          const keys = await project.rows(`SELECT key FROM entity WHERE entity_type = 'one' ORDER BY key`);
          assert.deepEqual(
            keys.map(([key]) => key),
            texts.toSorted(),
          );
          const found = await project.rows(
            `SELECT r.relationship, s.key, t.key FROM relation AS r JOIN entity AS s ON s.id = r.source_entity_id JOIN entity AS t ON t.id = r.target_entity_id ORDER BY ALL`,
          );
          for (const operator of operators) {
            const expected = texts.flatMap((left) =>
              texts.filter((right) => compares[operator](left, right)).map((right) => `${left}|${right}`),
            );
            assert.deepEqual(
              found
                .filter(([name]) => name === operator)
                .map(([, left, right]) => `${left}|${right}`)
                .toSorted(),
              expected.toSorted(),
              operator,
            );
          }
        },
      ));

    it(`${kind} › across data sources, texts stay distinct although the collation of the source takes them for equal`, () =>
      withProject(
        {
          'codes.csv': `code,placed\n${texts.map((text) => `"${text}",2024-01-01 00:00:00\n`).join('')}`,
          'graph.entity.yaml': graphText(
            `  - { activityName: See One, dataObject: one, entityType: one, key: placed, startTimestamp: placed }
  - { activityName: See Code, dataSource: files, dataObject: codes, entityType: code, key: code, startTimestamp: placed }
`,
            '  - { name: has, source: See One, target: See Code, mappings: [{ source: code, target: code }] }\n',
          ),
        },
        async (project) => {
          const sources = await prepare(project.folder);
          await project.write({ 'entity-sources.yaml': `${sources}  files: { kind: csv, path: "*.csv" }\n` });
          const { status, error } = await project.import();
          assert.equal(status, 'imported', error?.message);
          const found = await project.rows(
            'SELECT key FROM relation AS r JOIN entity AS t ON t.id = r.target_entity_id ORDER BY key',
          );
          assert.deepEqual(
            found.map(([key]) => key),
            texts.toSorted(),
          );
        },
      ));
  }
});
