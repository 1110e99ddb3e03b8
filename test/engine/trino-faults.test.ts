import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSourceError } from '../../server/src/connectors/source-error.ts';
import { trinoConnector, trinoQuery } from '../support/trino-source.ts';

/** What a coordinator answers to one request: a status and a body. */
type Reply = (request: IncomingMessage, address: string) => readonly [status: number, body: object | string];

/** Faults that a real coordinator cannot be made to show at a given moment. Its other answers are those of Trino 476. */
describe('the statement protocol of Trino under faults', () => {
  let server: Server;
  let replies: Reply[];
  let requests: string[];
  let address: string;

  before(async () => {
    server = createServer((request: IncomingMessage, response: ServerResponse) => {
      requests.push(`${request.method} ${request.url}`);
      request.resume();
      const reply = request.method === 'DELETE' ? (): ReturnType<Reply> => [204, ''] : replies.shift();
      const [status, body] = reply?.(request, address) ?? [404, 'Query not found'];
      response.writeHead(status, { 'Retry-After': '0' });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  beforeEach(() => {
    [replies, requests] = [[], []];
  });
  after(() => server.close());

  const columns = [{ name: 'a', type: 'integer', typeSignature: { rawType: 'integer', arguments: [] } }];
  const queued: Reply = (_, at) => [200, { id: 'q', nextUri: `${at}/v1/statement/queued/q/s/1`, stats: {} }];
  const page =
    (number: number, data: readonly unknown[]): Reply =>
    (_, at) => [200, { id: 'q', nextUri: `${at}/v1/statement/executing/q/s/${number}`, columns, data, stats: {} }];
  const last: Reply = () => [200, { id: 'q', columns, stats: {} }];
  const described = [queued, last];

  async function preview(limit = 10): Promise<unknown> {
    const { port } = server.address() as AddressInfo;
    const connector = await trinoConnector({ host: '127.0.0.1', port }, 'default');
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

  it('tells that the statement is gone after a restart of the coordinator', async () => {
    replies = [...described, queued];
    assert.match(String(await preview()), /^connection-lost: .* knows nothing of the statement any more\.$/);
  });

  it('tells that a token has expired between two pages', async () => {
    replies = [...described, queued, page(1, [[1]]), () => [401, 'Token expired']];
    assert.match(String(await preview()), /^authentication-failed: .* refuses the login: Token expired$/);
    assert.equal(requests.at(-1), 'DELETE /v1/statement/executing/q/s/1');
  });

  it('ends the statement when a preview has enough', async () => {
    replies = [...described, queued, page(1, [[1], [2], [3]]), page(2, [[4]])];
    assert.deepEqual(await preview(2), [[1], [2]]);
    assert.match(requests.at(-1) ?? '', /^DELETE \/v1\/statement\/executing\/q\/s\/1$/);
  });

  it('tells that another server answers, or that it leads elsewhere', async () => {
    replies = [() => [200, '<html>Welcome</html>']];
    assert.match(String(await preview()), /^source-unreachable: What answers at .* is no Trino coordinator\.$/);
    replies = [() => [200, { greeting: 'hello' }]];
    assert.match(String(await preview()), /is no Trino coordinator/);
    replies = [() => [307, '']];
    assert.match(String(await preview()), /redirects to nowhere/);
  });

  it('tells a lost worker from an error of the SQL', async () => {
    const error = { message: 'Node gone', errorName: 'REMOTE_HOST_GONE', errorType: 'INTERNAL_ERROR' };
    replies = [...described, queued, () => [200, { id: 'q', error }]];
    assert.match(String(await preview()), /^source-failed: A worker of the cluster was lost: Node gone/);
  });

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
});
