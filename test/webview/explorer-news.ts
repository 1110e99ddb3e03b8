import type { ApiExchange, ApiView } from '../../protocol/api-explorer.ts';

/** What the extension sends of an instance. */
export const apiView: ApiView = {
  uri: 'file:///entity-sources.yaml',
  dataSource: 'itsm',
  address: 'https://acme.example/',
  endpoints: [
    {
      label: 'Records of incident',
      method: 'GET',
      path: '/api/now/table/incident',
      parameters: [
        { name: 'sysparm_query', hint: 'encoded query' },
        { name: 'sysparm_limit', hint: 'records of a page', values: ['10', '100'] },
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
    { label: 'One record of incident', method: 'GET', path: '/api/now/table/incident/SYS_ID', parameters: [] },
    {
      label: 'Records of another table',
      method: 'GET',
      path: '/api/now/table/TABLE',
      parameters: [{ name: 'sysparm_fields', hint: 'columns, separated by commas' }],
    },
  ],
};

export const apiExchange: ApiExchange = {
  status: 200,
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
