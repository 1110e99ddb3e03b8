import assert from 'node:assert/strict';
import { storeVersion } from '../../../server/src/graph-schema/graph-schema.ts';
import { migrationsFrom } from '../../../server/src/graph-schema/migrations.ts';

describe('migrationsFrom', () => {
  it('has nothing to do for a store of this version', () => {
    assert.deepEqual(migrationsFrom(storeVersion), []);
  });

  it('goes from version to version', () => {
    const known = { [storeVersion - 2]: ['CREATE a'], [storeVersion - 1]: ['CREATE b', 'CREATE c'] };
    assert.deepEqual(migrationsFrom(storeVersion - 2, known), ['CREATE a', 'CREATE b', 'CREATE c']);
    assert.deepEqual(migrationsFrom(storeVersion - 1, known), ['CREATE b', 'CREATE c']);
  });

  it('knows no way from versions that are later, too old, or none', () => {
    for (const version of [storeVersion + 1, storeVersion - 1, Number.NaN]) {
      assert.equal(migrationsFrom(version), undefined, String(version));
    }
    assert.equal(migrationsFrom(storeVersion - 2, { [storeVersion - 2]: ['CREATE a'] }), undefined);
  });
});
