import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { testQuery } from '../../server/src/operations/queries/query-operations.ts';
import { readGraphFile } from '../../server/src/project/open-project.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { sharedMariadb } from '../support/mariadb.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { createSqliteFile } from '../support/sqlite-database.ts';

const forms = ['Z', '+00:00', '+0000', '+02:00', '+01', '-03:30', ''] as const;

/** Half hours around both changes of clocks in Europe/Berlin in 2024, in UTC. */
const instants = ['2024-03-31T00:30', '2024-10-26T23:30'].flatMap((first) =>
  Array.from({ length: 6 }, (_, index) => Date.parse(`${first}:00Z`) + index * 1_800_000),
);

const minutesOf = (offset: string): number => {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d\d):?(\d\d)?/.exec(offset) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
};

interface Given {
  readonly id: string;
  readonly text: string;
  readonly time: string;
}

/** Every instant with every offset, and local times, of which those of the overlap are the earlier ones. */
const given = instants.flatMap((instant, index) =>
  forms.map((form): Given => {
    const berlin = instant < Date.parse('2024-03-31T01:00Z') || instant >= Date.parse('2024-10-27T01:00Z') ? 60 : 120;
    const local = new Date(instant + (form === '' ? berlin : minutesOf(form)) * 60_000).toISOString().slice(0, 19);
    const isLater = form === '' && /^2024-10-27T02/.test(local) && berlin === 60;
    const time = new Date(isLater ? instant - 3_600_000 : instant).toISOString().slice(0, 19).replace('T', ' ');
    return { id: `${index} ${form}`, text: `${local}${form}`, time };
  }),
);

const tables = (given: readonly Given[], type: string): string[] => [
  `CREATE TABLE moments (id VARCHAR(20), moment ${type})`,
  `INSERT INTO moments VALUES ${given.map(({ id, text }) => `('${id}', '${text}')`).join(', ')}`,
];

/** Makes the data; passes on the sources file. */
type Kind = (folder: string, given: readonly Given[], use: (sources: string) => Promise<void>) => Promise<void>;

const zone = 'timeZone: Europe/Berlin';

const kinds: Readonly<Record<string, Kind>> = {
  async sqlite(folder, given, use) {
    createSqliteFile(join(folder, 'shop.sqlite'), tables(given, 'TEXT').join(';'));
    await use(`version: 1\ndataSources:\n  shop: { kind: sqlite, path: shop.sqlite, ${zone} }\n`);
  },
  async duckdb(folder, given, use) {
    await createDuckdbFile(join(folder, 'shop.duckdb'), tables(given, 'VARCHAR'));
    await use(`version: 1\ndataSources:\n  shop: { kind: duckdb, path: shop.duckdb, ${zone} }\n`);
  },
  async postgresql(_folder, given, use) {
    const server = await sharedPostgres();
    const database = await server.createDatabase();
    await server.query(database, tables(given, 'text').join(';'));
    await use(postgresqlSources(server, database, `, ${zone}`));
  },
  async mysql(_folder, given, use) {
    const server = await sharedMariadb();
    const database = await server.createDatabase();
    await server.query(database, tables(given, 'varchar(40)').join(';'));
    const { host, port, user, password } = server;
    await use(
      `version: 1\ndataSources:\n  shop: { kind: mysql, host: ${host}, port: ${port}, database: ${database}, user: ${user}, password: ${password}, ${zone} }\n`,
    );
  },
  async csv(folder, given, use) {
    const lines = given.map(({ id, text }) => `${id},${text}\n`).join('');
    await writeFile(join(folder, 'moments.csv'), `id,moment\n${lines}`);
    await use(`version: 1\ndataSources:\n  shop: { kind: csv, path: "*.csv", ${zone} }\n`);
  },
  async json(folder, given, use) {
    await writeFile(
      join(folder, 'moments.jsonl'),
      given.map(({ id, text }) => `${JSON.stringify({ id, moment: text })}\n`).join(''),
    );
    await use(`version: 1\ndataSources:\n  shop: { kind: csv, path: "*.jsonl", ${zone} }\n`);
  },
  async rest(_folder, given, use) {
    const server = createServer((_request, response) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(given.map(({ id, text }) => ({ id, moment: text }))));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    try {
      const { port } = server.address() as AddressInfo;
      await use(
        `version: 1\ndataSources:\n  shop: { kind: rest, baseUrl: "http://127.0.0.1:${port}", ${zone}, endpoints: [{ name: moments, path: /moments }] }\n`,
      );
    } finally {
      server.close();
    }
  },
};

/** docs/semantics.md#8-time */
describe('an instant keeps its hour at both changes of clocks', () => {
  const mixes = {
    'texts with and without offset': given,
    'texts with offset': given.filter(({ text }) => !/T\d\d:\d\d:\d\d$/.test(text)),
    'first texts without offset': [...given.slice(-1), ...given],
  };
  for (const [kind, make] of Object.entries(kinds)) {
    for (const [mix, rows] of Object.entries(mixes)) {
      it(`${kind} › ${mix}`, () =>
        withProject(
          {
            'graph.entity.yaml': graphText(
              '  - { activityName: See, dataObject: moments, key: id, startTimestamp: moment, properties: [] }\n',
            ),
          },
          (project) =>
            make(project.folder, rows, async (sources) => {
              await project.write({ 'entity-sources.yaml': sources });
              const { status, error } = await project.import();
              assert.equal(status, 'imported', error?.message);
              const found = await project.rows(
                `SELECT DISTINCT key, strftime(time, '%Y-%m-%d %H:%M:%S') FROM event JOIN entity ON entity.id = entity_id ORDER BY key`,
              );
              const expected = [...new Map(rows.map(({ id, time }) => [id, time]))];
              assert.deepEqual(
                found,
                expected.toSorted(([one], [other]) => (one < other ? -1 : 1)),
              );
              if (kind !== 'sqlite') return;
              const context = { ...noSecrets, workspaceFolderOf: () => project.folder };
              const file = await readGraphFile(join(project.folder, 'graph.entity.yaml'), context);
              const shown = await testQuery(file, { kind: 'element', name: 'See' }, context);
              assert.deepEqual(
                shown.rows.map((row) => row.map(String)),
                rows.map(({ id, time }) => [id, `${time.replace(' ', 'T')}.000000Z`]),
              );
            }),
        ));
    }
  }
});
