import assert from 'node:assert/strict';
import { permitAllUses } from '../../../server/src/connectors/permit-use.ts';
import { rowsIdentity } from '../../../server/src/connectors/rows-identity.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';

const postgresql =
  'kind: postgresql, host: "${env:HOST}", database: shop, user: "${secret:USER}", password: "${secret:PASSWORD}"';
const rest =
  'kind: rest, baseUrl: "https://${env:HOST}/api", endpoints: [{ name: orders, path: "/orders?tenant=${env:TENANT}&sig=${env:PASSWORD}", headers: { X-Tenant: "${env:TENANT}", Authorization: "Bearer ${env:PASSWORD}" } }]';
const proxied = `${postgresql}, proxy: "http://ada:\${env:PASSWORD}@proxy.example:3128"`;

type Values = Readonly<Record<string, string>>;
const first: Values = {
  HOST: 'one.example',
  USER: 'ada',
  PASSWORD: 'tea',
  TENANT: 'north',
  ADDRESS: 'https://ada:tea@one.example/?sig=tea',
};

async function identityOf(settings: string, values: Values): Promise<string> {
  const [source] = parseDataSources(`version: 1\ndataSources:\n  shop: { ${settings} }\n`).sources.sources;
  assert.ok(source);
  return rowsIdentity(source, {
    folder: '/project',
    readSecret: (name) => Promise.resolve(values[name]),
    permitUses: permitAllUses,
    environment: values,
  });
}

describe('identity of the rows of a data source', () => {
  for (const [kind, settings, name] of [
    ['postgresql', postgresql, 'HOST'],
    ['postgresql', postgresql, 'USER'],
    ['rest', rest, 'HOST'],
    ['rest', rest, 'TENANT'],
  ] as const) {
    it(`differs for another value of ${name} (${kind})`, async () => {
      const [one, other] = [await identityOf(settings, first), await identityOf(settings, { ...first, [name]: 'x' })];
      assert.notEqual(one, other);
      assert.equal(await identityOf(settings, { ...first }), one);
    });
  }

  for (const [what, settings] of [
    ['a setting', postgresql],
    ['a header and a parameter', rest],
    ['the address of a proxy', proxied],
    ['a setting as written', 'kind: postgresql, host: h, user: u, password: "a${env:PASSWORD}"'],
    ['an address that is one value', 'kind: rest, baseUrl: "${env:ADDRESS}", endpoints: []'],
    [
      'a header with an unsuspicious name',
      'kind: rest, baseUrl: "https://h", headers: { X-Gate: "${env:PASSWORD}" }, endpoints: []',
    ],
    [
      'a setting whose value is also the user name',
      'kind: postgresql, host: h, user: "${env:PASSWORD}", password: "${env:PASSWORD}"',
    ],
  ] as const) {
    it(`does not depend on a password in ${what}`, async () => {
      const other = { ...first, PASSWORD: 'coffee', ADDRESS: first['ADDRESS']?.replace('tea', 'coffee') ?? '' };
      assert.equal(await identityOf(settings, first), await identityOf(settings, other));
    });
  }
});
