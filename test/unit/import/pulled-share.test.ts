import assert from 'node:assert/strict';
import { pulledShare } from '../../../server/src/import/pulled-share.ts';

describe('the share of pulled rows', () => {
  it('follows the rows of a single query', () => {
    const share = pulledShare([1_000_000]);
    assert.equal(share.at(0), 0);
    assert.ok(Math.abs(share.at(850_000) - 0.85) < 0.01);
    assert.ok(share.at(3_000_000) < 1, 'more rows than estimated');
    share.next();
    assert.equal(share.at(0), 1);
  });

  it('weighs queries by their rows, and small ones by what every query takes', () => {
    const share = pulledShare([9000, 0]);
    assert.ok(Math.abs(share.at(9000) - 9000 / 11_000) < 0.01);
    share.next();
    assert.ok(Math.abs(share.at(0) - 10_000 / 11_000) < 0.001);
  });

  it('rises with the rows of a query whose number is unknown, and is never less than before', () => {
    const share = pulledShare([undefined, 5000]);
    const shares = [0, 1000, 100_000, 10, 10_000_000].map((rows) => share.at(rows));
    share.next();
    shares.push(share.at(0));
    assert.deepEqual(
      shares,
      shares.toSorted((one, other) => one - other),
    );
    assert.ok((shares[1] ?? 0) > 0.05 && (shares[4] ?? 1) < 0.5, shares.join());
  });

  it('is zero without queries', () => assert.equal(pulledShare([]).at(0), 0));
});
