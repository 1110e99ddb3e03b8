import assert from 'node:assert/strict';
import type { ApiList, ApiParameter, ApiRequest } from '../../../protocol/api-explorer.ts';
import { withQueryAsParameters } from '../../../server/src/connectors/endpoints/explored-entry.ts';
import { restEntry } from '../../../server/src/connectors/rest/explore.ts';
import { instanceEntry } from '../../../server/src/connectors/servicenow/explored-entry.ts';
import type { ExploredEntry } from '../../../server/src/connectors/source-explorer.ts';
import { exploredPaging } from '../../../server/src/operations/platform/explored-paging.ts';
import type { DataSource } from '../../../server/src/model/data-sources.ts';
import { parseDataSources } from '../../../server/src/model/parse-data-sources.ts';

const get = (path: string, parameters: Readonly<Record<string, string>> = {}): ApiRequest => ({
  method: 'GET',
  path,
  parameters: Object.entries(parameters).map(([name, value]): ApiParameter => ({ name, value })),
  body: '',
});

/** Request and response, with a Link header if any, and the message about further pages. */
const answers: readonly (readonly [
  request: ApiRequest,
  answer: unknown,
  told: Pick<ApiList, 'pagination' | 'hasMore'>,
  link?: string,
])[] = [
  [
    get('/orders', { offset: '0', limit: '20' }),
    { items: [], meta: { total: 50 } },
    { pagination: { style: 'offset', pageSize: 20, total: 'meta.total' } },
  ],
  [
    get('/orders?skip=0&per_page=100'),
    { items: [], count: 3 },
    { pagination: { style: 'offset', parameter: 'skip', limitParameter: 'per_page' } },
  ],
  [
    get('/orders', { page: '0', size: '5' }),
    [],
    { pagination: { style: 'page', limitParameter: 'size', pageSize: 5, first: 0 } },
  ],
  [get('/orders', { page: '1' }), [], { pagination: { style: 'page' } }],
  [
    get('/orders', { after: '', limit: '10' }),
    { meta: { next_cursor: 'x' } },
    {
      pagination: {
        style: 'cursor',
        parameter: 'after',
        limitParameter: 'limit',
        pageSize: 10,
        next: 'meta.next_cursor',
      },
    },
  ],
  [
    get('/orders', { limit: '10' }),
    [],
    { pagination: { style: 'link', limitParameter: 'limit', pageSize: 10 } },
    '</orders?at=10>; rel="next"',
  ],
  [
    get('/orders'),
    { items: [], links: { next: 'https://api.example/orders?at=10' } },
    { pagination: { style: 'cursor', next: 'links.next' } },
  ],
  [
    get('/orders'),
    { items: [], '@odata.nextLink': 'https://api.example/orders?$skip=10' },
    { pagination: { style: 'cursor', next: '@odata.nextLink' } },
  ],
  [
    get('/orders'),
    { items: [], startAt: 0, maxResults: 50, total: 51 },
    { pagination: { style: 'offset', parameter: 'startAt', limitParameter: 'maxResults', total: 'total' } },
  ],
  [
    get('/orders'),
    { took: 1, hits: { total: { value: 11, relation: 'eq' }, hits: [] } },
    { pagination: { style: 'offset', parameter: 'from', limitParameter: 'size', total: 'hits.total' } },
  ],
  [get('/orders'), { items: [], has_more: true }, { hasMore: true }],
  [get('/orders'), { items: [], meta: { has_more: false, total: 11 } }, { hasMore: false }],
  [get('/orders'), { items: [], next: 'x' }, { hasMore: true }],
  [get('/orders'), { items: [], next: null }, { hasMore: false }],
  [get('/orders', { limit: '10' }), { items: [], total: 11 }, { hasMore: true }],
  [get('/orders'), { items: [], total: 10 }, { hasMore: false }],
  [get('/orders'), [], { hasMore: false }],
];

function sourceOf(settings: object): DataSource {
  const { sources } = parseDataSources(JSON.stringify({ version: 1, dataSources: { one: settings } })).sources;
  const [source] = sources;
  if (!source) throw new Error('The source is not readable.');
  return source;
}

function exploredEntry(
  source: DataSource,
  request: ApiRequest,
  list: ApiList,
  offered?: readonly string[],
): ExploredEntry {
  return source.kind?.value === 'servicenow'
    ? instanceEntry(source, request, list, offered)
    : restEntry(source, request, list);
}

const rest = sourceOf({ kind: 'rest', baseUrl: 'https://api.example', endpoints: [] });
const platform = sourceOf({ kind: 'servicenow', instanceUrl: 'https://acme.example', tables: ['task'] });

/** The source, the request and its list, and the addition, its place, and the number of notes. */
const entries: readonly (readonly [
  source: DataSource,
  request: ApiRequest,
  list: ApiList,
  added: readonly [string, unknown],
  notes: number,
])[] = [
  [
    rest,
    get('/v1/orders?status=open', { offset: '0', limit: '20', region: 'eu', '': 'unfinished' }),
    { records: 'items', pagination: { style: 'offset', pageSize: 20 } },
    [
      'endpoints',
      {
        name: 'orders',
        path: '/v1/orders',
        records: 'items',
        parameters: { status: 'open', region: 'eu' },
        pagination: { style: 'offset', pageSize: 20 },
      },
    ],
    0,
  ],
  [
    rest,
    get('/orders?tag=a&tag=b%26c', { page: '1' }),
    { records: '', pagination: { style: 'page' } },
    [
      'endpoints',
      { name: 'orders', path: '/orders', parameters: { tag: ['a', 'b&c'] }, pagination: { style: 'page' } },
    ],
    0,
  ],
  [rest, get('/orders'), { records: '', hasMore: true }, ['endpoints', { name: 'orders', path: '/orders' }], 1],
  [platform, get('/api/now/v2/table/incident/?sysparm_limit=10'), { records: 'result' }, ['tables', 'incident'], 0],
  [
    platform,
    get('/api/now/table/incident', { sysparm_query: 'active=true' }),
    { records: 'result' },
    ['tables', 'incident'],
    1,
  ],
  [platform, get('/api/now/table/incident', { active: 'true' }), { records: 'result' }, ['tables', 'incident'], 1],
  [
    platform,
    get('/api/x_acme/ops/outages', { open: 'true', page: '0' }),
    { records: 'result', pagination: { style: 'page', first: 0 } },
    [
      'scripted',
      {
        name: 'outages',
        path: '/x_acme/ops/outages',
        parameters: { open: 'true' },
        pagination: { style: 'page', first: 0 },
      },
    ],
    0,
  ],
];

describe('data object generated by the API explorer', () => {
  for (const [request, answer, told, link = null] of answers) {
    it(`${withQueryAsParameters(request)
      .parameters.map(({ name }) => name)
      .join(' ')} and ${JSON.stringify(answer)} determine its pagination`, () => {
      const headers = { get: (name: string) => (name === 'link' ? link : null) };
      const records = Array.isArray(answer) ? [] : ['items'];
      assert.deepEqual(exploredPaging(request, { answer, headers, records, recordCount: 10 }), told);
    });
  }

  for (const [source, request, list, added, notes] of entries) {
    it(`keeps the parameters ${JSON.stringify(request.parameters.map(({ name }) => name))} of ${request.path}`, () => {
      const entry = exploredEntry(source, request, list);
      assert.deepEqual([entry.list, entry.entry], added);
      assert.equal(entry.notes.length, notes, entry.notes.join(' '));
    });
  }

  /** One row per source with data objects: the name of a new one. */
  const names: readonly (readonly [settings: object, request: ApiRequest, name: string])[] = [
    [{ kind: 'rest', endpoints: [{ name: 'Orders', path: '/all' }] }, get('/orders'), 'orders_2'],
    [
      { kind: 'rest', endpoints: [{ name: 'orders' }, { name: 'ORDERS_2' }] },
      get('/orders', { open: 'true' }),
      'orders_3',
    ],
    [{ kind: 'rest', endpoints: [{ name: 'mine', path: '/orders' }] }, get('/orders'), 'mine'],
    [{ kind: 'servicenow', tables: ['outages'] }, get('/api/x_acme/ops/outages'), 'outages_2'],
    [{ kind: 'servicenow', scripted: [{ name: 'outages', path: '/x' }] }, get('/api/x_acme/ops/outages'), 'outages_2'],
  ];
  for (const [settings, request, name] of names) {
    it(`has a unique name: ${name} beside ${JSON.stringify(settings)}`, () => {
      const records = request.path.startsWith('/api') ? 'result' : '';
      const { entry } = exploredEntry(sourceOf(settings), request, { records });
      assert.equal((entry as Readonly<Record<string, unknown>>)['name'], name);
    });
  }

  it('keeps the default tables when none are configured', () => {
    const unnamed = sourceOf({ kind: 'servicenow' });
    const offered = ['incident', 'problem'];
    const { entry, others, notes } = exploredEntry(
      unnamed,
      get('/api/now/table/cmn_location'),
      { records: 'result' },
      offered,
    );
    assert.deepEqual([entry, others, notes.length], ['cmn_location', offered, 1]);
    const again = () => exploredEntry(unnamed, get('/api/now/table/incident'), { records: 'result' }, offered);
    assert.throws(again, /incident is a data object already/);
  });

  it('is not offered for writing requests and for responses without a record list', () => {
    const list = { records: 'result' };
    assert.throws(
      () => exploredEntry(rest, { ...get('/orders'), method: 'POST' }, list),
      /Only GET requests can be data objects/,
    );
    assert.throws(() => exploredEntry(platform, get('/api/now/stats/incident'), list), /Only tables and scripted/);
  });
});
