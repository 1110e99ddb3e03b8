import assert from 'node:assert/strict';
import type { RestEndpoint } from '../../../../server/src/connectors/endpoints/endpoint.ts';
import { pageUrl } from '../../../../server/src/connectors/endpoints/page-url.ts';

function urlOf(path: string, parameters: RestEndpoint['parameters'] = {}): string {
  const endpoint: RestEndpoint = { name: 'orders', path, parameters, records: [], key: [], columns: {} };
  return pageUrl(new URL('https://api.example/v1/'), endpoint, { position: undefined, since: undefined }).href;
}

describe('the address of a page', () => {
  it('has the parameters of the path, also with question marks in their values', () => {
    assert.equal(urlOf('/orders?status=open'), 'https://api.example/v1/orders?status=open');
    assert.equal(
      urlOf('/orders?q=late?&status=open', { status: 'closed' }),
      'https://api.example/v1/orders?q=late%3F&status=closed',
    );
  });
});
