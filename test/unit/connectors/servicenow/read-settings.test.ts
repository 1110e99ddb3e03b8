import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { readServiceNowConfig } from '../../../../server/src/connectors/servicenow/read-settings.ts';

const identity = { name: 'itsm', timeZone: 'UTC', folder: 'project' };
const instanceUrl = 'https://acme.example';

function read(settings: Readonly<Record<string, unknown>>) {
  return readServiceNowConfig(identity, { instanceUrl, ...settings });
}

/** One row per invalid settings: the message. */
const refused: readonly (readonly [settings: Readonly<Record<string, unknown>>, message: string])[] = [
  [{ instanceUrl: undefined }, 'instanceUrl must be given'],
  [{ instanceUrl: 'acme' }, 'instanceUrl must be an address such as https://acme.example'],
  [{ instanceUrl: 'http://acme.example' }, 'instanceUrl must be an address that starts with https://'],
  [{ instanceUrl: 'https://me:pw@acme.example' }, 'instanceUrl must be without user and password: use auth'],
  [{ apiVersion: 'v3' }, 'apiVersion must be one of v1, v2, none'],
  [{ tables: ['incident/../x'] }, 'tables must be a list of table names'],
  [{ pageSize: 0 }, 'pageSize must be a whole number from 1 on'],
  [{ concurrency: 'many' }, 'concurrency must be a whole number from 1 on'],
  [{ displayValue: 'both' }, 'displayValue must be one of false, true, all'],
  [{ language: 'de,en' }, 'language must be the code of a language such as de'],
  [{ queryNoDomain: 'sometimes' }, 'queryNoDomain must be one of true, false'],
  [{ onShortfall: 'ignore' }, 'onShortfall must be one of fail, warn'],
  [{ timeouts: { request: 'long' } }, 'timeouts.request must be a duration such as 500ms, 30s or 2m'],
  [{ dotWalked: { incident: ['name'] } }, 'dotWalked.incident must be a list of paths such as assignment_group.name'],
  [{ requestBudget: 0 }, 'requestBudget must be a whole number from 1 on'],
  [{ requestDelay: 'slowly' }, 'requestDelay must be a duration such as 500ms, 30s or 2m'],
  [{ auth: { kind: 'basic', user: 'me' } }, 'auth.password must be given'],
  [{ auth: { kind: 'kerberos' } }, 'auth.kind must be one of basic, oauth2, bearer, mtls, apiKey'],
  [{ auth: { kind: 'bearer' } }, 'auth.token must be given'],
  [{ auth: { kind: 'bearer', token: 'two words' } }, 'auth.token must be an access token, without spaces'],
  [{ formUpload: 'form' }, 'formUpload must be one of file, upload'],
  [{ auth: { kind: 'oauth2', grant: 'password', clientId: 'c' } }, 'auth.user must be given'],
  [{ auth: { kind: 'mtls', cert: 'c.pem' } }, 'auth.key must be given'],
  [{ auth: { kind: 'apiKey', header: 'a b', token: 't' } }, 'auth.header must be the name of a header'],
  [{ scripted: [{ name: 'a' }] }, 'scripted[0].path must be given'],
  [{ scripted: [{ name: 'a', path: '/b', version: '2' }] }, 'scripted[0].version must be a version such as v1'],
];

describe('ServiceNow settings', () => {
  for (const [settings, message] of refused) {
    it(`refuses ${JSON.stringify(settings)}`, () => {
      assert.throws(() => read(settings), { code: 'source-config', message: `Data source itsm: ${message}.` });
    });
  }

  it('use defaults', () => {
    const config = read({ tables: ['incident', 'incident'], displayValue: true, pageSize: '250', apiVersion: 'none' });
    assert.deepEqual(
      [config.tables, config.displayValue, config.pageSize, config.concurrency, config.onShortfall, config.version],
      [['incident'], 'true', 250, 4, 'fail', undefined],
    );
    assert.equal(read({ instanceUrl: 'http://127.0.0.1:8080' }).instanceUrl.port, '8080');
  });

  it('take an access token with or without the name of its scheme', () => {
    for (const token of ['abc.D-1_~+/=', ' Bearer abc.D-1_~+/=\n']) {
      assert.deepEqual(read({ auth: { kind: 'bearer', token } }).auth, { kind: 'bearer', token: 'abc.D-1_~+/=' });
    }
  });

  it('resolve certificate paths relative to the sources file', () => {
    const { auth } = read({ auth: { kind: 'mtls', cert: 'c.pem', key: 'k.pem', passphrase: 1234 } });
    assert.deepEqual(auth, {
      kind: 'mtls',
      certificate: { cert: resolve('project', 'c.pem'), key: resolve('project', 'k.pem'), passphrase: '1234' },
    });
  });
});
