import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AuthSettings } from '../../server/src/connectors/http/auth-settings.ts';
import { openHttpClient } from '../../server/src/connectors/http/open-client.ts';
import { createServiceNowClient } from '../../server/src/connectors/servicenow/client.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { makeCertificates } from '../support/certificates.ts';
import { quickRetries, withClient } from '../support/servicenow-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

const few = { incidents: 5 };
const registered = { clientId: 'client-1', clientSecret: 'client secret/1' };
const byPassword = { grant: 'password', ...registered, user: 'analyst', password: 'geheim & süß' } as const;
const oauth = (settings: object): AuthSettings =>
  ({ kind: 'oauth2', oauth: { grant: 'client_credentials', ...registered, ...settings } }) as AuthSettings;

function tokenRequests({ requests }: Simulator): readonly string[] {
  return requests
    .filter(({ path }) => path === '/oauth_token.do')
    .map(({ body }) => new URLSearchParams(body.toString('utf8')).get('grant_type') ?? '');
}

describe('authentication: OAuth 2.0', () => {
  it('asks once for a token that concurrent requests share', async () => {
    await withClient({ ...few, auth: oauth({}) }, async ({ tables }, simulator) => {
      await Promise.all(Array.from({ length: 8 }, () => tables.list('incident')));
      assert.deepEqual(tokenRequests(simulator), ['client_credentials']);
    });
  });

  it('renews a token before it expires, by its refresh token', async () => {
    await withClient({ ...few, auth: oauth(byPassword) }, async ({ tables }, simulator) => {
      simulator.logins.tokenLife = 2;
      await tables.list('incident');
      await new Promise((resolve) => setTimeout(resolve, 1850));
      await Promise.all([tables.list('incident'), tables.list('problem'), tables.list('sys_user')]);
      assert.deepEqual(tokenRequests(simulator), ['password', 'refresh_token']);
    });
  });

  it('renews a token that is refused, once for all requests, and goes on', async () => {
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

  it('says what was refused, and shows no secret', async () => {
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

  it('keeps on using a token that one request gave up waiting for', async () => {
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

describe('authentication: Basic', () => {
  it('sends user and password in UTF-8', async () => {
    await withClient(few, async ({ tables }) => {
      assert.equal((await tables.list('incident')).records.length, 5);
    });
  });

  it('reports a wrong password in one request', async () => {
    const auth: AuthSettings = { kind: 'basic', user: 'analyst', password: 'wrong-secret' };
    await withClient({ ...few, auth }, async ({ tables }, { requests }) => {
      await assert.rejects(tables.list('incident'), { code: 'authentication-failed' });
      assert.equal(requests.length, 1);
    });
  });
});

describe('authentication: client certificate', () => {
  let folder = '';
  before(async () => (folder = await folderWith({})));
  after(() => removeFolder(folder));

  it('logs in by the certificate alone, and needs the right authority and passphrase', async function () {
    this.timeout(60_000);
    const server = makeCertificates(folder, 'localhost');
    const at = (name: string): string => join(folder, name);
    const openssl = (...parameters: readonly string[]) => execFileSync('openssl', parameters, { stdio: 'pipe' });
    const key = ['-newkey', 'rsa:2048', '-passout', 'pass:pw 1', '-keyout', at('client.key')];
    openssl('req', ...key, '-out', at('client.csr'), '-subj', '/CN=analyst');
    const issuer = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-CAcreateserial'];
    openssl('x509', '-req', '-in', at('client.csr'), ...issuer, '-out', at('client.pem'), '-days', '2');
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
    const simulator = await startSimulator({ ...few, tls: { cert: server.certificate, key: server.key, ca } });
    const count = async (certificate: object): Promise<number> => {
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
      return client.aggregates.count('incident', '').finally(() => client.close());
    };
    const good = { cert: at('client.pem'), key: at('client.key'), ca: at('ca.pem'), passphrase: 'pw 1' };
    try {
      assert.equal(await count(good), 5);
      assert.equal(simulator.requests[0]?.headers['authorization'], undefined);
      // A certificate that the instance does not know is no failed handshake there, but an ordinary 401.
      const unknown = { cert: at('self.pem'), key: at('self.key'), ca: at('ca.pem') };
      await assert.rejects(count(unknown), { code: 'authentication-failed' });
      const { ca: _, ...withoutAuthority } = good;
      await assert.rejects(count(withoutAuthority), { code: 'tls-failed' });
      await assert.rejects(count({ ...good, passphrase: 'no' }), { code: 'tls-failed' });
      await assert.rejects(count({ ...good, key: at('none.key') }), {
        code: 'source-config',
        message: /none\.key cannot be read/,
      });
      await assert.rejects(count({ ...good, key: at('client.csr.txt') }), { code: 'source-config' });
    } finally {
      await simulator.close();
    }
  });
});
