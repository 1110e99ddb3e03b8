import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mock } from 'node:test';
import { fixedAuthorizer } from '../../server/src/connectors/http/authorizer.ts';
import { createHttpClient } from '../../server/src/connectors/http/http-client.ts';
import { defaultRetryPolicy } from '../../server/src/connectors/http/with-retries.ts';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { runStatement } from '../../server/src/connectors/trino/statement-client.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { trinoConnector, trinoQuery } from '../support/trino-source.ts';
import { waitUntil } from '../support/wait-until.ts';

/** What a coordinator answers to one request: a status and a body. */
type Reply = (
  request: IncomingMessage,
  address: string,
) => readonly [status: number, body: object | string, headers?: Readonly<Record<string, string>>];

/** Faults that a real coordinator cannot be made to show at a given moment. Its other answers are those of Trino 476. */
describe('the statement protocol of Trino under faults', () => {
  let server: Server;
  let replies: (Reply | 'never')[];
  let requests: string[];
  let statements: string[];
  let address: string;

  before(async () => {
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url}`);
      request.on('data', (sql: Buffer) => statements.push(sql.toString()));
      const reply = request.method === 'DELETE' ? (): ReturnType<Reply> => [204, ''] : replies.shift();
      if (reply === 'never') return;
      const [status, body, headers] = reply?.(request, address) ?? [404, 'Query not found'];
      response.writeHead(status, { 'Retry-After': '0', ...headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    [replies, requests, statements] = [[], [], []];
  });
  after(() => server.close());

  const columns = [{ name: 'a', type: 'integer', typeSignature: { rawType: 'integer', arguments: [] } }];
  const queued: Reply = (_, at) => [200, { id: 'q', nextUri: `${at}/v1/statement/queued/q/s/1`, stats: {} }];
  const page =
    (number: number, data: readonly unknown[]): Reply =>
    (_, at) => [200, { id: 'q', nextUri: `${at}/v1/statement/executing/q/s/${number}`, columns, data, stats: {} }];
  const last: Reply = () => [200, { id: 'q', columns, stats: {} }];
  const described = [queued, last];

  function connect(options: Parameters<typeof trinoConnector>[2] = {}): ReturnType<typeof trinoConnector> {
    const { port } = server.address() as AddressInfo;
    return trinoConnector({ host: '127.0.0.1', port }, 'default', options);
  }

  async function preview(limit = 10, options: Parameters<typeof trinoConnector>[2] = {}): Promise<unknown> {
    const connector = await connect(options);
    try {
      const { rows } = await connector.preview(trinoQuery('SELECT 1 AS a'), { limit });
      return rows;
    } catch (error) {
      assert.ok(isSourceError(error), String(error));
      return `${error.code}: ${error.message}`;
    } finally {
      await connector.close();
    }
  }

  it('asks again after 503, 502 and 429, for the statement and for a page', async () => {
    const busy =
      (status: number): Reply =>
      () => [status, 'busy'];
    replies = [busy(503), ...described, queued, busy(502), busy(429), page(2, [[1]]), busy(504), last];
    assert.deepEqual(await preview(), [[1]]);
  });

  it('follows the path of the next page, at the configured host only', async () => {
    const elsewhere: Reply = () => [
      200,
      { id: 'q', nextUri: 'https://other.example:9/v1/statement/executing/q/s/1?slug=x', columns, data: [[1]] },
    ];
    replies = [...described, elsewhere, last];
    assert.deepEqual(await preview(), [[1]]);
    assert.equal(requests.at(-1), 'GET /v1/statement/executing/q/s/1?slug=x');
  });

  it('reports a lost statement after a restart of the coordinator', async () => {
    replies = [...described, queued];
    assert.match(String(await preview()), /^connection-lost: .* knows nothing of the statement any more\.$/);
  });

  it('reports a token that expired between two pages', async () => {
    replies = [...described, queued, page(1, [[1]]), () => [401, 'Token expired']];
    assert.match(String(await preview()), /^authentication-failed: .* refuses the login: Token expired$/);
    assert.equal(requests.at(-1), 'DELETE /v1/statement/executing/q/s/1');
  });

  it('ends the statement when a preview has enough', async () => {
    replies = [...described, queued, page(1, [[1], [2], [3]]), page(2, [[4]])];
    assert.deepEqual(await preview(2), [[1], [2]]);
    assert.match(requests.at(-1) ?? '', /^DELETE \/v1\/statement\/executing\/q\/s\/1$/);
  });

  it('requests at most one page in advance, so the cluster waits for a slow reader', async () => {
    const [agent, authorizer] = [new Agent(), fixedAuthorizer({})];
    const client = { baseUrl: new URL(address), peer: 'Trino', authorizer, agent, requestTimeoutMs: 60_000 };
    replies = [queued, page(1, [[1]]), page(2, [[2]]), page(3, [[3]]), last];
    const pages = runStatement(createHttpClient(client), 'SELECT 1 AS a', {
      ...{ headers: {}, retryPolicy: defaultRetryPolicy, redact: (text) => text },
      failure: ({ message }) => new Error(message),
    });
    for (const number of [1, 2, 3]) {
      const { value } = await pages.next();
      assert.deepEqual(value?.rows, [[number]]);
      const ahead = `GET /v1/statement/executing/q/s/${number}`;
      await waitUntil('the next page is asked for', async () => requests.at(-1) === ahead || undefined);
      // Whatever else was on its way would be there after another answer.
      await (await fetch(`${address}/other`, { method: 'DELETE' })).text();
      assert.equal(requests.pop(), 'DELETE /other');
      assert.deepEqual([requests.length, requests.at(-1)], [number + 2, ahead]);
    }
    // The last answer tells columns and has no rows.
    assert.deepEqual((await pages.next()).value?.rows, []);
    assert.equal((await pages.next()).done, true);
    agent.destroy();
  });

  it('reports another server, or a redirect', async () => {
    replies = [() => [200, '<html>Welcome</html>']];
    assert.match(String(await preview()), /^source-failed: What answers at .* is no Trino coordinator\.$/);
    replies = [() => [200, { greeting: 'hello' }]];
    assert.match(String(await preview()), /is no Trino coordinator/);
    replies = [() => [307, '']];
    assert.match(String(await preview()), /^source-failed: .* redirects to nowhere/);
    for (const status of [404, 405, 410]) {
      replies = [() => [status, 'Not found']];
      assert.match(String(await preview()), /^source-failed: What answers at .* is no Trino coordinator\.$/);
    }
    replies = [() => [200, { id: 'q', nextUri: 'http://[' }]];
    assert.match(String(await preview()), /^source-failed: What answers at .* is no Trino coordinator\.$/);
  });

  it('distinguishes a lost worker from an SQL error', async () => {
    const error = { message: 'Node gone', errorName: 'REMOTE_HOST_GONE', errorType: 'INTERNAL_ERROR' };
    replies = [...described, queued, () => [200, { id: 'q', error }]];
    assert.match(String(await preview()), /^source-failed: A worker of the cluster was lost: Node gone/);
  });

  const tooLarge = [
    {
      errorName: 'QUERY_HAS_TOO_MANY_STAGES',
      message:
        'Number of stages in the query (151) exceeds the allowed maximum (150). If the query contains WITH clauses that are referenced more than once, please create temporary table(s) for the queries in those clauses. ',
      said: 'Number of stages in the query (151) exceeds the allowed maximum (150).',
      limit: /query_max_stage_count/,
    },
    {
      errorName: 'QUERY_TEXT_TOO_LARGE',
      message: 'Query text length (1000001) exceeds the maximum length (1000000)',
      said: 'Query text length (1000001) exceeds the maximum length (1000000)',
      limit: /query\.max-length/,
    },
  ];
  for (const { errorName, message, said, limit } of tooLarge) {
    it(`names limit and embedded engine where a statement is too large for the cluster: ${errorName}`, async () => {
      const error = { message, errorName, errorType: 'USER_ERROR' };
      replies = [() => [200, { id: 'q', error }]];
      const connector = await connect();
      try {
        await assert.rejects(connector.preview(trinoQuery('SELECT 1 AS a'), { limit: 1 }), (failure) => {
          assert.ok(isSourceError(failure), String(failure));
          assert.equal(failure.code, 'statement-too-large');
          assert.ok(failure.message.startsWith(`The statement is too large for the cluster: ${said} (`));
          assert.match(failure.details.remedy ?? '', limit);
          assert.match(failure.details.remedy ?? '', /engine: embedded/);
          return true;
        });
      } finally {
        await connector.close();
      }
    });
  }

  it('gives all digits of integers within rows that the server cannot convert to JSON', async () => {
    const type = 'row(id bigint, blobs array(varbinary), n double, more map(varchar, bigint))';
    const head = `{"id":"q","columns":[{"name":"a","type":"${type}"}]`;
    const row = '[9007199254740993,["AQ==","1234567890123456789"],1.0E20,{"k\\"":-9223372036854775808,"z":null}]';
    replies = [() => [200, `${head}}`], () => [200, `${head},"data":[[${row}]]}`]];
    assert.deepEqual(await preview(), [
      [
        '{"id":9007199254740993,"blobs":["AQ==","1234567890123456789"],"n":100000000000000000000,"more":{"k\\"":-9223372036854775808,"z":null}}',
      ],
    ]);
  });

  it('asks the configured host for a path that begins like a host', async () => {
    replies = [() => [200, { id: 'q', nextUri: `${address}//other.example/x` }], last, ...described];
    assert.deepEqual(await preview(), []);
    assert.equal(requests[1], 'GET //other.example/x');
  });

  it('redacts secrets that the server repeats', async () => {
    const options = {
      secrets: { token: 's3cretTok' },
      settings: { auth: { kind: 'bearer', token: '${secret:token}' } },
    };
    for (const status of [400, 401, 403, 500]) {
      replies = [() => [status, `Invalid token s3cretTok of ann`]];
      assert.match(String(await preview(10, options)), /: Invalid token \*\*\* of ann$/);
    }
    replies = [() => [500, 'Access Denied: s3cretTok']];
    assert.equal(await preview(10, options), 'permission-denied: Trino refuses the session: Access Denied: ***');
  });

  it('shows queries without the secrets of session properties', async () => {
    const connector = await connect({
      secrets: { key: 'hunter2secret' },
      settings: { sessionProperties: { 'lake.key': '${secret:key}', 'lake.size': '2' } },
    });
    try {
      for (const purpose of [{ kind: 'preview', limit: 5 }, { kind: 'import' }] as const) {
        replies = [...described];
        const steps = (await connector.steps?.(trinoQuery('SELECT 1 AS a'), purpose)) ?? [];
        const texts = steps.map((step) => (step.kind === 'sql' ? step.text : '')).join('\n');
        assert.doesNotMatch(texts, /hunter2secret/);
        assert.match(texts, /SET SESSION lake\.key = '\*\*\*';\nSET SESSION lake\.size = '2';/);
      }
    } finally {
      await connector.close();
    }
  });

  it('begins no import without a transaction', async () => {
    const connector = await connect();
    replies = [queued, () => [200, { id: 'q', stats: {} }]];
    await withBuildDatabase((staging) =>
      assert.rejects(connector.openPull(staging, {}), /did not say which transaction it began/),
    );
    await connector.close();
  });

  it('closes an import while the statement that keeps its transaction is not answered', async () => {
    const connector = await connect();
    replies = [() => [200, { id: 'q', stats: {} }, { 'X-Trino-Started-Transaction-Id': 'tx' }]];
    await withBuildDatabase(async (staging) => {
      mock.timers.enable({ apis: ['setInterval'] });
      const pull = await connector.openPull(staging, {}).finally(() => {
        replies = ['never'];
        mock.timers.tick(60_000);
        mock.timers.reset();
      });
      await waitUntil('the transaction is kept', async () => requests.length === 2 || undefined);
      await pull.close();
    });
    assert.deepEqual(statements, ['START TRANSACTION READ ONLY', 'SELECT 1', 'ROLLBACK']);
    await connector.close();
  });

  const wrongSettings: readonly (readonly [settings: Readonly<Record<string, unknown>>, message: RegExp])[] = [
    [{ host: 'trino.example.com:8443' }, /host must be a name or an address, .*; the port is set by port\./],
    [{ user: 'ann\r\nX-Trino-User: root' }, /user must be without line breaks/],
    [{ schemas: ['a\nb'] }, /schemas must be without line breaks/],
    [{ catalog: 'a\nb' }, /catalog must be without line breaks/],
    [{ sessionProperties: { 'a\nb': 'x' } }, /sessionProperties must be names of/],
    [{ sessionProperties: { 'a=1,b': 'x' } }, /sessionProperties must be names of/],
    [{ role: { 'a=b,c': 'x' } }, /role must be a role, or a role for each catalog/],
    [{ catalogs: ['lake'] }, /catalogs must be without lake, of which schemas names the schemas/],
  ];
  for (const [settings, message] of wrongSettings) {
    it(`refuses ${JSON.stringify(settings)}`, () =>
      assert.rejects(connect({ settings }), { code: 'source-config', message }));
  }

  it('takes an IPv6 address as host', async () => {
    const connector = await connect({ settings: { host: '::1' } });
    assert.equal(connector.address?.host, '::1');
    await connector.close();
  });

  it('reads schemas of the catalog that catalogs names', async () => {
    const connector = await connect({ settings: { schemas: ['shop'], catalogs: ['lake.stock'] } });
    replies = Array.from({ length: 4 }, () => (): ReturnType<Reply> => [200, { id: 'q', columns, stats: {} }]);
    const { warnings } = await connector.describe({});
    await connector.close();
    assert.deepEqual(
      warnings.map((warning) => /^Schema (\w+) /.exec(warning)?.[1]),
      ['shop', 'stock'],
    );
  });
});
