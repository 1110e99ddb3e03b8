import assert from 'node:assert/strict';
import { linkAddress, nextAddress } from '../../../../server/src/connectors/endpoints/next-address.ts';

const from = new URL('https://api.example/v1/orders?page=1&status=all');

/** One row per cursor: the address that it is, if it is one. */
const cursors: readonly (readonly [cursor: string, address: string | undefined])[] = [
  ['https://api.example/v1/orders?page=2', 'https://api.example/v1/orders?page=2'],
  ['HTTPS://API.example/v1/orders?page=2', 'https://api.example/v1/orders?page=2'],
  ['?page=2', 'https://api.example/v1/orders?page=2'],
  ['/v1/orders/page/2', 'https://api.example/v1/orders/page/2'],
  ['/orders/page/2', 'https://api.example/orders/page/2'],
  ['/orders?page=2', 'https://api.example/orders?page=2'],
  ['//api.example/v1/orders?page=2', 'https://api.example/v1/orders?page=2'],
  ['orders?page=2', 'https://api.example/v1/orders?page=2'],
  ['./orders/2', 'https://api.example/v1/orders/2'],
  ['../v2/orders', 'https://api.example/v2/orders'],
  ['/services/data/v60.0/query/01g-2000', 'https://api.example/services/data/v60.0/query/01g-2000'],
  // Texts that are cursors.
  ['10', undefined],
  ['eyJpZCI6MTB9', undefined],
  ['a/b+c==', undefined],
  ['/w8AAAAA', undefined],
  ['//4AAA==', undefined],
  ['id:10', undefined],
  ['2024-01-01T00:00:00Z|10', undefined],
  ['what?', undefined],
  ['http', undefined],
  ['ftp://other.example/x', undefined],
];

describe('next addresses', () => {
  for (const [cursor, address] of cursors)
    it(`${address === undefined ? 'leave out the cursor' : 'follow'} ${cursor}`, () => {
      assert.equal(nextAddress(cursor, from)?.href, address);
    });

  it('of Link headers are relative to the requested address; invalid ones are refused', () => {
    assert.equal(linkAddress('?page=2', from, 'orders').href, 'https://api.example/v1/orders?page=2');
    assert.throws(() => linkAddress('https://[', from, 'orders'), {
      code: 'source-failed',
      message: 'The Link header of orders has no address as next page: "https://[".',
    });
  });
});
