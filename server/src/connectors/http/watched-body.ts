import { Readable } from 'node:stream';
import { SourceError } from '../source-error.ts';

interface WatchedBodyOptions {
  readonly peer: string;
  /** Stall timeout of the body in milliseconds. */
  readonly idleTimeoutMs: number;
  /** Explains an error of the body. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * A response body without a total timeout: it fails when no data arrives for a while. A slow reader does not count as a
 * stall. Closing it early closes the connection.
 */
export function watchedBody(body: NodeJS.ReadableStream, options: WatchedBodyOptions): Readable {
  const { peer, idleTimeoutMs, explain } = options;
  const source = body as Readable;
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new Readable({
    read() {
      // The timer runs only while a read waits for the server.
      const timer = setTimeout(() => source.destroy(stopped(peer, idleTimeoutMs)), idleTimeoutMs);
      pieces
        .next()
        .finally(() => clearTimeout(timer))
        .then(
          ({ done, value }) => this.push(done ? null : value),
          (error: unknown) => this.destroy(explain(error) as Error),
        );
    },
    destroy(error, done) {
      source.destroy();
      done(error);
    },
  });
}

function stopped(peer: string, milliseconds: number): SourceError {
  return new SourceError('connection-lost', `${peer} stopped sending: nothing came for ${milliseconds / 1000} s.`, {
    remedy: 'Check the network, then try again, or set a longer timeouts.request.',
  });
}
