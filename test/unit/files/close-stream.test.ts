import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { closeStream } from '../../../server/src/files/close-stream.ts';

/** A stream that takes a while to close. */
function slowlyClosing(): { readonly stream: Writable; readonly isClosed: () => boolean } {
  let isClosed = false;
  const stream = new Writable({
    write: (_chunk, _encoding, done) => done(),
    destroy(error, done) {
      void pause(50).then(() => {
        isClosed = true;
        done(error);
      });
    },
  });
  return { stream, isClosed: () => isClosed };
}

describe('closeStream', () => {
  it('waits for a stream that a failed pipeline has begun to close', async () => {
    const { stream, isClosed } = slowlyClosing();
    const source = new PassThrough();
    const piped = pipeline(source, stream);
    source.emit('error', new Error('lost'));
    await assert.rejects(piped, /lost/);
    await closeStream(stream);
    assert.ok(isClosed());
  });

  it('closes an open stream', async () => {
    const { stream, isClosed } = slowlyClosing();
    await closeStream(stream);
    assert.ok(isClosed());
  });

  it('resolves for a stream that has closed', async () => {
    const { stream } = slowlyClosing();
    await closeStream(stream);
    await closeStream(stream);
  });
});
