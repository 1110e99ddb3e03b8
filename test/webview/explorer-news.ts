import type { ApiExchange, ApiRequest, ApiView, ExplorerNews } from '../../protocol/api-explorer.ts';

/** The extension's data of an instance. */
export const apiView: ApiView = {
  uri: 'file:///entity-sources.yaml',
  dataSource: 'itsm',
  address: 'https://acme.example/',
  warnings: [],
  tablePattern: String.raw`^/api/now/table/(\w+)`,
  columns: {
    incident: [
      { name: 'sys_id', type: 'VARCHAR' },
      { name: 'number', type: 'VARCHAR', label: 'Number' },
      { name: 'state', type: 'BIGINT', label: 'State', values: [{ value: '2', label: 'In Progress' }] },
    ],
  },
  endpoints: [
    {
      label: 'Records of incident',
      method: 'GET',
      path: '/api/now/table/incident',
      parameters: [
        { name: 'sysparm_query', hint: 'encoded query', names: 'query' },
        { name: 'sysparm_fields', hint: 'columns', names: 'columns' },
        { name: 'sysparm_limit', hint: 'records of a page', values: ['10', '100'], value: '10' },
        { name: 'sysparm_display_value', hint: 'what is shown', values: ['true', 'false', 'all'] },
      ],
    },
    {
      label: 'Create a record of incident',
      method: 'POST',
      path: '/api/now/table/incident',
      parameters: [{ name: 'sysparm_display_value', hint: 'what is shown' }],
      body: '{}',
    },
    {
      label: 'One record of incident',
      method: 'GET',
      path: '/api/now/table/incident/SYS_ID',
      parameters: [],
      pathParameters: [{ name: 'sys_id', placeholder: 'SYS_ID', hint: 'the sys_id of a record' }],
    },
    {
      label: 'Records of another table',
      method: 'GET',
      path: '/api/now/table/TABLE',
      parameters: [{ name: 'sysparm_fields', hint: 'columns, separated by commas' }],
      pathParameters: [{ name: 'table', placeholder: 'TABLE', hint: 'the name of a table' }],
    },
  ],
};

/** The extension's data of a service with an OpenAPI document. */
export const documentView: ApiView = {
  ...{ uri: 'file:///entity-sources.yaml', dataSource: 'shop', address: 'https://shop.example/', warnings: [] },
  endpoints: [
    { label: 'GET /orders/{order}', method: 'GET', path: '/orders/{order}', parameters: [] },
    { label: 'GET /orders/mine', method: 'GET', path: '/orders/mine', parameters: [] },
    {
      label: 'PUT /orders/{order}/{kind}',
      method: 'PUT',
      path: '/orders/{order}/{kind}',
      summary: 'Replaces one part',
      parameters: [
        { name: 'mode', hint: 'how much', values: ['all', 'some'], required: true, value: 'all' },
        { name: 'dry', hint: 'only look', values: ['true', 'false'] },
      ],
      pathParameters: [
        { name: 'order', hint: 'Number of the order', required: true },
        { name: 'kind', hint: '', values: ['parts', 'notes'], required: true },
      ],
      body: '{\n  "state": ""\n}',
      notes: ['It wants the header X-Tenant, which requests from here do not have.'],
    },
  ],
};

export const answeredRequest: ApiRequest = {
  method: 'GET',
  path: '/api/now/table/incident',
  parameters: [{ name: 'sysparm_limit', value: '10' }],
  body: '',
};

/** The response to a request: the initial one, unless another is given. */
export function answered(exchange: ApiExchange = apiExchange, request: ApiRequest = answeredRequest): ExplorerNews {
  return { kind: 'exchange', request, exchange };
}

export const apiExchange: ApiExchange = {
  status: 200,
  reason: 'OK',
  headers: [{ name: 'content-type', value: 'application/json' }],
  body: '{\n  "result": []\n}',
  isCut: false,
  bytes: 2345,
  durationMs: 12,
  list: { records: 'result', pagination: { style: 'link' } },
  recordCount: 10,
  columns: [
    { name: 'sys_id', type: 'VARCHAR' },
    { name: 'opened_at', type: 'TIMESTAMP' },
  ],
};
