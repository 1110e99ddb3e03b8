import assert from 'node:assert/strict';
import { abilityWarnings } from '../../../server/src/connectors/source-build.ts';

describe('capabilities of a build inside a source', () => {
  const all = { hasSnapshot: true, publishesAtomically: true, textTimes: true } as const;

  it('give no warning with a snapshot and a transaction', () => {
    assert.deepEqual(abilityWarnings(all), []);
  });

  it('give a warning when one is missing', () => {
    assert.match(abilityWarnings({ ...all, hasSnapshot: false }).join(), /^The source has no snapshots: /);
    assert.match(abilityWarnings({ ...all, publishesAtomically: false }).join(), /replaces graphs table by table/);
    assert.equal(abilityWarnings({ ...all, hasSnapshot: false, publishesAtomically: false }).length, 2);
  });
});
