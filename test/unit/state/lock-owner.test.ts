import assert from 'node:assert/strict';
import { ownerText } from '../../../server/src/state/import-lock.ts';

describe('the owner of a lock in a message', () => {
  it('is named as far as the lock names it', () => {
    const owner = { pid: 17, host: 'vm', since: '2024-01-01T08:00:00.000Z' };
    assert.equal(ownerText(owner), 'process 17 on vm since 2024-01-01T08:00:00.000Z');
    assert.equal(ownerText({ ...owner, since: '' }), 'process 17 on vm');
    assert.equal(ownerText({ pid: 0, host: 'vm', since: '' }), 'another process, which its lock does not name');
  });
});
