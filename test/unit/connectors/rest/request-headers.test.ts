import assert from 'node:assert/strict';
import { readRequestHeaders, withOwnHeaders } from '../../../../server/src/connectors/rest/request-headers.ts';
import { settingsReader } from '../../../../server/src/connectors/settings-reader.ts';

const read = (headers: object, header?: string) =>
  readRequestHeaders(
    { headers },
    header === undefined ? { kind: 'none' } : { kind: 'apiKey', header, token: 'x' },
    settingsReader('api'),
  );

describe('request headers', () => {
  it('are sent with every request, and may name the accepted types', () => {
    const headers = read({ 'X-Tenant': 'acme', 'notion-version': 20220628, accept: 'application/vnd.api+json' });
    assert.deepEqual(withOwnHeaders(headers), {
      'X-Tenant': 'acme',
      'notion-version': '20220628',
      accept: 'application/vnd.api+json',
    });
    assert.deepEqual(withOwnHeaders({ Prefer: 'odata.maxpagesize=50' }), {
      Accept: 'application/json',
      Prefer: 'odata.maxpagesize=50',
    });
    assert.deepEqual(Object.keys(read({ Author: 'a', Keywords: 'b', 'X-Monkey': 'c', 'Sort-Keys': 'd' })).length, 4);
  });

  const credentials = [
    ...['Authorization', 'authorization', 'Proxy-Authorization', 'Cookie', 'X-API-Key', 'apikey', 'X-Auth-Token'],
    ...['Ocp-Apim-Subscription-Key', 'X-Client-Secret', 'Private-Token', 'X-Auth', 'AccessToken', 'X-Session'],
    ...['X-AuthToken', 'ApiToken', 'X-Authentication', 'X-JWT-Assertion', 'X-SessionId'],
  ];
  for (const name of credentials)
    it(`must not have credentials, such as ${name}`, () => {
      assert.throws(() => read({ [name]: 'x' }), {
        code: 'source-config',
        message: `Data source api: headers.${name} must be left out: credentials go to auth, such as { kind: apiKey, header: ${name}, token: "\${secret:NAME}" }, or kind: basic, bearer or oauth2.`,
      });
    });

  for (const [headers, said] of [
    [{ 'a b': 'x' }, /headers\.a b must be named like a header/],
    [{ Host: 'x' }, /headers\.Host must be left out: the connection sets this header/],
    [{ 'Content-Length': 3 }, /the connection sets this header/],
    [{ 'X-A': 'one\r\nX-B: two' }, /headers\.X-A must be a text of one line/],
    [{ 'X-A': '\u20ac' }, /characters up to U\+00FF/],
    [{ 'X-A': '1', 'x-a': '2' }, /headers\.x-a must be given once/],
    [{ 'X-A': ['1'] }, /headers\.X-A must be a text/],
  ] as const)
    it(`are refused: ${JSON.stringify(headers)}`, () => {
      assert.throws(() => read(headers), { code: 'source-config', message: said });
    });

  it('must not be headers of the login', () => {
    assert.throws(() => read({ 'x-id': '1' }, 'X-Id'), { message: /headers\.x-id must be given once/ });
  });
});
