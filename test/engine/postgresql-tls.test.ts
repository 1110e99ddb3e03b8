import assert from 'node:assert/strict';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { makeCertificates } from '../support/certificates.ts';
import { sharedPostgres, startPostgres, type TestPostgres } from '../support/postgres.ts';
import { compiledQuery, postgresqlConnector } from '../support/postgresql-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';

const encrypted = compiledQuery('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');

describe('PostgreSQL TLS', () => {
  let folder: string;
  let certain: TestPostgres;
  let plain: TestPostgres;

  before(async () => {
    folder = await folderWith({ 'broken.pem': 'no certificate' });
    const { certificate, key } = makeCertificates(folder, 'localhost');
    certain = await startPostgres({ tls: { certificate, key } });
    plain = await sharedPostgres();
  });
  after(async () => {
    await certain.stop();
    await removeFolder(folder);
  });

  /** True if encrypted, false if not, else the error code. */
  const connecting = async (server: TestPostgres, host: string, ssl: unknown): Promise<boolean | string> => {
    try {
      const connector = await postgresqlConnector(server, 'postgres', { folder, settings: { host, ssl } });
      return (await connector.preview(encrypted, { limit: 1 })).rows[0]?.[0] === true;
    } catch (error) {
      assert.ok(isSourceError(error));
      return error.code;
    }
  };

  const cases: readonly (readonly [
    ssl: Readonly<Record<string, unknown>> | undefined,
    host: string,
    tls: boolean | string,
    plain: boolean | string,
  ])[] = [
    [undefined, 'localhost', true, false],
    // Not recognisable as an address of this machine, though it is one.
    [undefined, '0.0.0.0', true, 'tls-failed'],
    [{ mode: 'prefer' }, '0.0.0.0', true, false],
    [{ mode: 'disable' }, 'localhost', false, false],
    [{ mode: 'allow' }, 'localhost', false, false],
    [{ mode: 'prefer' }, 'localhost', true, false],
    [{ mode: 'require' }, 'localhost', true, 'tls-failed'],
    [{ mode: 'verify-ca' }, 'localhost', 'tls-failed', 'tls-failed'],
    [{ mode: 'verify-full' }, 'localhost', 'tls-failed', 'tls-failed'],
    [{ mode: 'verify-ca', ca: 'ca.pem' }, 'localhost', true, 'tls-failed'],
    [{ mode: 'verify-ca', ca: 'ca.pem' }, '127.0.0.1', true, 'tls-failed'],
    [{ mode: 'verify-full', ca: 'ca.pem' }, 'localhost', true, 'tls-failed'],
    [{ mode: 'verify-full', ca: 'ca.pem' }, '127.0.0.1', 'tls-failed', 'tls-failed'],
    [{ ca: 'ca.pem' }, '127.0.0.1', 'tls-failed', 'tls-failed'],
    [{ mode: 'verify-full', ca: 'missing.pem' }, 'localhost', 'source-config', 'source-config'],
    [{ mode: 'verify-full', ca: 'broken.pem' }, 'localhost', 'tls-failed', 'tls-failed'],
  ];
  for (const [ssl, host, withTls, withoutTls] of cases) {
    it(`${JSON.stringify(ssl) ?? 'no setting'} at ${host}`, async () => {
      assert.deepEqual(
        [await connecting(certain, host, ssl), await connecting(plain, host, ssl)],
        [withTls, withoutTls],
      );
    });
  }

  it('explains how to connect to a remote host without TLS', async () => {
    const connector = await postgresqlConnector(plain, 'postgres', {
      folder,
      settings: { host: '0.0.0.0', ssl: undefined },
    });
    await assert.rejects(connector.preview(encrypted, { limit: 1 }), (error) => {
      assert.ok(isSourceError(error));
      assert.match(
        error.message,
        /^The server offers no TLS, without which nothing is sent to 0\.0\.0\.0: it is another/,
      );
      assert.match(
        error.details.remedy ?? '',
        /^Turn TLS on at the server\. Set ssl: \{ mode: prefer \} only if everybody/,
      );
      return true;
    });
  });

  it('cancels over TLS', async () => {
    const settings = { host: 'localhost', ssl: { mode: 'verify-full', ca: 'ca.pem' } };
    const connector = await postgresqlConnector(certain, 'postgres', { folder, settings });
    const abort = new AbortController();
    const running = (): Promise<unknown[]> =>
      certain.query(
        'postgres',
        `SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT * FROM%over_tls%'`,
      );
    const preview = connector.preview(compiledQuery('SELECT pg_sleep(600)::text AS over_tls'), {
      limit: 1,
      signal: abort.signal,
    });
    const rejected = assert.rejects(preview, /Cancelled by the test\./);
    await waitUntil('the query runs', async () => ((await running()).length > 0 ? true : undefined));
    abort.abort(new Error('Cancelled by the test.'));
    await rejected;
    await waitUntil('the query has ended', async () => ((await running()).length === 0 ? true : undefined));
  });

  it('explains certificate errors', async () => {
    const settings = { ssl: { mode: 'verify-full', ca: 'ca.pem' } };
    const connector = await postgresqlConnector(certain, 'postgres', { folder, settings });
    await assert.rejects(connector.describe({}), {
      message:
        /^The TLS connection could not be trusted or set up \(ssl\.mode verify-full\): .*127\.0\.0\.1.* \(postgres@127\.0\.0\.1:\d+\/postgres\)$/,
      details: { remedy: 'Use the host name that the server’s certificate is issued for, or ssl.mode verify-ca.' },
    });
  });
});
