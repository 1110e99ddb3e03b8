import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { errorExplainer } from '../../server/src/connectors/postgresql/errors.ts';
import { postgresqlSettings } from '../../server/src/connectors/postgresql/setting-receivers.ts';
import { type SourceError, isSourceError } from '../../server/src/connectors/source-error.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { sharedPostgres, type TestPostgres } from '../support/postgres.ts';
import { compiledQuery, postgresqlConnector, type PostgresqlSourceOptions } from '../support/postgresql-source.ts';

describe('PostgreSQL errors', () => {
  let server: TestPostgres;
  let database: string;
  let place: string;

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    place = `(postgres@127.0.0.1:${server.port}/${database})`;
    await server.query(
      database,
      `CREATE TABLE incident (id int, "öffnen" text); INSERT INTO incident VALUES (1, 'x');
       CREATE TABLE secret_table (id int); CREATE ROLE ${database}_reader LOGIN PASSWORD 'reader-password'; GRANT SELECT ON incident TO ${database}_reader`,
    );
  });

  const failureOf = async (work: Promise<unknown>): Promise<SourceError> => {
    const error = await work.then(
      () => assert.fail('must not succeed'),
      (reason: unknown) => reason,
    );
    assert.ok(isSourceError(error), String(error));
    return error;
  };
  const describing = async (options: PostgresqlSourceOptions, at = database): Promise<SourceError> =>
    failureOf(postgresqlConnector(server, at, options).then((connector) => connector.describe({})));

  it('reports a wrong password without showing it', async () => {
    const error = await describing({ secrets: { shop: 'wrong-secret-value' } });
    assert.deepEqual(
      [error.code, error.message, error.details.remedy],
      [
        'authentication-failed',
        `PostgreSQL refuses the login: password authentication failed for user "postgres" ${place}`,
        'Check user and password of the data source, and the server’s pg_hba.conf.',
      ],
    );
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), /wrong-secret-value/);
  });

  it('names the setting of a missing password', async () => {
    const error = await describing({ settings: { password: undefined } });
    assert.deepEqual(
      [error.code, error.details.remedy],
      ['authentication-failed', 'Data source shop has no password: add password: "${secret:shop}".'],
    );
  });

  it('names a missing secret', async () => {
    const error = await describing({ settings: { password: '${secret:ops-db}' } });
    assert.deepEqual(
      [error.code, error.message, error.details.remedy],
      [
        'secret-missing',
        'Data source shop needs the secret ops-db for password, and it is not set.',
        'VS Code asks for it when the source is used; on the command line set the environment variable ENTITY_GRAPH_SECRET_OPS_DB.',
      ],
    );
  });

  it('names a missing database', async () => {
    const error = await describing({}, 'nowhere');
    assert.deepEqual(
      [error.code, error.message],
      [
        'source-config',
        `PostgreSQL refuses the settings of the data source: database "nowhere" does not exist (postgres@127.0.0.1:${server.port}/nowhere)`,
      ],
    );
  });

  it('refuses an unknown time zone before it connects', async () => {
    const error = await describing({ timeZone: 'europe/berlin' });
    assert.deepEqual(
      [error.code, error.message, error.details.remedy],
      [
        'unknown-time-zone',
        'Data source shop: timeZone "europe/berlin" is not a time zone.',
        'Did you mean "Europe/Berlin"?',
      ],
    );
  });

  it('names a time zone that only the server does not know', () => {
    const config = postgresqlSettings.read(
      { name: 'shop', timeZone: 'America/Coyhaique', folder: '/' },
      { host: 'db.example', database: 'd', user: 'u' },
    );
    const refusal = Object.assign(new Error('invalid value'), { code: '22023', severity: 'ERROR' });
    const error = errorExplainer(config, [])(refusal);
    assert.deepEqual(
      [error.code, error.message],
      [
        'source-config',
        'PostgreSQL does not know the time zone America/Coyhaique of data source shop (u@db.example:5432/d)',
      ],
    );
  });

  it('reports a port on which nothing listens', async () => {
    const free = await listening(() => undefined);
    const { port } = free.address() as { port: number };
    await closing(free);
    const error = await describing({ settings: { port } });
    assert.deepEqual(
      [error.code, error.message, error.details.remedy],
      [
        'source-unreachable',
        `PostgreSQL cannot be reached at 127.0.0.1:${port}: nothing accepts connections there (postgres@127.0.0.1:${port}/${database})`,
        'Check host and port of the data source, the network, and that the server is running.',
      ],
    );
  });

  it('reports an unknown host', async () => {
    const error = await describing({ settings: { host: 'no-such-host.invalid' } });
    assert.equal(error.code, 'source-unreachable');
    assert.match(
      error.message,
      /^PostgreSQL cannot be reached at no-such-host\.invalid:\d+: the host name is unknown /,
    );
  });

  it('reports a host that accepts the connection and does not respond', async () => {
    const silent = await listening((socket) => socket.resume());
    const { port } = silent.address() as { port: number };
    const error = await describing({ settings: { port, connectTimeout: '100ms' } });
    assert.deepEqual([error.code, /: it does not answer \(/.test(error.message)], ['source-unreachable', true]);
    await closing(silent);
  });

  it('reports a host that closes the connection', async () => {
    const rude = await listening((socket) => socket.destroy());
    const { port } = rude.address() as { port: number };
    const error = await describing({ settings: { port } });
    assert.equal(error.code, 'source-unreachable');
    await closing(rude);
  });

  /** The SQL with `^` at the expected error position. */
  const queries: readonly (readonly [what: string, sql: string, code: string, message: string | undefined])[] = [
    ['a missing table', 'SELECT * FROM ^missing', 'object-missing', 'relation "missing" does not exist'],
    ['a missing schema', 'SELECT * FROM ^nope.missing', 'object-missing', 'relation "nope.missing" does not exist'],
    [
      'a missing column',
      'SELECT incident.id FROM incident\nWHERE ^"Öffnen" = 1',
      'column-missing',
      'column "Öffnen" does not exist',
    ],
    [
      'a position behind characters outside the BMP',
      `SELECT '😀😀', ^nope FROM incident`,
      'column-missing',
      'column "nope" does not exist',
    ],
    [
      'unlike types',
      `SELECT id FROM incident WHERE id ^= "öffnen"`,
      'type-mismatch',
      'operator does not exist: integer = text',
    ],
    [
      'LIKE on a number',
      `SELECT id FROM incident WHERE id ^LIKE 'x'`,
      'type-mismatch',
      'operator does not exist: integer ~~ unknown',
    ],
    [
      'a value of the wrong type',
      `SELECT id FROM incident WHERE id = ^'x'`,
      'type-mismatch',
      'invalid input syntax for type integer: "x"',
    ],
    ['a missing function', `SELECT ^nope(id) FROM incident`, 'sql-error', 'function nope(integer) does not exist'],
    ['a syntax error', `SELECT id FROM incident WHERE id = ^= 1`, 'sql-error', undefined],
    ['an unfinished query', `SELECT id FROM incident WHERE`, 'sql-error', 'syntax error at or near ")"'],
    ['a division by zero', `SELECT 1 / (id - 1) FROM incident`, 'sql-error', 'division by zero'],
    [
      'a text in a row that is not a number',
      `SELECT "öffnen"::int FROM incident`,
      'type-mismatch',
      'invalid input syntax for type integer: "x"',
    ],
  ];
  for (const [what, marked, code, message] of queries) {
    it(`reports ${what}`, async () => {
      const position = marked.indexOf('^');
      const query = compiledQuery(marked.replace('^', ''));
      const connector = await postgresqlConnector(server, database);
      const previewed = await failureOf(connector.preview(query, { limit: 1 }));
      const pulled = await failureOf(pulling(connector, (pull) => pull.load(query, 'staged', {})));
      for (const error of [previewed, pulled]) {
        assert.deepEqual(
          [error.code, error.details.position ?? -1],
          [code, what === 'an unfinished query' ? query.sql.length : position],
        );
        if (message !== undefined) assert.equal(error.message, `PostgreSQL reports an error: ${message} ${place}`);
      }
    });
  }

  it('reports a table without SELECT permission', async () => {
    const reader = await postgresqlConnector(
      { ...server, user: `${database}_reader`, password: 'reader-password' },
      database,
    );
    const error = await failureOf(reader.preview(compiledQuery('SELECT * FROM secret_table'), { limit: 1 }));
    assert.deepEqual(
      [error.code, error.message, error.details.remedy],
      [
        'permission-denied',
        `PostgreSQL reports an error: permission denied for table secret_table (${database}_reader@127.0.0.1:${server.port}/${database})`,
        'Ask the owner of the database to GRANT SELECT on it to this user.',
      ],
    );
  });

  it('reports a connection that is lost between two statements of a pull', async () => {
    const connector = await postgresqlConnector(server, database);
    const error = await failureOf(
      pulling(connector, async (pull) => {
        await pull.columnsOf(compiledQuery('SELECT 1 AS a'), {});
        await server.query(
          database,
          `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE application_name = 'entity-graph' AND datname = current_database()`,
        );
        await pull.load(compiledQuery('SELECT 1 AS a'), 'staged', {});
      }),
    );
    assert.equal(error.code, 'connection-lost');
  });

  it('redacts a secret that the server repeats', async () => {
    const error = await describing({ settings: { database: 'x-${secret:shop}-y' } });
    assert.match(error.message, /database "x-\*\*\*-y" does not exist/);
    assert.doesNotMatch(JSON.stringify(error, Object.getOwnPropertyNames(error)), new RegExp(server.password));
  });
});

function pulling<T>(
  connector: Connector,
  use: (pull: Awaited<ReturnType<Connector['openPull']>>) => Promise<T>,
): Promise<T> {
  return withBuildDatabase(async (staging) => {
    const pull = await connector.openPull(staging, {});
    try {
      return await use(pull);
    } finally {
      await pull.close();
    }
  });
}

async function listening(onConnection: Parameters<typeof createServer>[1]): Promise<Server> {
  const server = createServer(onConnection as never).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function closing(server: Server): Promise<void> {
  server.close();
  await once(server, 'close');
}
