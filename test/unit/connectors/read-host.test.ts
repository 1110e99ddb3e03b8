import assert from 'node:assert/strict';
import { readMysqlConfig } from '../../../server/src/connectors/mysql/read-settings.ts';
import { readPostgresqlConfig } from '../../../server/src/connectors/postgresql/read-settings.ts';

const source = { name: 'shop', folder: '/', timeZone: 'UTC' };
const readers = { mysql: readMysqlConfig, postgresql: readPostgresqlConfig };

for (const [kind, read] of Object.entries(readers)) {
  describe(`host of ${kind}`, () => {
    const hostOf = (host: string): string => read(source, { kind, host, user: 'ann', database: 'shop' }).host;

    for (const host of ['db.example.com:5432', '127.0.0.1:3306', '[::1]:5432']) {
      it(`${host} is refused, as the port has a setting of its own`, () =>
        assert.throws(() => hostOf(host), {
          code: 'source-config',
          message: /host must be .* the port is set by port\.$/,
        }));
    }

    for (const host of ['db.example.com', '::1', '2001:db8::5432', '/var/run/db:5432']) {
      it(`${host} is kept`, () => assert.equal(hostOf(host), host));
    }
  });
}
