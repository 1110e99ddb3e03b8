import assert from 'node:assert/strict';
import type { DescribedParameter } from '../../../../server/src/connectors/rest/openapi/described-operations.ts';
import { serviceEndpoints } from '../../../../server/src/connectors/rest/service-endpoints.ts';

const orders = {
  name: 'orders',
  path: 'orders',
  parameters: { status: 'all', key: 'Key hush', since: '{{since}}' },
  records: [],
  key: [],
  columns: {},
};
const sent = { headers: ['Accept', 'X-Api-Key'], parameters: ['api_key'] };
const parameter = (name: string, place: DescribedParameter['place'] = 'query', isRequired = false) => ({
  ...{ name, place, isRequired, comment: `what ${name} is`, values: [] },
});

describe('service endpoints in the API explorer', () => {
  it('contain constants, without secrets and templates', () => {
    assert.deepEqual(serviceEndpoints({ endpoints: [orders], operations: [], sent }, ['hush']), [
      {
        label: 'orders',
        method: 'GET',
        path: '/orders',
        parameters: [
          { name: 'status', hint: '', values: ['all'] },
          { name: 'key', hint: '' },
          { name: 'since', hint: '' },
        ],
      },
    ]);
  });

  it('merge configured and documented endpoints', () => {
    const status = { ...parameter('status'), values: ['open', 'all'] };
    const list = {
      method: 'GET',
      path: '/orders',
      summary: 'All orders',
      parameters: [status, parameter('q')],
    } as const;
    const create = { ...list, method: 'POST', summary: '', body: '{}' } as const;
    const proposed = serviceEndpoints({ endpoints: [orders], operations: [list, create], sent }, ['hush']);
    assert.deepEqual(
      proposed.map(({ label, summary, body }) => [label, summary, body]),
      [
        ['orders', 'All orders', undefined],
        ['POST /orders', undefined, '{}'],
      ],
    );
    assert.deepEqual(proposed[0]?.parameters, [
      { name: 'status', hint: 'what status is', values: ['all', 'open'] },
      { name: 'key', hint: '' },
      { name: 'since', hint: '' },
      { name: 'q', hint: 'what q is' },
    ]);
  });

  it('name required parameters and unsupported bodies, and omit credentials', () => {
    const [proposed] = serviceEndpoints(
      {
        endpoints: [],
        operations: [
          {
            method: 'PUT',
            path: '/orders/{id}',
            summary: '',
            parameters: [
              parameter('id', 'path', true),
              { ...parameter('mode', 'query', true), values: ['a', 'b'], value: 'b' },
              parameter('api_key', 'query', true),
              parameter('x-api-key', 'header', true),
              parameter('X-Tenant', 'header', true),
              parameter('X-Trace', 'header'),
            ],
            otherBodies: ['text/csv'],
          },
        ],
        sent,
      },
      [],
    );
    assert.deepEqual(proposed, {
      label: 'PUT /orders/{id}',
      method: 'PUT',
      path: '/orders/{id}',
      parameters: [{ name: 'mode', hint: 'what mode is', values: ['a', 'b'], required: true, value: 'b' }],
      pathParameters: [{ name: 'id', hint: 'what id is', required: true }],
      notes: [
        'It wants the header X-Tenant, which requests from here do not have.',
        'It wants a body of type text/csv; bodies from here are JSON.',
      ],
    });
  });
});
