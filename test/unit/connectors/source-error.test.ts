import assert from 'node:assert/strict';
import { readFileSourceConfig } from '../../../server/src/connectors/csv/read-settings.ts';
import { redactTrace } from '../../../server/src/connectors/fetched/query-objects.ts';
import { settingsReader } from '../../../server/src/connectors/settings-reader.ts';
import { readPostgresqlConfig } from '../../../server/src/connectors/postgresql/read-settings.ts';
import { errorOfSource, isSourceError } from '../../../server/src/connectors/source-error.ts';
import { toFailure } from '../../../server/src/operations/operation-error.ts';

const identity = { name: 'shop: a', timeZone: 'UTC', folder: '/' };

/** A settings reader, and a setting that it rejects. */
const readers: Readonly<Record<string, readonly [setting: string, read: () => unknown]>> = {
  files: ['path', () => readFileSourceConfig(identity, { path: [] })],
  PostgreSQL: ['port', () => readPostgresqlConfig(identity, { host: 'h', database: 'd', user: 'u', port: 'x' })],
  HTTP: ['baseUrl', () => settingsReader(identity.name).needed({}, 'baseUrl')],
};

describe('errors about one data source', () => {
  for (const [kind, [setting, read]] of Object.entries(readers)) {
    it(`have a short message without the name of the data source: ${kind}`, () => {
      assert.throws(read, (error: unknown) => {
        const { message, shortMessage = '' } = toFailure(error);
        assert.match(message, new RegExp(`^Data source shop: a: ${setting} must be `));
        assert.equal(shortMessage.toLowerCase(), message.slice('Data source shop: a: '.length).toLowerCase());
        assert.match(shortMessage, /^[A-Z]/);
        return true;
      });
    });
  }

  it('contain no secret in either message', () => {
    const error = errorOfSource('shop', 'source-config', 'hush hush must be given.', {});
    const shown = redactTrace(error, { secrets: ['hush hush'] });
    assert.ok(isSourceError(shown));
    assert.ok(!JSON.stringify([shown.message, shown.details]).includes('hush'));
  });
});
