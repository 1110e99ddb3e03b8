import { strict as assert } from 'node:assert';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { readMessages } from '../../support/message-reader.ts';

describe('message reader of the test client', () => {
  it('leaves no timer when the server exits within a message', async () => {
    // After mocha has set the timer of this test.
    await new Promise(setImmediate);
    const before = timers();
    await readCutMessage();
    assert.equal(timers(), before);
  });
});

async function readCutMessage(): Promise<void> {
  const stream = new PassThrough();
  const closed = once(stream, 'close');
  const reader = readMessages(stream);
  reader.listen(() => undefined);
  stream.end('Content-Length: 100\r\n\r\n{');
  await closed;
  reader.dispose();
}

/** Handles that keep this process alive. */
function timers(): number {
  return process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
}
