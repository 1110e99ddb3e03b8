import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { AuthSettings } from '../../server/src/connectors/http/auth-settings.ts';
import { openHttpClient, openTokenEndpoint } from '../../server/src/connectors/http/open-client.ts';
import type { Authorize } from '../../server/src/connectors/http/browser-login.ts';
import type { ConnectionSettings, HttpContext } from '../../server/src/connectors/http/client-settings.ts';
import { signIn, signInState } from '../../server/src/connectors/http/sign-in.ts';
import { createServiceNowClient, type ServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import { lockedTokenStore } from '../../server/src/project/locked-token-store.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { makeCertificates } from '../support/certificates.ts';
import { quickRetries, withClient } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const few = { incidents: 5 };
const registered = { clientId: 'client-1', clientSecret: 'client secret/1' };
const byPassword = { grant: 'password', ...registered, user: 'analyst', password: 'geheim & süß' } as const;
const byRefreshToken = { grant: 'refresh_token', refreshToken: 'r1' } as const;
const oauth = (settings: object): AuthSettings =>
  ({ kind: 'oauth2', oauth: { grant: 'client_credentials', ...registered, ...settings } }) as AuthSettings;

function tokenRequests({ requests }: Simulator): readonly string[] {
  return requests
    .filter(({ path }) => path === '/oauth_token.do')
    .map(({ body }) => new URLSearchParams(body.toString('utf8')).get('grant_type') ?? '');
}

describe('ServiceNow authentication › access token', () => {
  const auth = { kind: 'bearer', token: 'ready' } as const;

  it('is sent as it is, without a token request', async () => {
    await withClient({ ...few, auth }, async ({ tables }, simulator) => {
      simulator.logins.tokens.set('ready', { expires: Infinity, refreshToken: undefined });
      await tables.list('incident');
      assert.deepEqual(tokenRequests(simulator), []);
      assert.equal(simulator.requests.at(-1)?.headers['authorization'], 'Bearer ready');
    });
  });

  it('is refused when it has expired', async () => {
    await withClient({ ...few, auth }, async ({ tables }) => {
      await assert.rejects(tables.list('incident'), { code: 'authentication-failed' });
    });
  });
});

describe('ServiceNow authentication › OAuth 2.0', () => {
  it('concurrent requests share one token request', async () => {
    await withClient({ ...few, auth: oauth({}) }, async ({ tables }, simulator) => {
      await Promise.all(Array.from({ length: 8 }, () => tables.list('incident')));
      assert.deepEqual(tokenRequests(simulator), ['client_credentials']);
    });
  });

  it('renews a token before it expires, with its refresh token', async () => {
    await withClient({ ...few, auth: oauth(byPassword) }, async ({ tables }, simulator) => {
      simulator.logins.tokenLife = 2;
      await tables.list('incident');
      await new Promise((resolve) => setTimeout(resolve, 1850));
      await Promise.all([tables.list('incident'), tables.list('problem'), tables.list('sys_user')]);
      assert.deepEqual(tokenRequests(simulator), ['password', 'refresh_token']);
    });
  });

  it('renews a rejected token once for all requests, and retries them', async () => {
    await withClient({ ...few, auth: oauth({}) }, async ({ tables }, simulator) => {
      await tables.list('incident');
      simulator.logins.tokens.clear();
      await Promise.all(Array.from({ length: 6 }, () => tables.list('incident')));
      assert.deepEqual(tokenRequests(simulator), ['client_credentials', 'client_credentials']);
    });
  });

  it('falls back to the password when the refresh token has expired', async () => {
    await withClient({ ...few, auth: oauth(byPassword) }, async ({ tables }, simulator) => {
      await tables.list('incident');
      simulator.logins.tokens.clear();
      simulator.logins.refreshTokens.clear();
      await tables.list('incident');
      assert.deepEqual(tokenRequests(simulator), ['password', 'refresh_token', 'password']);
    });
  });

  it('starts from a configured refresh token', async () => {
    await withClient(
      { ...few, auth: oauth({ grant: 'refresh_token', refreshToken: 'r1' }) },
      async (client, simulator) => {
        await assert.rejects(client.tables.list('incident'), { code: 'authentication-failed' });
        simulator.logins.refreshTokens.add('r1');
        assert.equal((await client.tables.list('incident')).records.length, 5);
      },
    );
  });

  it('names what was rejected, and redacts secrets', async () => {
    const wrong = [{ clientSecret: 'wrong-secret' }, { ...byPassword, password: 'wrong-secret' }];
    for (const settings of wrong) {
      await withClient({ ...few, auth: oauth(settings) }, async ({ tables }) => {
        await assert.rejects(tables.list('incident'), (error: Error) => {
          assert.match(
            error.message,
            /^The instance refuses a token for the grant \w+: server_error, access_denied\.$/,
          );
          return !JSON.stringify(error).includes('wrong-secret');
        });
      });
    }
  });

  it('keeps a requested token after its first requester was cancelled', async () => {
    await withClient({ ...few, auth: oauth({}) }, async ({ tables }, simulator) => {
      simulator.failNext({ kind: 'slow', milliseconds: 200 }, { on: ({ path }) => path === '/oauth_token.do' });
      const controller = new AbortController();
      const first = tables.list('incident', {}, { signal: controller.signal });
      const second = tables.list('incident');
      setTimeout(() => controller.abort(new Error('stopped')), 30);
      await assert.rejects(first, /stopped/);
      assert.equal((await second).records.length, 5);
      assert.equal(tokenRequests(simulator).length, 1);
    });
  });
});

describe('ServiceNow authentication › Basic', () => {
  it('sends user and password in UTF-8', async () => {
    await withClient(few, async ({ tables }) => {
      assert.equal((await tables.list('incident')).records.length, 5);
    });
  });

  it('reports a wrong password after one request', async () => {
    const auth: AuthSettings = { kind: 'basic', user: 'analyst', password: 'wrong-secret' };
    await withClient({ ...few, auth }, async ({ tables }, { requests }) => {
      await assert.rejects(tables.list('incident'), { code: 'authentication-failed' });
      assert.equal(requests.length, 1);
    });
  });
});

describe('ServiceNow authentication › client certificate', () => {
  let folder = '';
  before(async () => (folder = await folderWith({})));
  after(() => removeFolder(folder));

  it('logs in with the certificate alone, with the right CA and passphrase', async function () {
    this.timeout(600_000);
    const server = makeCertificates(folder, 'localhost');
    const at = (name: string): string => join(folder, name);
    const openssl = (...parameters: readonly string[]) => execFileSync('openssl', parameters, { stdio: 'pipe' });
    const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
    for (const [name, subject] of [['client', 'Integration 7'] as const, ['stranger', 'Somebody'] as const]) {
      const key = ['-newkey', 'rsa:2048', '-passout', 'pass:pw 1', '-keyout', at(`${name}.key`)];
      openssl('req', ...key, '-out', at(`${name}.csr`), '-subj', `/CN=${subject}`);
      openssl('x509', '-req', '-in', at(`${name}.csr`), ...issuer, '-out', at(`${name}.pem`), '-days', '2');
    }
    openssl(
      'req',
      '-x509',
      '-newkey',
      'rsa:2048',
      '-nodes',
      '-keyout',
      at('self.key'),
      '-out',
      at('self.pem'),
      '-subj',
      '/CN=x',
    );

    const ca = readFileSync(server.authority, 'utf8');
    const users = { 'Integration 7': 'svc.graph' };
    const simulator = await startSimulator({ ...few, tls: { cert: server.certificate, key: server.key, ca, users } });
    const withCertificate = async <T>(
      certificate: object,
      use: (client: ServiceNowClient) => Promise<T>,
    ): Promise<T> => {
      const http = await openHttpClient({
        baseUrl: new URL(simulator.url),
        peer: 'The instance',
        auth: { kind: 'mtls', certificate } as AuthSettings,
        connections: 2,
        connectTimeoutMs: 2000,
        requestTimeoutMs: 5000,
        retryPolicy: quickRetries,
        onSecret: () => undefined,
      });
      const client = createServiceNowClient(http, { retryPolicy: quickRetries });
      return use(client).finally(() => client.close());
    };
    const count = (certificate: object): Promise<number | undefined> =>
      withCertificate(certificate, ({ aggregates }) => aggregates.count('incident', ''));
    const good = { cert: at('client.pem'), key: at('client.key'), ca: at('ca.pem'), passphrase: 'pw 1' };
    try {
      assert.equal(await count(good), 5);
      assert.equal(simulator.requests[0]?.headers['authorization'], undefined);
      const made = await withCertificate(good, ({ tables }) => tables.create('incident', { number: 'N1' }));
      assert.equal(made['sys_created_by'], 'svc.graph', 'the user that the certificate is mapped to');
      const stranger = { ...good, cert: at('stranger.pem'), key: at('stranger.key') };
      await assert.rejects(count(stranger), { code: 'authentication-failed' });
      // For an unknown client certificate the handshake succeeds, and the response is an ordinary 401.
      const unknown = { cert: at('self.pem'), key: at('self.key'), ca: at('ca.pem') };
      await assert.rejects(count(unknown), { code: 'authentication-failed' });
      const { ca: _, ...withoutAuthority } = good;
      await assert.rejects(count(withoutAuthority), { code: 'tls-failed' });
      await assert.rejects(count({ ...good, passphrase: 'no' }), { code: 'tls-failed' });
      await assert.rejects(count({ ...good, key: at('none.key') }), {
        code: 'source-config',
        message: /The file of auth\.key cannot be read: it is not there/,
      });
      await assert.rejects(count({ ...good, key: at('client.csr.txt') }), { code: 'source-config' });
      const parts = ['-in', at('client.pem'), '-inkey', at('client.key'), '-passin', 'pass:pw 1'];
      openssl('pkcs12', '-export', ...parts, '-out', at('client.pfx'), '-passout', 'pass:pw 2');
      const pfx = { pfx: at('client.pfx'), ca: at('ca.pem'), passphrase: 'pw 2' };
      assert.equal(await count(pfx), 6);
      await assert.rejects(count({ ...pfx, passphrase: 'pw 1' }), { code: 'tls-failed' });
    } finally {
      await simulator.close();
    }
  });
});

describe('ServiceNow authentication › signed assertion (JWT)', () => {
  let folder = '';
  before(async () => (folder = await folderWith({})));
  after(() => removeFolder(folder));

  /** A key pair, the private key in a file. */
  function makeKey(name: string, kind: 'rsa' | 'ec') {
    const options = {
      publicKeyEncoding: { type: 'spki', format: 'pem' },
      privateKeyEncoding: { type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'pw 1' },
    } as const;
    const { publicKey, privateKey } =
      kind === 'rsa'
        ? generateKeyPairSync('rsa', { modulusLength: 2048, ...options })
        : generateKeyPairSync('ec', { namedCurve: 'P-256', ...options });
    writeFileSync(join(folder, name), privateKey);
    return { publicKey, keyFile: join(folder, name), passphrase: 'pw 1' };
  }

  const claims = { issuer: 'client-1', audience: 'client-1', subject: 'analyst' };
  const byAssertion = (jwt: object): AuthSettings => oauth({ grant: 'jwt_bearer', jwt: { ...claims, ...jwt } });

  for (const [algorithm, kind] of [['RS256', 'rsa'] as const, ['RS512', 'rsa'] as const, ['ES256', 'ec'] as const]) {
    it(`logs in with ${algorithm}`, async () => {
      const { publicKey, ...key } = makeKey(`${algorithm}.key`, kind);
      await withClient({ ...few, auth: byAssertion({ ...key, algorithm }) }, async ({ tables }, simulator) => {
        simulator.logins.jwtKey = publicKey;
        assert.equal((await tables.list('incident')).records.length, 5);
        simulator.logins.tokens.clear();
        await tables.list('incident');
        assert.deepEqual(new Set(tokenRequests(simulator)), new Set(['urn:ietf:params:oauth:grant-type:jwt-bearer']));
      });
    });
  }

  it('names an unusable key, and reports an assertion that the server rejects', async () => {
    const { publicKey, ...key } = makeKey('a.key', 'rsa');
    const wrong: readonly (readonly [jwt: object, code: string])[] = [
      [{ ...key, algorithm: 'ES256' }, 'source-config'],
      [{ ...key, algorithm: 'RS256', passphrase: 'no' }, 'source-config'],
      [{ ...key, algorithm: 'RS256', keyFile: join(folder, 'none.key') }, 'source-config'],
      [{ ...key, algorithm: 'RS256', subject: 'somebody else' }, 'authentication-failed'],
    ];
    for (const [jwt, code] of wrong) {
      await withClient({ ...few, auth: byAssertion(jwt) }, async ({ tables }, simulator) => {
        simulator.logins.jwtKey = publicKey;
        await assert.rejects(tables.list('incident'), { code }, JSON.stringify(jwt));
      });
    }
  });
});

/** Secret storage. */
function tokenStore() {
  const kept = new Map<string, string>();
  const tokens = {
    read: async (name: string) => kept.get(name),
    write: async (name: string, value: string | undefined) =>
      void (value === undefined ? kept.delete(name) : kept.set(name, value)),
  };
  return { kept, context: { environment: {}, tokens } };
}

function settingsFor(simulator: Simulator, auth: AuthSettings, context: HttpContext): ConnectionSettings {
  return {
    baseUrl: new URL(simulator.url),
    peer: 'The instance',
    auth,
    tokenPath: '/oauth_token.do',
    authorizationPath: '/oauth_auth.do',
    connections: 8,
    connectTimeoutMs: 2000,
    requestTimeoutMs: 5000,
    retryPolicy: quickRetries,
    onSecret: () => undefined,
    httpContext: context,
  };
}

/** As after the safety margin before the expiry of the stored token. */
function expire(kept: Map<string, string>, { logins }: Simulator): void {
  for (const [name, text] of kept)
    kept.set(name, JSON.stringify({ ...(JSON.parse(text) as object), usedUntil: Date.now() - 1 }));
  logins.tokens.clear();
}

/** The counts of a separate program with eight concurrent requests. */
async function count(settings: ConnectionSettings): Promise<number> {
  const client = createServiceNowClient(await openHttpClient(settings), { retryPolicy: quickRetries });
  const counts = Array.from({ length: 8 }, () => client.aggregates.count('incident', ''));
  return Promise.all(counts)
    .then(([first]) => first ?? 0)
    .finally(() => client.close());
}

async function withStore(
  use: (simulator: Simulator, context: HttpContext, kept: Map<string, string>) => Promise<void>,
): Promise<void> {
  const simulator = await startSimulator(few);
  simulator.logins.refreshTokens.add('r1');
  const { kept, context } = tokenStore();
  await use(simulator, context, kept).finally(() => simulator.close());
}

describe('ServiceNow authentication › stored tokens of users', () => {
  for (const settings of [byPassword, byRefreshToken]) {
    it(`with ${settings.grant} are reused by later processes, and renewed once before expiry and after 401`, async () => {
      await withStore(async (simulator, context, kept) => {
        const connection = settingsFor(simulator, oauth(settings), context);
        assert.deepEqual([await count(connection), await count(connection)], [5, 5]);
        assert.deepEqual(tokenRequests(simulator), [settings.grant]);
        expire(kept, simulator);
        assert.equal(await count(connection), 5);
        simulator.logins.tokens.clear();
        assert.equal(await count(connection), 5);
        assert.deepEqual(tokenRequests(simulator), [settings.grant, 'refresh_token', 'refresh_token']);
      });
    });
  }

  it('are valid only for the same user and secrets, whose names reveal nothing', async () => {
    await withStore(async (simulator, context, kept) => {
      await count(settingsFor(simulator, oauth(byPassword), context));
      for (const other of [{ password: 'wrong-secret' }, { user: 'somebody' }, { clientSecret: 'wrong-secret' }]) {
        const connection = settingsFor(simulator, oauth({ ...byPassword, ...other }), context);
        await assert.rejects(count(connection), { code: 'authentication-failed' });
      }
      assert.ok([...kept.keys()].every((name) => !name.includes('geheim')));
      assert.ok([...kept.values()].every((value) => !value.includes('geheim') && !value.includes('secret/1')));
    });
  });

  it('are renewed with the newest single-use refresh token, also by two processes at a time', async () => {
    await withStore(async (simulator, context) => {
      simulator.logins.rotates = true;
      const connection = settingsFor(simulator, oauth(byRefreshToken), context);
      for (let round = 0; round < 3; round += 1) {
        simulator.logins.tokens.clear();
        assert.deepEqual(await Promise.all([count(connection), count(connection)]), [5, 5]);
      }
      assert.equal(simulator.logins.refreshTokens.size, 1);
    });
  });

  it('are renewed by one process at a time, as reuse of a refresh token may revoke the login', async () => {
    const folder = await folderWith({});
    try {
      await withStore(async (simulator, { environment, tokens }, kept) => {
        simulator.logins.rotates = true;
        simulator.logins.revokesReused = true;
        assert.ok(tokens);
        // Every program has a separate store over the same slow storage.
        const program = () => {
          const own = lockedTokenStore(tokens, folder);
          const slow = { ...own, read: (name: string) => setImmediate().then(() => tokens.read(name)) };
          return count(settingsFor(simulator, oauth(byRefreshToken), { environment, tokens: slow }));
        };
        const many = Array.from({ length: 5 }, (_, index) => index);
        for (const end of [() => undefined, () => expire(kept, simulator), () => simulator.logins.tokens.clear()]) {
          end();
          assert.deepEqual(
            await Promise.all(many.map(program)),
            many.map(() => 5),
          );
        }
        assert.deepEqual(
          tokenRequests(simulator),
          Array.from({ length: 3 }, () => 'refresh_token'),
        );
        assert.deepEqual(await readdir(folder), []);
      });
    } finally {
      await removeFolder(folder);
    }
  });

  for (const settings of [byPassword, byRefreshToken]) {
    it(`with ${settings.grant} keep their refresh token when a renewal returns none`, async () => {
      await withStore(async (simulator, context, kept) => {
        simulator.logins.namesRefreshToken = false;
        const connection = settingsFor(simulator, oauth(settings), context);
        for (let program = 0; program < 3; program += 1) {
          assert.equal(await count(connection), 5);
          expire(kept, simulator);
        }
        assert.deepEqual(tokenRequests(simulator), [settings.grant, 'refresh_token', 'refresh_token']);
      });
    });
  }

  it('are replaced by a new login from the settings once they have expired', async () => {
    await withStore(async (simulator, context, kept) => {
      const connection = settingsFor(simulator, oauth(byRefreshToken), context);
      simulator.logins.rotates = true;
      await count(connection);
      simulator.logins.tokens.clear();
      simulator.logins.refreshTokens.clear();
      simulator.logins.refreshTokens.add('r1');
      assert.equal(await count(connection), 5);
      simulator.logins.tokens.clear();
      simulator.logins.refreshTokens.clear();
      await assert.rejects(count(connection), { code: 'authentication-failed' });
      assert.equal(kept.size, 0);
    });
  });

  it('are used even when they cannot be stored', async () => {
    await withStore(async (simulator, { environment }) => {
      const locked = () => Promise.reject(new Error('The keyring is locked.'));
      const connection = settingsFor(simulator, oauth(byPassword), {
        environment,
        tokens: { read: locked, write: locked },
      });
      assert.equal(await count(connection), 5);
    });
  });
});

describe('ServiceNow authentication › stored tokens of applications', () => {
  let folder = '';
  before(async () => (folder = await folderWith({})));
  after(() => removeFolder(folder));

  const claims = { issuer: 'client-1', audience: 'client-1', subject: 'analyst', algorithm: 'ES256' };

  /** One row per grant: its settings, and the form of its token request. */
  const grants: readonly (readonly [form: string, settings: (simulator: Simulator) => object])[] = [
    ['client_credentials', () => ({ scope: 'a b' })],
    [
      'urn:ietf:params:oauth:grant-type:jwt-bearer',
      (simulator) => ({ grant: 'jwt_bearer', jwt: { ...claims, keyFile: newKey(simulator) } }),
    ],
  ];

  /** A private key in a file; the simulator has the public one from now on. */
  function newKey({ logins }: Simulator): string {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    logins.jwtKey = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    writeFileSync(join(folder, 'program.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    return join(folder, 'program.key');
  }

  for (const [form, settingsOf] of grants) {
    it(`with ${form} are reused by later processes, and requested once before expiry and after 401`, async () => {
      await withStore(async (simulator, context, kept) => {
        const connection = settingsFor(simulator, oauth(settingsOf(simulator)), context);
        assert.deepEqual([await count(connection), await count(connection)], [5, 5]);
        assert.deepEqual(tokenRequests(simulator), [form]);
        expire(kept, simulator);
        assert.deepEqual([await count(connection), await count(connection)], [5, 5]);
        assert.deepEqual(tokenRequests(simulator), [form, form]);
        simulator.logins.tokens.clear();
        assert.deepEqual([await count(connection), await count(connection)], [5, 5]);
        assert.deepEqual(tokenRequests(simulator), [form, form, form]);
        assert.equal(kept.size, 1);
        assert.ok([...kept].every((texts) => texts.every((text) => !/secret|PRIVATE|geheim/.test(text))));
      });
    });

    it(`with ${form} that were rejected are deleted, even when no new one is available`, async () => {
      await withStore(async (simulator, context, kept) => {
        const connection = settingsFor(simulator, oauth(settingsOf(simulator)), context);
        await count(connection);
        simulator.logins.tokens.clear();
        const isTokenRequest = { on: ({ path }: { readonly path: string }) => path === '/oauth_token.do', times: 100 };
        simulator.failNext({ kind: 'status', status: 503 }, isTokenRequest);
        await assert.rejects(count(connection), { code: 'source-failed' });
        assert.equal(kept.size, 0);
      });
    });
  }

  /** One row per different setting: a token for the previous settings is not used. */
  const others: readonly (readonly [what: string, settings: object, changed: object])[] = [
    ['secret', {}, { clientSecret: 'another one' }],
    ['client', {}, { clientId: 'client-2' }],
    ['scope', {}, { scope: 'another one' }],
    ['subject', { grant: 'jwt_bearer', jwt: claims }, { jwt: { ...claims, subject: 'somebody else' } }],
    ['issuer', { grant: 'jwt_bearer', jwt: claims }, { jwt: { ...claims, issuer: 'client-2' } }],
  ];
  for (const [what, settings, changed] of others) {
    it(`are not reused with another ${what}`, async () => {
      await withStore(async (simulator, context) => {
        const keyFile = newKey(simulator);
        const withKey = (given: object) =>
          oauth('jwt' in given ? { ...given, jwt: { ...(given.jwt as object), keyFile } } : given);
        await count(settingsFor(simulator, withKey(settings), context));
        await Promise.allSettled([count(settingsFor(simulator, withKey({ ...settings, ...changed }), context))]);
        assert.equal(tokenRequests(simulator).length, 2, 'another token was asked for');
      });
    });
  }

  it('are not reused when the key in the same file has changed', async () => {
    await withStore(async (simulator, context) => {
      const connection = settingsFor(
        simulator,
        oauth({ grant: 'jwt_bearer', jwt: { ...claims, keyFile: newKey(simulator) } }),
        context,
      );
      await count(connection);
      const { jwtKey } = simulator.logins;
      newKey(simulator);
      simulator.logins.jwtKey = jwtKey;
      await assert.rejects(count(connection), { code: 'authentication-failed' });
    });
  });

  it('are sent only to the host that they were issued for', async () => {
    await withStore(async (simulator, context) => {
      const tokenUrl = `${simulator.url}/oauth_token.do`;
      const auth = { ...oauth({}), tokenUrl } as AuthSettings;
      const connection = settingsFor(simulator, auth, context);
      await count(connection);
      const other = await startSimulator(few);
      try {
        // It gets a token for both.
        for (const [token, state] of simulator.logins.tokens) other.logins.tokens.set(token, state);
        const toOther = { ...connection, baseUrl: new URL(other.url) };
        for (const each of [toOther, connection, toOther]) assert.equal(await count(each), 5);
        assert.equal(tokenRequests(simulator).length, 2, 'each host has a login of its own');
      } finally {
        await other.close();
      }
    });
  });

  it('are stored apart from tokens of users', async () => {
    await withStore(async (simulator, context, kept) => {
      for (const settings of [{}, byRefreshToken, byPassword])
        assert.equal(await count(settingsFor(simulator, oauth(settings), context)), 5);
      assert.equal(kept.size, 3);
    });
  });
});

describe('ServiceNow authentication › browser login', () => {
  const redirectUri = 'vscode://entity-graph.entity-graph/oauth';
  const authorize: Authorize = async ({ url, state }) => {
    const page = new URL(url);
    page.searchParams.set('redirect_uri', redirectUri);
    const { headers } = await fetch(page, { redirect: 'manual' });
    const back = new URL(headers.get('location') ?? '');
    assert.equal(back.searchParams.get('state'), state);
    return { code: back.searchParams.get('code') ?? '', redirectUri };
  };

  const byBrowser = oauth({ grant: 'authorization_code' });

  it('runs once, is reused by later processes, and is renewed with its refresh token', async () => {
    const simulator = await startSimulator(few);
    const { kept, context } = tokenStore();
    const settings = settingsFor(simulator, byBrowser, context);
    try {
      await assert.rejects(count(settings), { code: 'authentication-failed', message: /nobody is logged in/ });
      assert.equal(await signInState(settings), 'needed');
      assert.equal(await signIn(settings, authorize), true);
      assert.equal(await signInState(settings), 'done');
      assert.equal(await count(settings), 5);
      assert.equal(await count(settings), 5);
      simulator.logins.tokens.clear();
      assert.equal(await count(settings), 5);
      assert.deepEqual(tokenRequests(simulator), ['authorization_code', 'refresh_token']);
      simulator.logins.tokens.clear();
      simulator.logins.refreshTokens.clear();
      await assert.rejects(count(settings), { code: 'authentication-failed' });
      assert.equal(kept.size, 0, 'a login that is over is forgotten');
    } finally {
      await simulator.close();
    }
  });

  it('is valid for one host and one folder', async () => {
    const simulator = await startSimulator(few);
    const other = await startSimulator(few);
    const { kept, context } = tokenStore();
    const settings = settingsFor(simulator, byBrowser, { ...context, workspaceFolder: '/projects/one' });
    try {
      await signIn(settings, authorize);
      assert.equal(await count(settings), 5);
      const elsewhere = settingsFor(simulator, byBrowser, { ...context, workspaceFolder: '/projects/two' });
      assert.equal(await signInState(elsewhere), 'needed');
      await assert.rejects(count(elsewhere), { code: 'authentication-failed' });
      // Another host with the same login name, as in a hostile file.
      const oauthOfFirst = { ...byBrowser, tokenUrl: `${simulator.url}/oauth_token.do` };
      const atOther = settingsFor(other, oauthOfFirst, { ...context, workspaceFolder: '/projects/one' });
      assert.equal(await signInState(atOther), 'needed');
      await assert.rejects(count(atOther), { code: 'authentication-failed' });
      assert.ok(other.requests.every(({ headers }) => headers?.['authorization'] === undefined));
      assert.equal(kept.size, 1);
    } finally {
      await simulator.close();
      await other.close();
    }
  });

  it('stays valid across processes when a renewal returns no refresh token', async () => {
    const simulator = await startSimulator(few);
    simulator.logins.namesRefreshToken = false;
    const { kept, context } = tokenStore();
    const settings = settingsFor(simulator, byBrowser, context);
    try {
      await signIn(settings, authorize);
      for (let program = 0; program < 3; program += 1) {
        expire(kept, simulator);
        assert.equal(await count(settings), 5);
      }
      const renewals = ['refresh_token', 'refresh_token', 'refresh_token'];
      assert.deepEqual(tokenRequests(simulator), ['authorization_code', ...renewals]);
      assert.equal(await signInState(settings), 'done');
    } finally {
      await simulator.close();
    }
  });

  it('a code without the PKCE verifier is useless', async () => {
    const simulator = await startSimulator(few);
    const { kept, context } = tokenStore();
    const settings = settingsFor(simulator, byBrowser, context);
    try {
      let stolen = '';
      await signIn(settings, async (page) => {
        stolen = (await authorize(page))?.code ?? '';
        return undefined;
      });
      const using: Authorize = async () => ({ code: stolen, redirectUri });
      await assert.rejects(signIn(settings, using), { code: 'authentication-failed' });
      assert.equal(kept.size, 0);
    } finally {
      await simulator.close();
    }
  });
});

describe('ServiceNow authentication › unavailable token endpoint', () => {
  /** Requests until a token is issued or given up, when the first one is answered with a status. */
  async function requestsFor(grant: string, status: number): Promise<number> {
    const simulator = await startSimulator(few);
    simulator.failNext({ kind: 'status', status });
    const form = new URLSearchParams({ grant_type: grant, client_id: 'client-1', code: 'c1', refresh_token: 'r1' });
    try {
      const endpoint = await openTokenEndpoint(settingsFor(simulator, oauth({}), { environment: {} }));
      await endpoint.postForm(form).catch((error: unknown) => assert.equal((error as Error).name, 'SourceError'));
      return simulator.requests.length;
    } finally {
      await simulator.close();
    }
  }

  for (const status of [408, 499, 502, 503, 504]) {
    it(`an authorization code that may have been used is sent once: status ${status}`, async () => {
      assert.equal(await requestsFor('authorization_code', status), 1);
    });
  }

  for (const status of [425, 429]) {
    it(`an unused authorization code is sent again: status ${status}`, async () => {
      assert.equal(await requestsFor('authorization_code', status), 2);
    });
  }

  for (const status of [408, 425, 429, 499, 502, 503, 504]) {
    it(`other grants are retried: status ${status}`, async () => {
      assert.equal(await requestsFor('client_credentials', status), 2);
      assert.equal(await requestsFor('refresh_token', status), 2);
    });
  }
});
