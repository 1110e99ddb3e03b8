import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { type SourceError, isSourceError } from '../../server/src/connectors/source-error.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { makeCertificates } from '../support/certificates.ts';
import { sharedMariadb, startMariadb, type TestMariadb } from '../support/mariadb.ts';
import { mysqlConnector, mysqlQuery } from '../support/mysql-source.ts';
import { sharedPostgres } from '../support/postgres.ts';
import { postgresqlConnector } from '../support/postgresql-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const one = mysqlQuery('SELECT 1 AS a');

/** The code and message of a failure. */
async function failureOf(work: Promise<unknown>): Promise<string> {
  const { code, message } = await errorOf(work);
  return `${code}: ${message}`;
}

async function errorOf(work: Promise<unknown>): Promise<SourceError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isSourceError(error), String(error));
  return error;
}

describe('MariaDB with TLS', () => {
  let folder: string;
  let encrypted: TestMariadb;
  let plain: TestMariadb;

  before(async () => {
    folder = await folderWith({ 'broken.pem': 'no certificate' });
    encrypted = await startMariadb({ tls: makeCertificates(folder, 'localhost') });
    plain = await startMariadb({ settings: { 'skip-ssl': '1' } });
  });
  after(async () => {
    await encrypted.stop();
    await plain.stop();
    await removeFolder(folder);
  });

  /** True if encrypted, false if not, else the error code. */
  async function connecting(server: TestMariadb, host: string, ssl: unknown): Promise<boolean | string> {
    try {
      const connector = await mysqlConnector(server, 'mysql', { folder, settings: { host, ssl } });
      const checks = (await connector.diagnose?.({})) ?? [];
      return checks.find(({ name }) => name === 'Encryption')?.state === 'ok';
    } catch (error) {
      assert.ok(isSourceError(error), String(error));
      return error.code;
    }
  }

  const cases: readonly (readonly [
    ssl: Readonly<Record<string, unknown>> | undefined,
    host: string,
    tls: boolean | string,
    plain: boolean | string,
  ])[] = [
    [undefined, 'localhost', true, false],
    [{ mode: 'disable' }, 'localhost', false, false],
    [{ mode: 'allow' }, 'localhost', false, false],
    [{ mode: 'prefer' }, 'localhost', true, false],
    [{ mode: 'require' }, 'localhost', true, 'tls-failed'],
    [{ mode: 'verify-ca' }, 'localhost', 'tls-failed', 'tls-failed'],
    [{ mode: 'verify-ca', ca: 'ca.pem' }, 'localhost', true, 'tls-failed'],
    [{ mode: 'verify-ca', ca: 'ca.pem' }, '127.0.0.1', true, 'tls-failed'],
    [{ mode: 'verify-full', ca: 'ca.pem' }, 'localhost', true, 'tls-failed'],
    [{ mode: 'verify-full', ca: 'ca.pem' }, '127.0.0.1', 'source-config', 'source-config'],
    [{ mode: 'verify-full', ca: 'missing.pem' }, 'localhost', 'source-config', 'source-config'],
    [{ mode: 'verify-full', ca: 'broken.pem' }, 'localhost', 'tls-failed', 'tls-failed'],
  ];
  for (const [ssl, host, withTls, withoutTls] of cases) {
    it(`${JSON.stringify(ssl) ?? 'no setting'} at ${host}`, async () => {
      assert.deepEqual(
        [await connecting(encrypted, host, ssl), await connecting(plain, host, ssl)],
        [withTls, withoutTls],
      );
    });
  }
});

describe('connections of MySQL', () => {
  it('a host that is a path is a Unix socket', async () => {
    const server = await sharedMariadb();
    const connector = await mysqlConnector(server, await server.createDatabase(), {
      settings: { host: server.socket },
    });
    assert.deepEqual((await connector.preview(one, { limit: 1 })).rows, [[1]]);
    const missing = await mysqlConnector(server, 'mysql', { settings: { host: `${server.socket}-nowhere` } });
    assert.match(await failureOf(missing.describe({})), /^source-unreachable: .+nowhere/);
  });

  it('a server of another kind is named, with a remedy', async () => {
    const [postgres, mariadb] = [await sharedPostgres(), await sharedMariadb()];
    const web = createHttpServer((_, response) => void response.end('hello'));
    const banner = createServer((socket) => void socket.on('error', () => undefined).write('SSH-2.0-OpenSSH_9.2\r\n'));
    const silent = createServer((socket) => void socket.on('error', () => undefined));
    const ports: number[] = [];
    for (const server of [web, banner, silent]) {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      ports.push((server.address() as AddressInfo).port);
    }
    const [webPort = 0, bannerPort = 0, silentPort = 0] = ports;
    const settings = { host: '127.0.0.1', connectTimeout: '500ms' };
    const refusal = async (connector: Connector): Promise<string> => {
      const { code, message, details } = await errorOf(connector.describe({}));
      return `${code}: ${message} ${details.remedy}`;
    };
    const asMysql = async (port: number): Promise<string> =>
      refusal(await mysqlConnector({ ...mariadb, port }, 'shop', { settings }));
    const asPostgresql = async (port: number): Promise<string> =>
      refusal(await postgresqlConnector({ ...postgres, port }, 'shop', { settings }));
    const named = (server: string, port: number, remedy: string): string =>
      `source-unreachable: Data source shop: ${server} answers at 127.0.0.1:${port}. ${remedy}`;
    const elsewhere = 'Correct host and port of the data source: its database listens at another port.';
    try {
      const setKind = (kind: string): string => `Set kind: ${kind}, or correct host and port of the data source.`;
      assert.equal(await asMysql(postgres.port), named('a PostgreSQL server', postgres.port, setKind('postgresql')));
      assert.equal(
        await asPostgresql(mariadb.port),
        named('a MySQL or MariaDB server', mariadb.port, setKind('mysql')),
      );
      for (const connected of [asMysql, asPostgresql]) {
        assert.equal(await connected(webPort), named('a web server', webPort, elsewhere));
        assert.equal(await connected(bannerPort), named('an SSH server', bannerPort, elsewhere));
        assert.match(await connected(silentPort), /^source-unreachable: \w+ cannot be reached .+ does not answer/);
      }
    } finally {
      web.closeAllConnections();
      for (const server of [web, banner, silent]) server.close();
    }
  });

  it('a server that stops during a pull is reported as a lost connection, and no rows are left', async () => {
    const server = await startMariadb();
    try {
      const database = await server.createDatabase();
      await server.query(database, 'CREATE TABLE n AS SELECT seq AS i FROM seq_1_to_5000');
      const connector = await mysqlConnector(server, database);
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        const endless = mysqlQuery(`SELECT a.i, REPEAT('x', 10000) AS note FROM n AS a CROSS JOIN n AS b`);
        let halting: Promise<void> | undefined;
        const onRows = (rows: number): void => {
          if (rows > 100) halting ??= server.halt();
        };
        assert.match(await failureOf(pull.load(endless, 'staged', { onRows })), /^connection-lost: /);
        await halting;
        await pull.close();
        assert.deepEqual(
          [await readdir(staging.temporaryFolder), await staging.query('SELECT table_name FROM duckdb_tables()')],
          [[], []],
        );
      });
      assert.match(await failureOf(connector.describe({})), /^source-unreachable: /);
    } finally {
      await server.stop();
    }
  });
});

describe('the catalog of MySQL', () => {
  it('leaves out invisible columns, and has objects and references of several databases', async () => {
    const server = await sharedMariadb();
    const [shop, stock] = [await server.createDatabase(), await server.createDatabase()];
    await server.query(stock, 'CREATE TABLE items (id int PRIMARY KEY, hidden int INVISIBLE)');
    await server.query(
      shop,
      `CREATE TABLE orders (id int PRIMARY KEY, item int, FOREIGN KEY (item) REFERENCES ${stock}.items (id)); INSERT INTO ${stock}.items (id) VALUES (7)`,
    );
    const connector = await mysqlConnector(server, shop, { settings: { databases: [stock] } });
    const { objects } = await connector.describe({});
    assert.deepEqual(
      objects.map(({ name, columns, foreignKeys }) => [
        name,
        columns.map((column) => column.name),
        foreignKeys.map(({ references }) => references.dataObject),
      ]),
      [
        ['orders', ['id', 'item'], [`${stock}.items`]],
        [`${stock}.items`, ['id'], []],
      ],
    );
    const { columns, rows } = await connector.preview(mysqlQuery(`SELECT * FROM ${stock}.items`), { limit: 1 });
    assert.deepEqual([columns.map(({ name }) => name), rows], [['id'], [[7]]]);
  });

  it('has names and texts of other character sets', async () => {
    const server = await startMariadb({ settings: { 'character-set-server': 'latin1' } });
    try {
      await server.query('', 'CREATE DATABASE alt CHARACTER SET cp1251');
      await server.query(
        'alt',
        `CREATE TABLE заказ (номер varchar(9) PRIMARY KEY, größe varchar(9) CHARACTER SET ucs2)`,
      );
      await server.query('alt', `INSERT INTO заказ VALUES ('первый', 'ü€')`);
      const connector = await mysqlConnector(server, 'alt');
      const { objects } = await connector.describe({});
      assert.deepEqual(
        objects.map(({ name, columns }) => [name, columns.map((column) => column.name)]),
        [['заказ', ['номер', 'größe']]],
      );
      await withBuildDatabase(async (staging) => {
        const pull = await connector.openPull(staging, {});
        await pull.load(mysqlQuery("SELECT * FROM заказ WHERE номер = 'первый'"), 'staged', {});
        await pull.close();
        assert.deepEqual(await staging.query('SELECT c1, c2 FROM staged'), [{ c1: 'первый', c2: 'ü€' }]);
      });
    } finally {
      await server.stop();
    }
  });
});
