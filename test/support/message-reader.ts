import type { Readable } from 'node:stream';
import { StreamMessageReader } from 'vscode-languageserver-protocol/node';

/**
 * Reads the messages of a server that may be killed in the middle of one. The library sets a timer for the rest of a
 * message again and again, also after the stream has ended, which keeps the process of the tests alive.
 */
export function readMessages(stream: Readable): StreamMessageReader {
  const reader = new StreamMessageReader(stream);
  reader.partialMessageTimeout = 0;
  return reader;
}
