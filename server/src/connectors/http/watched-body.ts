import { Readable } from 'node:stream';
import { SourceError } from '../source-error.ts';

export interface WatchedBodyOptions {
  readonly peer: string;
  /** Milliseconds without a byte after which the body is given up. */
  readonly idleTimeoutMs: number;
  /** What an error of the body means. */
  readonly explain: (error: unknown) => unknown;
}

/**
 * The body of an answer that may take as long as it wants as long as it goes on: one that stops coming ends with an error.
 * Whoever reads it slowly is not counted as the other side. Closing it early closes the connection.
 */
export function watchedBody(body: NodeJS.ReadableStream, options: WatchedBodyOptions): Readable {
  const { peer, idleTimeoutMs, explain } = options;
  const source = body as Readable;
  const pieces = source[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new Readable({
    read() {
      // Only here the other side is waited for.
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
