import assert from 'node:assert/strict';
import { serviceEndpoint } from '../../../server/src/operations/api-endpoints.ts';

describe('serviceEndpoint', () => {
  it('proposes constants, but no secrets and no templates', () => {
    const endpoint = {
      name: 'orders',
      path: 'orders',
      parameters: { status: 'all', key: 'Key hush', since: '{{since}}' },
      records: [],
      key: [],
      columns: {},
    };
    assert.deepEqual(serviceEndpoint(endpoint, ['hush']), {
      label: 'orders',
      method: 'GET',
      path: '/orders',
      parameters: [
        { name: 'status', hint: '', values: ['all'] },
        { name: 'key', hint: '' },
        { name: 'since', hint: '' },
      ],
    });
  });
});
