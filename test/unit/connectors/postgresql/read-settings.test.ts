import assert from 'node:assert/strict';
import { readPostgresqlConfig } from '../../../../server/src/connectors/postgresql/read-settings.ts';
import { parseDuration } from '../../../../server/src/model/duration.ts';

const source = { name: 'shop', timeZone: 'UTC', folder: '/project/models' };
const needed = { database: 'shop', user: 'analyst' };

describe('readPostgresqlConfig', () => {
  it('fills in defaults', () => {
    assert.deepEqual(readPostgresqlConfig(source, needed), {
      name: 'shop',
      host: 'localhost',
      port: 5432,
      database: 'shop',
      user: 'analyst',
      schemas: ['public'],
      timeZone: 'UTC',
      tls: { mode: 'prefer', isDefault: true },
      connectTimeoutMs: 10_000,
      incremental: true,
      watermarks: new Map(),
      pullConnections: 2,
    });
  });

  it('reads every setting', () => {
    const settings = {
      kind: 'postgresql',
      host: 'db.example',
      port: '6432',
      database: 'shop',
      user: 'analyst',
      password: 12345,
      schemas: ['sales', 'public', 'sales'],
      ssl: { mode: 'verify-ca', ca: 'certs/ca.pem', cert: '/etc/client.pem', key: '../client.key' },
      statementTimeout: '30s',
      connectTimeout: 500,
      incremental: false,
      watermarks: { orders: 'updated_at' },
      pull: { connections: 1 },
    };
    assert.deepEqual(readPostgresqlConfig({ ...source, timeZone: 'Europe/Berlin' }, settings), {
      name: 'shop',
      host: 'db.example',
      port: 6432,
      database: 'shop',
      user: 'analyst',
      password: '12345',
      schemas: ['sales', 'public'],
      timeZone: 'Europe/Berlin',
      tls: {
        mode: 'verify-ca',
        ca: '/project/models/certs/ca.pem',
        cert: '/etc/client.pem',
        key: '/project/client.key',
      },
      statementTimeoutMs: 30_000,
      connectTimeoutMs: 500,
      incremental: false,
      watermarks: new Map([['orders', 'updated_at']]),
      pullConnections: 1,
    });
  });

  const modes: readonly (readonly [host: string, ssl: unknown, mode: string])[] = [
    ['localhost', undefined, 'prefer'],
    ['127.0.0.1', undefined, 'prefer'],
    ['127.1.2.3', {}, 'prefer'],
    ['::1', undefined, 'prefer'],
    ['/var/run/postgresql', undefined, 'prefer'],
    ['db.example', undefined, 'require'],
    ['10.0.0.1', {}, 'require'],
    ['0.0.0.0', undefined, 'require'],
    ['localhost.evil.example', undefined, 'require'],
    ['127.0.0.1.evil.example', undefined, 'require'],
    ['db.example', { ca: 'ca.pem' }, 'verify-full'],
    ['db.example', { mode: 'prefer' }, 'prefer'],
    ['db.example', true, 'require'],
    ['db.example', false, 'disable'],
  ];
  for (const [host, ssl, mode] of modes) {
    it(`encrypts ${host} with ssl ${JSON.stringify(ssl)} as ${mode}`, () => {
      assert.equal(readPostgresqlConfig(source, { ...needed, host, ssl }).tls.mode, mode);
    });
  }

  const wrong: readonly (readonly [settings: Readonly<Record<string, unknown>>, message: string])[] = [
    [{ database: undefined }, 'database must be given'],
    [{ user: {} }, 'user must be a text'],
    [{ incremental: 'sometimes' }, 'incremental must be true or false'],
    [{ watermarks: 'updated_at' }, 'watermarks must be a mapping from tables to columns'],
    [{ watermarks: { orders: 1 } }, 'watermarks.orders must be the name of a column'],
    [{ port: 0 }, 'port must be a number from 1 to 65535'],
    [{ port: 'x' }, 'port must be a number from 1 to 65535'],
    [{ schemas: [] }, 'schemas must be a list of schema names'],
    [{ schemas: [1] }, 'schemas must be a list of schema names'],
    [{ ssl: 'yes' }, 'ssl must be a group of settings such as { mode: verify-full }'],
    [{ ssl: { mode: 'on' } }, 'ssl.mode must be one of disable, allow, prefer, require, verify-ca, verify-full'],
    [{ ssl: { ca: 1 } }, 'ssl.ca must be the path of a PEM file'],
    [{ ssl: { cert: 'a.pem' } }, 'ssl.cert and ssl.key must be given together'],
    [{ statementTimeout: 'soon' }, 'statementTimeout must be a duration such as 500ms, 30s or 2m'],
    [{ connectTimeout: -1 }, 'connectTimeout must be a duration such as 500ms, 30s or 2m'],
  ];
  for (const [settings, message] of wrong) {
    it(message, () => {
      assert.throws(() => readPostgresqlConfig(source, { ...needed, ...settings }), {
        name: 'SourceError',
        code: 'source-config',
        message: `Data source shop: ${message}.`,
      });
    });
  }
});

describe('parseDuration', () => {
  const cases: readonly (readonly [value: unknown, milliseconds: number | undefined])[] = [
    [250, 250],
    ['250', 250],
    ['500ms', 500],
    ['30s', 30_000],
    [' 1.5 s ', 1500],
    ['2m', 120_000],
    ['2min', 120_000],
    ['1h', 3_600_000],
    [-1, undefined],
    [Number.NaN, undefined],
    ['', undefined],
    ['5 days', undefined],
    [true, undefined],
  ];
  for (const [value, milliseconds] of cases) {
    it(JSON.stringify(value), () => assert.equal(parseDuration(value), milliseconds));
  }
});
