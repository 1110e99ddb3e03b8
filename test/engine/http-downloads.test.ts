import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as after } from 'node:timers/promises';
import type { HttpClient } from '../../server/src/connectors/http/http-client.ts';
import { openHttpClient } from '../../server/src/connectors/http/open-client.ts';
import { quickRetries } from '../support/servicenow-source.ts';

interface Download {
  readonly client: HttpClient;
  readonly url: URL;
  /** Resolves when the server side of the connection is closed. */
  readonly closed: Promise<unknown>;
}

/** Passes a client of a server that responds with the output of `send` to `use`. */
async function withServer<T>(
  requestTimeoutMs: number,
  send: (response: ServerResponse) => void,
  use: (download: Download) => Promise<T>,
): Promise<T> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/octet-stream' });
    send(response);
  });
  const closed = once(server, 'connection').then(([socket]) => once(socket as Readable, 'close'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const client = await openHttpClient({
    baseUrl: url,
    peer: 'The service',
    auth: { kind: 'none' },
    connections: 1,
    connectTimeoutMs: 2000,
    requestTimeoutMs,
    retryPolicy: quickRetries,
    onSecret: () => undefined,
  });
  try {
    return await use({ client, url, closed });
  } finally {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

async function bodyOf({ client, url }: Download, signal?: AbortSignal): Promise<NodeJS.ReadableStream> {
  const answer = await client.open({ method: 'GET', url, signal });
  assert.ok('body' in answer);
  return answer.body;
}

const large = Buffer.alloc(8 * 1024 * 1024, 'x');

describe('HTTP downloads', () => {
  it('a stalled download fails and closes its connection', async () => {
    await withServer(
      1500,
      (response) => response.write('the beginning'),
      async (download) => {
        await assert.rejects(buffer(await bodyOf(download)), {
          code: 'connection-lost',
          message: 'The service stopped sending: nothing came for 1.5 s.',
        });
        await download.closed;
      },
    );
  });

  it('may exceed the request timeout while data keeps arriving', async () => {
    const trickle = async (response: ServerResponse): Promise<void> => {
      for (let piece = 0; piece < 12; piece += 1) {
        response.write(`${piece},`);
        await after(100);
      }
      response.end();
    };
    await withServer(
      1000,
      (response) => void trickle(response),
      async (download) => {
        assert.equal((await buffer(await bodyOf(download))).toString(), '0,1,2,3,4,5,6,7,8,9,10,11,');
      },
    );
  });

  it('may be consumed slowly', async () => {
    await withServer(
      2_000,
      (response) => response.end(large),
      async (download) => {
        let size = 0;
        for await (const piece of await bodyOf(download)) {
          // Longer than the time limit of the other side.
          if (size === 0) await after(3_000);
          size += piece.length;
        }
        assert.equal(size, large.length);
      },
    );
  });

  it('stop on cancellation and close the connection', async () => {
    await withServer(
      60_000,
      (response) => response.write('the beginning'),
      async (download) => {
        const controller = new AbortController();
        const reason = new Error('stopped by the user');
        const body = await bodyOf(download, controller.signal);
        await assert.rejects(async () => {
          for await (const piece of body) {
            assert.equal(piece.toString(), 'the beginning');
            controller.abort(reason);
          }
        }, reason);
        await download.closed;
      },
    );
  });

  it('close the connection when the reader stops', async () => {
    await withServer(
      60_000,
      (response) => response.write('the beginning'),
      async (download) => {
        const body = (await bodyOf(download)) as Readable;
        body.resume();
        await once(body, 'data');
        body.destroy();
        await download.closed;
      },
    );
  });

  it('report a lost connection', async () => {
    const send = (response: ServerResponse): void => {
      response.write('the beginning', () => response.destroy());
    };
    await withServer(5000, send, async (download) => {
      await assert.rejects(buffer(await bodyOf(download)), {
        code: 'connection-lost',
        message: /^The connection to .* was lost before the answer was complete\.$/,
      });
    });
  });
});
