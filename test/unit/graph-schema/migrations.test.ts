import assert from 'node:assert/strict';
import { storeVersion } from '../../../server/src/graph-schema/graph-schema.ts';
import { migrationsFrom } from '../../../server/src/graph-schema/migrations.ts';

describe('migrationsFrom', () => {
  it('is empty for a store of this version', () => {
    assert.deepEqual(migrationsFrom(storeVersion), []);
  });

  it('goes through every version', () => {
    const known = { [storeVersion - 2]: ['CREATE a'], [storeVersion - 1]: ['CREATE b', 'CREATE c'] };
    assert.deepEqual(migrationsFrom(storeVersion - 2, known), ['CREATE a', 'CREATE b', 'CREATE c']);
    assert.deepEqual(migrationsFrom(storeVersion - 1, known), ['CREATE b', 'CREATE c']);
  });

  it('fails for later, unsupported and missing versions', () => {
    for (const version of [storeVersion + 1, storeVersion - 1, Number.NaN]) {
      assert.equal(migrationsFrom(version), undefined, String(version));
    }
    assert.equal(migrationsFrom(storeVersion - 2, { [storeVersion - 2]: ['CREATE a'] }), undefined);
  });
});
