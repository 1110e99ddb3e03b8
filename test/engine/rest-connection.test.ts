import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { createConnector } from '../support/create-connector.ts';
import type { SourceError } from '../../server/src/connectors/source-error.ts';
import { startPagedService, type PagedService, type PagedServiceOptions } from '../simulator/paged-service.ts';
import { startSimulator } from '../simulator/simulator.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';

const endpoint = { name: 'orders', path: '/by-page', key: 'id', pagination: { style: 'page' } };

async function withService(
  options: PagedServiceOptions,
  settings: (url: string) => object,
  use: (connector: Connector, service: PagedService) => Promise<void>,
): Promise<void> {
  const service = await startPagedService(25, 10, options);
  try {
    const source = dataSource('api', {
      ...{ kind: 'rest', baseUrl: service.url, endpoints: [endpoint] },
      ...settings(service.url),
    });
    const connector = await createConnector(source, {
      folder: process.cwd(),
      permitUses: permitAllUses,
      readSecret: async () => 'hush & key',
      environment: {},
    });
    await use(connector, service).finally(() => connector.close());
  } finally {
    await service.close();
  }
}

const rows = async (connector: Connector): Promise<number> =>
  (await connector.preview(fileQuery('SELECT id FROM orders', ['orders']), { limit: 100 })).rows.length;

const basic = `Basic ${Buffer.from('me:hush & key').toString('base64')}`;

/** One row per login: its settings, its effect on a request, and what is displayed. */
const logins: readonly (readonly [
  name: string,
  auth: object,
  accepts: PagedServiceOptions['accepts'],
  shown: RegExp,
])[] = [
  [
    'a key as user name, without a password',
    { kind: 'basic', user: '${secret:api}', password: '' },
    ({ headers }) => headers.authorization === `Basic ${Buffer.from('hush & key:').toString('base64')}`,
    /\nAuthorization: Basic \*\*\*$/,
  ],
  [
    'a key in a header',
    { kind: 'apiKey', header: 'X-Key', token: '${secret:api}' },
    ({ headers }) => headers['x-key'] === 'hush & key',
    /\?page=1\nAccept: application\/json\nX-Key: \*\*\*$/,
  ],
  [
    'a key in the header for logins',
    { kind: 'apiKey', token: '${secret:api}' },
    ({ headers }) => headers.authorization === 'hush & key',
    /\nAuthorization: \*\*\*$/,
  ],
  [
    'a key in a parameter',
    { kind: 'apiKey', parameter: 'api_key', token: '${secret:api}' },
    (_, url) => url.searchParams.get('api_key') === 'hush & key',
    /\?page=1&api_key=\*\*\*\nAccept: application\/json$/,
  ],
  [
    'user and password',
    { kind: 'basic', user: 'me', password: '${secret:api}' },
    ({ headers }) => headers.authorization === basic,
    /\nAuthorization: Basic \*\*\*$/,
  ],
];

describe('REST source › authentication', () => {
  for (const [name, auth, accepts = () => false, shown] of logins) {
    it(`supports ${name}, and keeps it out of messages`, async () => {
      await withService(
        { accepts },
        () => ({ auth }),
        async (connector) => {
          assert.equal(await rows(connector), 25);
          const query = fileQuery('SELECT id FROM orders', ['orders']);
          const [step] = await connector.steps(query, { kind: 'import' });
          assert.match(step?.text ?? '', shown);
          assert.ok(!JSON.stringify(step).includes('hush'));
        },
      );
    });
  }

  it('gets an OAuth 2.0 token from another host', async () => {
    const simulator = await startSimulator({ incidents: 1 });
    const { clientId, clientSecret, tokens } = simulator.logins;
    const auth = {
      ...{ kind: 'oauth2', grant: 'client_credentials', clientId, clientSecret },
      tokenUrl: `${simulator.url}/oauth_token.do`,
    };
    const accepts: PagedServiceOptions['accepts'] = ({ headers }) =>
      tokens.has((headers.authorization ?? '').replace('Bearer ', ''));
    try {
      await withService(
        { accepts },
        () => ({ auth }),
        async (connector) => {
          assert.equal(await rows(connector), 25);
          tokens.clear();
          assert.equal(await rows(connector), 25, 'after 401 with another token');
        },
      );
    } finally {
      await simulator.close();
    }
  });

  it('sends credentials to the configured host only, even when the next page is elsewhere', async () => {
    const seen: unknown[] = [];
    const other = createServer((request, response) => {
      seen.push(request.url);
      response.end('[]');
    });
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const auth = { kind: 'apiKey', parameter: 'k', token: '${secret:api}' };
    const endpoints = [{ ...endpoint, path: '/by-link', records: 'items', pagination: { style: 'link' } }];
    try {
      await withService(
        { accepts: () => true },
        () => ({ auth, endpoints }),
        async (connector, service) => {
          await connector.describe({});
          const headers = { Link: `<http://127.0.0.1:${port}/next>; rel="next"` };
          const first = { status: 200, body: '{"items":[{"id":1}]}', headers };
          // The preview requests the columns first.
          service.failures.push(first, first);
          await assert.rejects(rows(connector), { code: 'source-failed', message: /leads to another host/ });
          assert.deepEqual(seen, []);
        },
      );
    } finally {
      other.close();
    }
  });
});

describe('REST source › clients of OAuth', () => {
  /** A token endpoint that takes a client in one way, and answers with a status. */
  const withTokens = async (
    { takes, status = 200 }: { readonly takes: 'basic' | 'body'; readonly status?: number },
    auth: object,
    use: (connector: Connector) => Promise<void>,
  ): Promise<void> => {
    const tokens = createServer((request, response) => {
      let text = '';
      request.on('data', (chunk: Buffer) => (text += chunk.toString()));
      request.on('end', () => {
        const form = new URLSearchParams(text);
        const given = {
          basic: request.headers.authorization === `Basic ${Buffer.from('my+client:hush+%26+key').toString('base64')}`,
          body: form.get('client_id') === 'my client' && form.get('client_secret') === 'hush & key',
        };
        const isGood = given[takes] && !given[takes === 'basic' ? 'body' : 'basic'];
        response.writeHead(isGood ? status : 401, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify(isGood ? { access_token: 'good' } : { error: 'invalid_client' }));
      });
    });
    await new Promise<void>((resolve) => tokens.listen(0, '127.0.0.1', resolve));
    const tokenUrl = `http://127.0.0.1:${(tokens.address() as AddressInfo).port}/token`;
    const login = { kind: 'oauth2', grant: 'client_credentials', clientId: 'my client', clientSecret: '${secret:api}' };
    try {
      await withService(
        { accepts: ({ headers }) => headers.authorization === 'Bearer good' },
        () => ({ auth: { ...login, tokenUrl, ...auth } }),
        use,
      );
    } finally {
      tokens.close();
    }
  };

  it('are sent in the form, or by HTTP Basic authentication', async () => {
    await withTokens({ takes: 'body' }, {}, async (connector) => assert.equal(await rows(connector), 25));
    await withTokens({ takes: 'basic' }, { clientAuthentication: 'basic' }, async (connector) =>
      assert.equal(await rows(connector), 25),
    );
  });

  it('get a token with the status 201, too', () =>
    withTokens({ takes: 'body', status: 201 }, {}, async (connector) => assert.equal(await rows(connector), 25)));

  for (const [takes, clientAuthentication] of [
    ['basic', 'body'],
    ['body', 'basic'],
  ] as const)
    it(`that are refused suggest the other way, ${takes}`, () =>
      withTokens({ takes }, { clientAuthentication }, async (connector) => {
        await assert.rejects(rows(connector), (error: SourceError) => {
          assert.equal(error.code, 'authentication-failed');
          assert.match(error.message, /invalid_client/);
          assert.match(
            error.details.remedy ?? '',
            new RegExp(`set clientAuthentication: ${takes}, also as quick fix at auth\\.`),
          );
          return true;
        });
      }));
});

describe('REST source › text of answers', () => {
  const answering = (body: Buffer, contentType: string, use: (connector: Connector) => Promise<void>): Promise<void> =>
    withService(
      { accepts: () => true },
      () => ({ endpoints: [{ name: 'orders', path: '/by-link', key: 'id', records: 'items' }] }),
      async (connector, { failures }) => {
        const answer = { status: 200, body, headers: { 'Content-Type': contentType } };
        failures.push(...Array<typeof answer>(20).fill(answer));
        await use(connector);
      },
    );
  const body = '{"items":[{"id":"M\u00fcnchen"}]}';

  for (const [charset, encoding] of [
    ['ISO-8859-1', 'latin1'],
    ['utf-8', 'utf8'],
    ['UTF-16LE', 'utf16le'],
  ] as const)
    it(`is decoded by its charset, ${charset}`, () =>
      answering(Buffer.from(body, encoding), `application/json; charset=${charset}`, async (connector) => {
        const preview = await connector.preview(fileQuery('SELECT id FROM orders', ['orders']), { limit: 100 });
        assert.deepEqual(preview.rows, [['München']]);
      }));

  it('is refused if it cannot be decoded, as different keys would become equal', () =>
    answering(Buffer.from(body, 'latin1'), 'application/json', async (connector) => {
      await assert.rejects(rows(connector), {
        code: 'source-failed',
        message: /sends bytes that are no text in UTF-8/,
        details: { remedy: 'Have the service send UTF-8, or name the charset in its header Content-Type.' },
      });
    }));

  for (const type of ['application/octet-stream', 'application/yaml', 'image/x-unknown', ''])
    it(`is refused with the content type "${type}", too`, () =>
      answering(Buffer.from(body, 'latin1'), type, async (connector) => {
        await assert.rejects(rows(connector), { message: /sends bytes that are no text in UTF-8/ });
      }));

  it('is a web page with the content type text/html, in whatever charset', () =>
    answering(Buffer.from('<html><title>Anmeldung für München', 'latin1'), 'Text/HTML', async (connector) => {
      await assert.rejects(rows(connector), { message: /with a web page instead of JSON/ });
    }));

  it('is refused in an unknown charset', () =>
    answering(Buffer.from(body), 'application/json; charset=klingon', async (connector) => {
      await assert.rejects(rows(connector), { message: /in the charset "klingon", which is not known/ });
    }));
});

describe('REST source › retries and limits', () => {
  const open: PagedServiceOptions = { accepts: () => true };

  it('waits as long as Retry-After says', async () => {
    await withService(
      open,
      () => ({}),
      async (connector, service) => {
        service.failures.push({ status: 429, headers: { 'Retry-After': '1' } });
        const started = performance.now();
        await connector.describe({});
        assert.ok(performance.now() - started >= 1000);
      },
    );
  });

  it('waits for a rate limit reset header up to a limit', async () => {
    const inSeconds = (seconds: number): string => String(Math.ceil(Date.now() / 1000) + seconds);
    await withService(
      open,
      () => ({}),
      async (connector, { failures }) => {
        for (const [status, headersNow] of [
          [429, () => ({ 'X-RateLimit-Reset': inSeconds(1) })],
          [403, () => ({ 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inSeconds(1) })],
          [429, () => ({ 'RateLimit-Reset': '1' })],
          [429, () => ({ RateLimit: '"default";r=0;t=1' })],
          [403, () => ({ 'Retry-After': '1.0' })],
          [429, () => ({ 'X-RateLimit-Reset': String(Date.now() + 1000) })],
        ] as const) {
          const headers: Record<string, string> = headersNow();
          failures.push({ status, headers });
          const started = performance.now();
          await connector.describe({});
          assert.ok(performance.now() - started >= 900, `${status} ${JSON.stringify(headers)}`);
        }
        failures.push({ status: 403, headers: { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset': inSeconds(1790) } });
        await assert.rejects(connector.describe({}), (error) => {
          assert.match(String(error), /limits how often it may be called \(status 403\)/);
          assert.match((error as SourceError).details.remedy ?? '', /again in 30 minutes/);
          return true;
        });
        // Without any sign of a rate limit it is a refusal.
        failures.push({ status: 403, headers: { 'X-RateLimit-Remaining': '5' } });
        await assert.rejects(connector.describe({}), { code: 'permission-denied' });
      },
    );
  });

  it('aborts a request after timeouts.request', async () => {
    await withService(
      open,
      () => ({ timeouts: { request: '150ms' } }),
      async (connector, service) => {
        service.failures.push({ status: 0 });
        await assert.rejects(connector.describe({}), {
          code: 'statement-timeout',
          message: 'The service did not answer within 0.15 s.',
        });
        assert.equal((await connector.describe({})).objects.length, 1);
      },
    );
  });

  it('sends no more requests than requestBudget allows', async () => {
    await withService(
      open,
      () => ({ requestBudget: 3 }),
      async (connector, service) => {
        await assert.rejects(rows(connector), { code: 'source-failed', message: /more often than the 3 times/ });
        assert.equal(service.requests.length, 3);
      },
    );
  });

  it('follows cursors that are complete URLs', async () => {
    const endpoints = [
      { name: 'orders', path: '/by-address', records: 'items', pagination: { style: 'cursor', next: 'links.next' } },
    ];
    await withService(
      open,
      () => ({ endpoints }),
      async (connector, service) => {
        assert.equal(await rows(connector), 25);
        assert.deepEqual(service.requests.slice(-2), ['/v1/by-address?start=10', '/v1/by-address?start=20']);
      },
    );
  });

  it('rejects a key that is sent twice', async () => {
    const auth = { kind: 'apiKey', header: 'X-Key', parameter: 'k', token: 'x' };
    await assert.rejects(
      withService(
        open,
        () => ({ auth }),
        async () => undefined,
      ),
      { code: 'source-config', message: /auth\.parameter must be without auth\.header/ },
    );
  });
});
