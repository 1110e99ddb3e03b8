import type { Readable } from 'node:stream';
import { StreamMessageReader } from 'vscode-languageserver-protocol/node';

/**
 * Reads messages of a server that may be killed within a message. The library keeps setting a timer for the rest of the
 * message, even after the stream has ended, which would keep the test process alive.
 */
export function readMessages(stream: Readable): StreamMessageReader {
  const reader = new StreamMessageReader(stream);
  reader.partialMessageTimeout = 0;
  return reader;
}
