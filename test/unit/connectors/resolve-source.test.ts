import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type ValueUse, permitAllUses } from '../../../server/src/connectors/permit-use.ts';
import { postgresqlSettings } from '../../../server/src/connectors/postgresql/setting-receivers.ts';
import { resolveSource } from '../../../server/src/connectors/resolve-source.ts';
import { restSettings } from '../../../server/src/connectors/rest/setting-receivers.ts';
import { secretVariableName } from '../../../server/src/connectors/secret-variable.ts';
import { sourceUses } from '../../../server/src/project/value-uses.ts';
import type { DataSource } from '../../../server/src/model/data-sources.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';
import { folderWith, removeFolder } from '../../support/temporary-folder.ts';

const folder = join('/', 'work', 'shop');
const sourcesFile = join(folder, 'entity-sources.yaml');
const secrets: Readonly<Record<string, string>> = { shop: 'pa$$ word', proxy: 'p%' };
const environment = { HOST: 'db.example', PORT: '6543', WHO: 'ann', TOKEN: 'tok-1', EMPTY: '' };
const context = {
  ...{ folder, sourcesFile, environment, permitUses: permitAllUses },
  readSecret: async (name: string) => secrets[name],
};

function source(settings: string): DataSource {
  const parsed = parseDataSources(`version: 1\ndataSources:\n  shop: { ${settings} }\n`);
  const [found] = parsed.sources.sources;
  assert.ok(found, JSON.stringify(parsed.problems));
  return found;
}

/** A use in one line: the value, its receiver, the user and the protection. */
function line({ reference, receiver }: ValueUse): string {
  const { origin, user, tls } = receiver;
  return `${reference.kind} ${reference.name} → ${[origin, user, tls].join(' | ')}`;
}

const login = 'auth: { kind: basic, user: u, password: "${secret:itsm}" }';
const oauth = 'kind: oauth2, clientId: c, clientSecret: "${secret:client}"';

describe('sourceUses', () => {
  const cases: readonly (readonly [title: string, settings: string, uses: readonly string[]])[] = [
    [
      'everything of a PostgreSQL source goes to its server',
      'kind: postgresql, host: Db.Example, database: d, user: u, password: "${secret:shop}", ssl: { mode: verify-full }',
      ['secret shop → postgresql://db.example:5432 | u | verify-full'],
    ],
    [
      'the server is told with the environment filled in, and nothing of the login',
      'kind: postgresql, host: "${env:HOST}", port: "${env:PORT}", database: d, user: "${env:WHO}", ssl: { mode: require }',
      ['HOST', 'PORT', 'WHO'].map((name) => `env ${name} → postgresql://db.example:6543 | \${env:WHO} | require`),
    ],
    [
      'a secret in the name of the host is not told',
      'kind: postgresql, host: "${secret:shop}.evil.example", database: d, user: u, ssl: true',
      ['secret shop → postgresql://${secret:shop}.evil.example:5432 | u | require'],
    ],
    [
      'nor one that is the whole address',
      `kind: servicenow, instanceUrl: "\${secret:url}", ${login}`,
      ['secret url → https://${secret:url} | u | TLS', 'secret itsm → https://${secret:url} | u | TLS'],
    ],
    [
      'a login goes to the instance',
      `kind: servicenow, instanceUrl: "https://acme.example", ${login}`,
      ['secret itsm → https://acme.example | u | TLS'],
    ],
    [
      'another port is another place, and plain HTTP another protection',
      `kind: servicenow, instanceUrl: "http://127.0.0.1:8080", ${login}`,
      ['secret itsm → http://127.0.0.1:8080 | u | no encryption'],
    ],
    [
      'a proxy that the source names is part of the way',
      `kind: servicenow, instanceUrl: "https://acme.example", proxy: "http://p:\${secret:proxy}@proxy.example:3128", ${login}`,
      [
        'secret proxy → http://proxy.example:3128 | p | no encryption',
        'secret itsm → https://acme.example | u | TLS, through http://proxy.example:3128',
      ],
    ],
    [
      'a proxy reads what is not encrypted, and is told every host',
      'kind: rest, baseUrl: "http://${env:HOST}/", proxy: "http://proxy.example:3128", endpoints: [{ name: a, path: "/a?k=${env:TOKEN}" }]',
      [
        'env HOST → http://db.example |  | no encryption, through http://proxy.example:3128',
        'env HOST → http://proxy.example:3128 |  | no encryption',
        'env TOKEN → http://db.example |  | no encryption, through http://proxy.example:3128',
        'env TOKEN → http://proxy.example:3128 |  | no encryption',
      ],
    ],
    [
      'what tokens are asked for with goes to the token endpoint, and as a token to the host',
      `kind: rest, baseUrl: "https://api.example", auth: { ${oauth}, grant: client_credentials, tokenUrl: "https://login.example/token" }, endpoints: [{ name: a, path: /a }]`,
      ['secret client → https://api.example | c | TLS', 'secret client → https://login.example | c | TLS'],
    ],
    [
      'the token of a browser login is sent to a host that did not give it',
      `kind: rest, baseUrl: "https://api.example", auth: { ${oauth}, grant: authorization_code, authorizationUrl: "https://login.example/page", tokenUrl: "https://login.example/token" }, endpoints: [{ name: a, path: /a }]`,
      [
        'secret client → https://api.example | c | TLS',
        'secret client → https://login.example | c | TLS',
        'login https://login.example → https://api.example | c | TLS',
      ],
    ],
    [
      'also without any secret',
      'kind: rest, baseUrl: "https://api.example", auth: { kind: oauth2, clientId: c, grant: authorization_code, authorizationUrl: "https://login.example/page", tokenUrl: "https://login.example/token" }, endpoints: [{ name: a, path: /a }]',
      ['login https://login.example → https://api.example | c | TLS'],
    ],
    [
      'the host that gave a token may have it back',
      `kind: servicenow, instanceUrl: "https://acme.example", auth: { kind: oauth2, clientId: c, grant: authorization_code }`,
      [],
    ],
    ['the environment may name files of this machine', 'kind: csv, path: "${env:HOST}/*.csv"', []],
    ['secrets may not', 'kind: csv, path: "${secret:shop}/*.csv"', ['secret shop → file:// |  | ']],
    [
      'a network path leads to another machine',
      "kind: csv, path: '\\\\evil.example\\x\\${env:TOKEN}.csv'",
      ['env TOKEN → file://evil.example |  | '],
    ],
    [
      'the same value to the same place is one use',
      'kind: postgresql, host: h, database: "${env:WHO}", user: "${env:WHO}", ssl: true',
      ['env WHO → postgresql://h:5432 | ${env:WHO} | require'],
    ],
  ];
  for (const [title, settings, uses] of cases) {
    it(title, async () => {
      const found = await sourceUses(source(settings), context);
      assert.deepEqual(found.map(line), uses);
      for (const { dataSource, file } of found) assert.deepEqual([dataSource, file], ['shop', sourcesFile]);
    });
  }

  it('other trusted authorities make another security place', async () => {
    const files = await folderWith({ 'one.pem': 'one', 'same.pem': 'one', 'other.pem': 'other' });
    const at = async (ca: string): Promise<string> => {
      const settings = `kind: servicenow, instanceUrl: "https://acme.example", ca: ${ca}, ${login}`;
      return (await sourceUses(source(settings), { ...context, folder: files })).map(line).join();
    };
    assert.equal(await at('one.pem'), await at('same.pem'));
    assert.notEqual(await at('one.pem'), await at('other.pem'));
    assert.match(await at('none.pem'), /TLS, trusting the authorities of a file that cannot be read$/);
    assert.match(await at('/dev/zero'), /TLS, trusting the authorities of a file that cannot be read$/);
    await removeFolder(files);
  });
});

describe('resolveSource', () => {
  const database = 'kind: postgresql, host: "${env:HOST}", database: d';

  it('replaces references at any depth, and collects values to redact', async () => {
    const rest = source(
      'kind: rest, baseUrl: "https://${env:HOST}/${env:EMPTY}v1", auth: { kind: basic, user: "${env:WHO}", password: "${secret:shop}" }, ' +
        'endpoints: [{ name: a, path: "/a", parameters: { t: "x${env:TOKEN}", plain: "$env:HOST {secret:shop}" } }]',
    );
    const { config, secrets: hidden } = await resolveSource(rest, context, restSettings);
    assert.equal(config.baseUrl.href, 'https://db.example/v1');
    assert.deepEqual(config.auth, { kind: 'basic', user: 'ann', password: 'pa$$ word' });
    assert.deepEqual(config.endpoints[0]?.parameters, { t: 'xtok-1', plain: '$env:HOST {secret:shop}' });
    // The host is not redacted, because it is not part of a login, and messages name it.
    assert.deepEqual(hidden, ['ann', 'pa$$ word', Buffer.from('ann:pa$$ word').toString('base64')]);
  });

  it('redacts a password from the file or the environment', async () => {
    for (const password of ['plain-pw', '${env:TOKEN}']) {
      const shop = source(`${database}, user: u, password: "${password}"`);
      const { secrets: hidden } = await resolveSource(shop, context, postgresqlSettings);
      assert.deepEqual(hidden, [password === 'plain-pw' ? 'plain-pw' : 'tok-1']);
    }
  });

  it('reads no secret and returns no settings when consent is refused', async () => {
    const shop = source(`${database}, user: u, password: "\${secret:shop}", ssl: true`);
    const asked: string[] = [];
    const refusing = {
      ...context,
      readSecret: async (name: string) => (asked.push(name), 'x'),
      permitUses: async (uses: readonly ValueUse[]) => uses.filter(({ reference }) => reference.kind === 'secret'),
    };
    await assert.rejects(resolveSource(shop, refusing, postgresqlSettings), {
      name: 'SourceError',
      code: 'secret-not-allowed',
      message: 'Data source shop would send the secret shop to postgresql://db.example:5432, which nobody has allowed.',
    });
    assert.deepEqual(asked, []);
  });

  it('requests a secret with its security places', async () => {
    const shop = source(`${database}, user: u, password: "\${secret:shop}", ssl: true`);
    const told: string[] = [];
    const telling = {
      ...context,
      readSecret: async (name: string, uses: readonly ValueUse[]) => (told.push(...uses.map(line)), secrets[name]),
    };
    await resolveSource(shop, telling, postgresqlSettings);
    assert.deepEqual(told, ['secret shop → postgresql://db.example:5432 | u | require']);
  });

  it('explains how to set a missing secret', async () => {
    const shop = source(`${database}, user: u, password: "\${secret:ops.db-2}"`);
    await assert.rejects(resolveSource(shop, context, postgresqlSettings), {
      code: 'secret-missing',
      message: 'Data source shop needs the secret ops.db-2 for password, and it is not set.',
      details: {
        remedy:
          'VS Code asks for it when the source is used; on the command line set the environment variable ENTITY_GRAPH_SECRET_OPS_DB_2.',
      },
    });
  });

  it('explains how to set a missing environment variable', async () => {
    const shop = source(`${database}, user: u, schemas: [x, "\${env:NOPE}"]`);
    await assert.rejects(resolveSource(shop, context, postgresqlSettings), {
      code: 'environment-variable-missing',
      message: 'Data source shop needs the environment variable NOPE for schemas[1], and it is not set.',
      details: { remedy: 'Set NOPE in the environment from which VS Code or the command line is started.' },
    });
  });
});

describe('secretVariableName', () => {
  it('converts to upper case and replaces invalid characters', () => {
    assert.equal(secretVariableName('ops-db.é1'), 'ENTITY_GRAPH_SECRET_OPS_DB__1');
  });
});
