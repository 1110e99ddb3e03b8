import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { gunzipBody } from '../../../../server/src/connectors/http/gunzip-body.ts';

describe('gzip files as answers', () => {
  const text = Buffer.from('[{"id": 1}]'.repeat(100));

  it('are unpacked, and other answers are left as they are', async () => {
    assert.deepEqual(await gunzipBody(gzipSync(text), 'The service', 10_000), text);
    for (const other of [text, Buffer.alloc(0), Buffer.from([0x1f]), Buffer.from('\u001f{')])
      assert.equal(await gunzipBody(other, 'The service', 10_000), other);
  });

  it('are unpacked up to a limit', async () => {
    await assert.rejects(gunzipBody(gzipSync(text), 'The service', 1000), {
      message: 'The service answers with more than 0 MB at once.',
    });
  });

  for (const [what, damage] of [
    ['truncated', (file: Buffer) => file.subarray(0, -9)],
    ['damaged', (file: Buffer) => Buffer.concat([file.subarray(0, 12), Buffer.alloc(file.length - 12)])],
    ['of nothing', () => Buffer.from([0x1f, 0x8b])],
  ] as const)
    it(`are refused when ${what}`, async () => {
      await assert.rejects(gunzipBody(damage(gzipSync(text)), 'The service', 10_000), {
        code: 'connection-lost',
        message: 'The service sends a gzip file that cannot be read to its end.',
      });
    });
});
