import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { openHttpClient } from '../../server/src/connectors/http/open-client.ts';
import { createServiceNowClient } from '../../server/src/connectors/servicenow/api/client.ts';
import { startSimulator, type Simulator } from '../simulator/simulator.ts';
import { makeCertificates, type TestCertificates } from '../support/certificates.ts';
import { startProxy, type ProxyOptions, type ProxyServer } from '../support/proxy-server.ts';
import { elementQuery, loaded, withCatalog } from '../support/servicenow-queries.ts';
import { quickRetries, withInstance } from '../support/servicenow-source.ts';
import { fileQuery } from '../support/csv-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ConnectionSettings } from '../../server/src/connectors/http/client-settings.ts';

const few = { incidents: 5 };

describe('HTTP proxies and certificates', () => {
  let folder = '';
  let certificates: TestCertificates;
  let simulator: Simulator;
  before(async function () {
    this.timeout(600_000);
    folder = await folderWith({});
    certificates = makeCertificates(folder, 'localhost');
    const ca = readFileSync(certificates.authority, 'utf8');
    const { certificate: cert, key } = certificates;
    simulator = await startSimulator({ ...few, tls: { cert, key, ca, users: {} } });
  });
  after(async () => {
    await simulator.close();
    await removeFolder(folder);
  });

  async function count(
    settings: Partial<ConnectionSettings>,
    trust: Pick<ConnectionSettings, 'ca'> = { ca: certificates.authority },
  ): Promise<number> {
    const { user, password } = simulator.logins;
    const http = await openHttpClient({
      baseUrl: new URL(simulator.url),
      peer: 'The instance',
      auth: { kind: 'basic', user, password },
      ...trust,
      connections: 2,
      connectTimeoutMs: 3000,
      requestTimeoutMs: 5000,
      retryPolicy: quickRetries,
      onSecret: () => undefined,
      ...settings,
    });
    const client = createServiceNowClient(http, { retryPolicy: quickRetries });
    const both = Promise.all([client.aggregates.count('incident', ''), client.aggregates.count('incident', '')]);
    return both.then(([first]) => first ?? 0).finally(() => client.close());
  }

  async function withProxy(options: ProxyOptions, use: (proxy: ProxyServer) => Promise<void>): Promise<void> {
    const proxy = await startProxy(options);
    await use(proxy).finally(() => proxy.close());
  }

  it('TLS requests are tunnelled through the proxy, which cannot read them', async () => {
    await withProxy({}, async ({ url, asked }) => {
      assert.equal(await count({ proxy: url }), 5);
      assert.deepEqual(new Set(asked), new Set([`CONNECT ${new URL(simulator.url).host}`]));
    });
  });

  it('proxy login is sent, and its rejection reported', async () => {
    await withProxy({ login: 'me:geheim' }, async ({ url }) => {
      assert.equal(await count({ proxy: url }), 5);
      const { host } = new URL(url);
      await assert.rejects(count({ proxy: `http://me:wrong-secret@${host}` }), (error: Error) => {
        assert.equal(error.message, `The proxy ${host} wants a login.`);
        return true;
      });
    });
  });

  it('the proxy certificate is checked on request, the server certificate always', async () => {
    const { certificate, key } = certificates;
    await withProxy({ tls: { cert: certificate, key } }, async ({ url }) => {
      const { host } = new URL(url);
      await assert.rejects(count({ proxy: url }), {
        code: 'tls-failed',
        message: `The TLS connection to the proxy ${host} failed: unable to verify the first certificate.`,
      });
    });
    await withProxy({}, async ({ url }) => {
      await assert.rejects(count({ proxy: url }, {}), { code: 'tls-failed' });
    });
  });

  it('a proxy that ends the connection during the TLS handshake is reported', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined).once('data', () => socket.end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      await assert.rejects(count({ proxy: `https://127.0.0.1:${port}` }), {
        code: 'source-unreachable',
        message: `The proxy 127.0.0.1:${port} ended the connection before it answered.`,
      });
    } finally {
      server.close();
    }
  });

  it('an unreachable proxy is reported', async () => {
    const proxy = await startProxy();
    await proxy.close();
    const { host } = new URL(proxy.url);
    const expected = {
      code: 'source-unreachable',
      message: `The proxy ${host} cannot be reached: nothing accepts connections there.`,
    };
    await assert.rejects(count({ proxy: proxy.url }), expected);
    await assert.rejects(count({ proxy: proxy.url, baseUrl: new URL('http://127.0.0.1:9') }), expected);
  });

  it('proxies are reported without their credentials', async () => {
    const settings = { proxy: 'http://me:geheim@proxy.example:3128' };
    await withInstance({ ...few, settings }, async ({ address }) => assert.equal(address?.proxy, 'proxy.example:3128'));
    await withInstance(few, async ({ address }) => assert.equal(address?.proxy, undefined));
  });

  it('the certificate of a server addressed by IP is checked, also behind a proxy', async () => {
    const byAddress = new URL(simulator.url.replace('localhost', '127.0.0.1'));
    const own = await folderWith({});
    const { authority, certificate: cert, key } = makeCertificates(own, '127.0.0.1');
    const ca = readFileSync(authority, 'utf8');
    const addressed = await startSimulator({ ...few, tls: { cert, key, ca, users: {} } });
    try {
      await withProxy({}, async ({ url: proxy }) => {
        for (const settings of [{ proxy }, {}]) {
          const baseUrl = new URL(addressed.url.replace('localhost', '127.0.0.1'));
          assert.equal(await count({ ...settings, baseUrl }, { ca: authority }), 5);
          // The certificate is for localhost, not for 127.0.0.1.
          await assert.rejects(count({ ...settings, baseUrl: byAddress }), {
            code: 'tls-failed',
            message: /127\.0\.0\.1/,
          });
          await assert.rejects(count({ ...settings, baseUrl: new URL(addressed.url) }, { ca: authority }), {
            code: 'tls-failed',
            message: /localhost/,
          });
        }
      });
    } finally {
      await addressed.close();
      await removeFolder(own);
    }
  });

  it('a TLS failure names the host and no other part of the request', async () => {
    await assert.rejects(count({}, {}), (error: Error) => {
      assert.equal(
        error.message,
        `The TLS connection to ${new URL(simulator.url).host} failed: self-signed certificate in certificate chain.`,
      );
      return true;
    });
  });

  it('a plain-HTTP response of the proxy is distinguished from one of the data source', async () => {
    const plain = await startSimulator(few);
    const baseUrl = new URL(plain.url);
    try {
      await sayWhoRefuses(baseUrl);
    } finally {
      await plain.close();
    }
  });

  async function sayWhoRefuses(baseUrl: URL): Promise<void> {
    await withProxy({ login: 'me:geheim' }, async ({ url }) => {
      assert.equal(await count({ baseUrl, proxy: url }), 5);
      const { host } = new URL(url);
      await assert.rejects(count({ baseUrl, proxy: `http://me:wrong-secret@${host}` }), {
        code: 'authentication-failed',
        message: `The proxy ${host} wants a login.`,
      });
    });
    const refusals = [
      [403, { 'X-Squid-Error': 'ERR_ACCESS_DENIED 0' }],
      [502, { 'Proxy-Status': 'squid; error=connection_refused' }],
      [503, { 'X-Squid-Error': 'ERR_CONNECT_FAIL 111' }],
    ] as const;
    for (const [status, headers] of refusals) {
      await withProxy({ refuse: { status, headers } }, async ({ url, asked }) => {
        const { host } = new URL(url);
        await assert.rejects(count({ baseUrl, proxy: url }), {
          code: 'source-unreachable',
          message: `The proxy ${host} does not connect to the data source (status ${status}).`,
        });
        // Requests that failed temporarily are retried.
        assert.equal(asked.length > 2, status !== 403);
      });
    }
  }

  it('plain requests are forwarded to the proxy', async () => {
    const plain = await startSimulator(few);
    await withProxy({}, async ({ url, asked }) => {
      assert.equal(await count({ baseUrl: new URL(plain.url), proxy: url }), 5);
      assert.match(asked[0] ?? '', /^GET http:\/\/127\.0\.0\.1:\d+\/api\/now\/stats\/incident/);
    });
    await plain.close();
  });
});

/** Some requests are still in flight when the one over the budget is refused. */
async function requestsArrived({ requests }: Simulator, count: number): Promise<void> {
  await waitUntil('all requests have arrived', async () => (requests.length >= count ? true : undefined));
}

describe('HTTP rate limits', () => {
  it('the delay between requests is kept across concurrent requests', async () => {
    const starts: number[] = [];
    await withInstance(
      { incidents: 200, settings: { requestDelay: '25ms', pageSize: 10 } },
      async (connector, instance) => {
        instance.onRequest = () => void starts.push(performance.now());
        await connector.preview(fileQuery('SELECT count(*) AS n FROM incident', ['incident']), { limit: 5 });
      },
    );
    const gaps = starts.slice(1).map((start, index) => start - (starts[index] ?? 0));
    assert.ok(starts.length > 20);
    // Arrival times on a busy machine vary; their sum does not.
    const whole = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
    assert.ok(whole >= (starts.length - 1) * 25 - 100, `${gaps.join(' ')}`);
  });

  it('the request budget includes retries', async () => {
    await withInstance(
      { incidents: 300, settings: { requestBudget: 8, pageSize: 10 } },
      async (connector, instance) => {
        instance.failNext({ kind: 'semaphore' }, { times: 2, on: ({ path }) => path.endsWith('/table/incident') });
        await assert.rejects(
          connector.preview(fileQuery('SELECT count(*) AS n FROM incident', ['incident']), { limit: 5 }),
          { code: 'source-failed', message: /more often than the 8 times that requestBudget allows/ },
        );
        await requestsArrived(instance, 8);
        assert.equal(instance.requests.length, 8);
      },
    );
  });

  /** Pages of 300 records, in key ranges, four at a time. */
  const parallel = { incidents: 300, latency: 40, settings: { pageSize: 5, concurrency: 4 } };

  it('the delay is kept across concurrently read key ranges', async () => {
    const delay = 15;
    const settings = { ...parallel.settings, requestDelay: `${delay}ms` };
    await withCatalog({ ...parallel, settings }, async (connector, catalog, instance) => {
      const starts: number[] = [];
      instance.onRequest = () => void starts.push(performance.now());
      instance.load.most = 0;
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.equal(found?.rows.length, 300);
      assert.ok(starts.length > 60 && instance.load.most > 1, `${starts.length}, ${instance.load.most} at once`);
      assert.ok(instance.load.most <= 4);
      const whole = (starts.at(-1) ?? 0) - (starts[0] ?? 0);
      assert.ok(whole >= (starts.length - 1) * delay - 100, `${starts.length} requests in ${whole} ms`);
    });
  });

  it('the request budget is kept across concurrently read key ranges', async () => {
    const requestBudget = 60;
    const settings = { ...parallel.settings, requestBudget };
    await withCatalog({ ...parallel, settings }, async (connector, catalog, instance) => {
      instance.load.most = 0;
      instance.failNext({ kind: 'semaphore' }, { times: 5, on: ({ path }) => path.endsWith('/table/incident') });
      await assert.rejects(loaded(connector, [elementQuery(catalog)]), {
        code: 'source-failed',
        message: /more often than the 60 times that requestBudget allows/,
      });
      assert.ok(instance.load.most > 1);
      await requestsArrived(instance, requestBudget);
      assert.equal(instance.requests.length, requestBudget);
    });
  });
});
