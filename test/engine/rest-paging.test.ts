import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { readRestPages } from '../../server/src/connectors/endpoints/read-pages.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { type SourceError, isSourceError } from '../../server/src/connectors/source-error.ts';
import { pagingStyles, startStyledService } from '../simulator/paging-styles.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { fileQuery } from '../support/csv-source.ts';
import { withProject } from '../support/import-text.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { runCommand } from '../support/run-command.ts';

interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** A service that answers each request for `/orders` as this function says. */
async function withService<T>(
  answer: (query: URLSearchParams, request: number) => Answer,
  use: (url: string, requests: readonly string[]) => Promise<T>,
): Promise<T> {
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { status = 200, headers = {}, body } = answer(url.searchParams, requests.length);
    requests.push(url.search);
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(body === undefined ? '' : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests);
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

const orders = (length: number, from = 0) =>
  Array.from({ length }, (_, index) => ({ id: from + index + 1, at: '2024-02-29T08:00:00Z' }));

async function withConnector<T>(url: string, endpoint: object, use: (connector: Connector) => Promise<T>): Promise<T> {
  const own = { name: 'orders', path: '/orders', key: 'id', columns: { id: 'BIGINT' }, ...endpoint };
  const connector = await createConnector(dataSource('api', { kind: 'rest', baseUrl: url, endpoints: [own] }), {
    ...{ folder: process.cwd(), permitUses: permitAllUses, readSecret: async () => undefined, environment: {} },
  });
  try {
    return await use(connector);
  } finally {
    await connector.close();
  }
}

interface Imported {
  readonly rows: number;
  readonly warnings: readonly string[];
}

/** Imports the orders: their number, and the warnings, or the error. */
function imported(url: string, endpoint: object): Promise<Imported | SourceError> {
  return withConnector(url, endpoint, (connector) =>
    withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      try {
        const { sourceRows, warnings } = await pull.load(fileQuery('SELECT id FROM orders', ['orders']), 'result', {});
        return { rows: sourceRows, warnings };
      } catch (error) {
        if (isSourceError(error)) return error;
        throw error;
      } finally {
        await pull.close();
      }
    }),
  );
}

/** The settings that a remedy proposes. */
function proposed(remedy: string | undefined): unknown {
  const [text = ''] = /pagination: \{.*?\}/.exec(remedy ?? '') ?? [];
  return parse(text);
}

/** One answer of ten orders for every request, and the code and place of the refusal. */
const tellingAnswers: readonly (readonly [title: string, endpoint: object, answer: Answer, place: RegExp])[] = [
  [
    'a total and a flag',
    { records: 'data' },
    { body: { data: orders(10), total: 25, has_more: true } },
    /^The endpoint orders has more records than the 10 that were read: total is 25\.$/,
  ],
  ['a flag', { records: 'data' }, { body: { data: orders(10), hasMore: true } }, /: hasMore says so\.$/],
  [
    'a number of pages',
    { records: 'data' },
    { body: { data: orders(10), meta: { total_pages: 3 } } },
    /: meta\.total_pages is 3\.$/,
  ],
  ['a Link header', {}, { body: orders(10), headers: { Link: '<?page=2>; rel="next"' } }, /: the header Link leads/],
  ['a total in a header', {}, { body: orders(10), headers: { 'X-Total-Count': '25' } }, /X-Total-Count is 25\.$/],
  ['a range', {}, { body: orders(10), headers: { 'Content-Range': 'items 0-9/25' } }, /Content-Range is 25\.$/],
  [
    'a list of links',
    { records: 'entry' },
    { body: { entry: orders(10), link: [{ relation: 'next', url: '/b' }] } },
    /: link \(next\) leads/,
  ],
  [
    'a misspelt cursor',
    { records: 'data', pagination: { style: 'cursor', next: 'nxt' } },
    { body: { data: orders(10), next_cursor: 'b' } },
    /: next_cursor leads to a further page\.$/,
  ],
  [
    'a cursor where a Link header is expected',
    { records: 'data', pagination: { style: 'link' } },
    { body: { data: orders(10), next: '/orders?page=2' } },
    /: next leads to a further page\.$/,
  ],
  [
    'a total that a cursor does not reach',
    { records: 'data', pagination: { style: 'cursor', next: 'next', total: 'sum' } },
    { body: { data: orders(10), next: null, sum: 25 } },
    /: the total in its answer is 25\.$/,
  ],
];

/** One full page of a known size, and where the size is known from. */
const fullPages: readonly (readonly [title: string, endpoint: object, answer: Answer])[] = [
  ['a limit among the parameters', { parameters: { limit: 7 } }, { body: orders(7) }],
  ['a limit in the path', { path: '/orders?$top=7' }, { body: orders(7) }],
  ['pageSize', { pagination: { style: 'link', pageSize: 7 } }, { body: orders(7) }],
  ['limitParameter', { pagination: { style: 'link', limitParameter: 'n', pageSize: 7 } }, { body: orders(7) }],
  [
    'a template',
    { parameters: { n: '{{pageSize}}' }, pagination: { style: 'link', pageSize: 7 } },
    { body: orders(7) },
  ],
  ['the answer', { records: 'data' }, { body: { data: orders(7), per_page: 7 } }],
];

/** Lists that end by themselves, whatever their length. */
const wholeLists: readonly (readonly [title: string, endpoint: object, answer: Answer, rows?: number])[] = [
  ['eleven records', {}, { body: orders(11) }, 11],
  ['a total', { records: 'data' }, { body: { data: orders(10), total: 10 } }],
  ['an empty cursor', { records: 'data' }, { body: { data: orders(10), next_cursor: null } }],
  ['a flag', { records: 'data' }, { body: { data: orders(10), has_more: false, cursor: 'b' } }],
  ['a last page', { records: 'data' }, { body: { data: orders(10), last: true } }],
  ['a Link header without next', {}, { body: orders(10), headers: { Link: '<?page=1>; rel="first"' } }],
  [
    'a full page and a total',
    { parameters: { limit: 10 }, records: 'data' },
    { body: { data: orders(10), total: 10 } },
  ],
  ['null', { records: 'data' }, { body: { data: null } }, 0],
  ['no content', {}, { status: 204 }, 0],
  [
    'pagination: none and a flag',
    { records: 'data', pagination: 'none' },
    { body: { data: orders(10), has_more: true } },
  ],
  ['pagination: none and a full page', { parameters: { limit: 10 }, pagination: 'none' }, { body: orders(10) }],
];

describe('REST source › lists whose paging is never seen to work', () => {
  for (const [title, endpoint, answer, place] of tellingAnswers) {
    it(`are refused when the answer tells of more by ${title}`, async () => {
      const error = await withService(
        () => answer,
        (url) => imported(url, endpoint),
      );
      assert.ok(isSourceError(error), JSON.stringify(error));
      assert.equal(error.code, 'paging-unclear');
      assert.match(error.message, place);
      assert.match(error.details.remedy ?? '', /^Write in the endpoint(?:, for example)?: pagination: \{ style: /);
    });
  }

  for (const [title, endpoint, answer] of fullPages) {
    it(`are refused when their only page is full by ${title}`, async () => {
      const error = await withService(
        () => answer,
        (url) => imported(url, endpoint),
      );
      assert.ok(isSourceError(error), JSON.stringify(error));
      assert.equal(error.code, 'paging-unclear');
      assert.match(error.message, /answers with exactly 7 records, the size of a page, and does not tell whether/);
    });
  }

  for (const [title, said] of [
    ['a total', { totalElements: 15 }],
    ['a number of pages', { totalPages: 3 }],
  ] as const) {
    it(`are refused without page 0 when the answer tells ${title}`, async () => {
      const service = (query: URLSearchParams): Answer => {
        const from = 5 * Number(query.get('page') ?? 0);
        return { body: { content: from < 15 ? orders(5, from) : [], ...said } };
      };
      const read = (first: object) =>
        withService(service, (url) => imported(url, { records: 'content', pagination: { style: 'page', ...first } }));
      const error = await read({});
      assert.ok(isSourceError(error), JSON.stringify(error));
      assert.equal(error.code, 'paging-unclear');
      assert.match(error.details.remedy ?? '', /first: 0 if the service counts its pages from 0/);
      assert.ok(!isSourceError(await read({ first: 0 })));
    });
  }

  it('are refused when their only page has the default size of the OpenAPI document', async () => {
    const limit = { name: 'limit', in: 'query', schema: { type: 'integer', default: 7 } };
    const items = { type: 'array', items: { type: 'object', properties: { id: { type: 'integer' } } } };
    const responses = { 200: { content: { 'application/json': { schema: items } } } };
    const openapi = { openapi: '3.0.3', paths: { '/orders': { get: { parameters: [limit], responses } } } };
    const files = { 'openapi.json': JSON.stringify(openapi) };
    await withService(
      () => ({ body: orders(7) }),
      (url) =>
        withProject(
          { ...files, ...project(url, { records: undefined }, { openapi: 'openapi.json' }) },
          async ({ import: run }) => {
            assert.equal((await run()).error?.code, 'paging-unclear');
          },
        ),
    );
  });

  for (const length of [10, 20, 25, 50, 100, 200, 250, 500, 1000]) {
    it(`give a warning for exactly ${length} records`, async () => {
      const outcome = await withService(
        () => ({ body: orders(length) }),
        (url) => imported(url, {}),
      );
      assert.ok(!isSourceError(outcome));
      assert.equal(outcome.rows, length);
      assert.match(
        outcome.warnings.join(),
        new RegExp(`^The endpoint orders answers with exactly ${length} records and may`),
      );
    });
  }

  for (const [title, endpoint, answer, rows = 10] of wholeLists) {
    it(`are whole by ${title}`, async () => {
      const outcome = await withService(
        () => answer,
        (url) => imported(url, endpoint),
      );
      assert.deepEqual(outcome, { rows, warnings: [] });
    });
  }

  for (const style of pagingStyles.filter(({ name }) => !/bare list|a header/.test(name))) {
    it(`are read by the proposed settings: ${style.name}`, async () => {
      const service = await startStyledService();
      try {
        service.play({ style, count: 25, end: 'usual', fault: 'none', charset: 'utf-8' });
        const { records = '' } = style.settings;
        const place = records === '' ? {} : { records };
        const error = await imported(service.url, place);
        assert.ok(isSourceError(error), JSON.stringify(error));
        const outcome = await imported(service.url, { ...place, ...(proposed(error.details.remedy) as object) });
        assert.deepEqual(outcome, { rows: 25, warnings: [] }, error.details.remedy);
      } finally {
        await service.close();
      }
    });
  }
});

const graph = `version: 1
name: T
dataSource: api
elements:
  - { activityName: Order, dataObject: orders, startTimestamp: at }
`;

function project(url: string, endpoint: object, source: object = {}): Readonly<Record<string, string>> {
  const own = { name: 'orders', path: '/orders', key: 'id', records: 'data', ...endpoint };
  const api = { kind: 'rest', baseUrl: url, endpoints: [own], ...source };
  return {
    'entity-sources.json': JSON.stringify({ version: 1, dataSources: { api } }),
    'graph.entity.yaml': graph,
  };
}

describe('REST source › every command tells of further pages', () => {
  const body = { data: orders(10), total: 25, has_more: true };
  const told = /has more records than the 10 that were read: total is 25\..*pagination: \{ style: /s;

  it('import, doctor, validate --online and test-query', async () => {
    await withService(
      () => ({ body }),
      (url) =>
        withProject(project(url, {}), async ({ folder }) => {
          const run = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);
          const import_ = await run('import', 'graph.entity.yaml');
          assert.equal(import_.code, 1);
          assert.match(import_.stdout + import_.stderr, told);
          const doctor = await run('doctor', 'api', '--strict');
          assert.equal(doctor.code, 1);
          assert.match(doctor.stdout + doctor.stderr, told);
          const validate = await run('validate', 'graph.entity.yaml', '--online');
          assert.equal(validate.code, 1);
          assert.match(validate.stdout + validate.stderr, told);
          assert.match(validate.stdout + validate.stderr, /paging-unclear/);
          const sources = await run('validate', 'entity-sources.json', '--online');
          assert.match(sources.stdout, told);
          assert.match(sources.stdout, /warning/);
          const test = await run('test-query', 'graph.entity.yaml', '--element', 'Order');
          assert.equal(test.code, 1);
          assert.match(test.stdout + test.stderr, told);
          // A preview of a few rows ends before the list does.
          const few = await run('test-query', 'graph.entity.yaml', '--element', 'Order', '--limit', '3');
          assert.equal(few.code, 0, few.stderr);
        }),
    );
  });

  it('a list of a usual length is a warning of import, doctor and test-query', async () => {
    await withService(
      () => ({ body: { data: orders(10) } }),
      (url) =>
        withProject(project(url, {}), async ({ folder }) => {
          const run = (...args: readonly string[]) => runCommand([...args, '--workspace', folder], folder);
          const warning = /answers with exactly 10 records and may have more/;
          for (const command of [
            ['import', 'graph.entity.yaml'],
            ['doctor', 'api'],
            ['test-query', 'graph.entity.yaml', '--element', 'Order'],
          ]) {
            const { code, stdout, stderr } = await run(...command);
            assert.equal(code, 0, stderr);
            assert.match(stdout + stderr, warning, command[0]);
          }
          assert.equal((await run('doctor', 'api', '--strict')).code, 1);
          const { stdout } = await run('validate', 'entity-sources.json', '--online');
          // At the name of the endpoint.
          assert.match(stdout, /entity-sources\.json:1:\d{2,}.*warning.*exactly 10 records/s);
          const graphs = await run('validate', 'graph.entity.yaml', '--online');
          assert.equal(graphs.code, 0, graphs.stdout);
          assert.doesNotMatch(graphs.stdout, /catalog-unknown/);
        }),
    );
  });
});

describe('REST source › relationships to another data source', () => {
  const twoSources = (url: string) => {
    const own = { name: 'orders', path: '/orders', key: 'id', records: 'data' };
    const dataSources = {
      api: { kind: 'rest', baseUrl: url, endpoints: [own] },
      files: { kind: 'csv', path: 'tickets.csv' },
    };
    return {
      'entity-sources.json': JSON.stringify({ version: 1, dataSources }),
      'tickets.csv': 'ticket,opened\n3,2024-07-01 10:00:00\n',
      'graph.entity.yaml': `version: 1
dataSource: api
elements:
  - { activityName: Order, dataObject: orders, key: id, entityType: order, startTimestamp: at }
  - { activityName: Call, dataSource: files, dataObject: tickets, key: ticket, entityType: ticket, startTimestamp: opened }
relationships:
  - { name: about, source: Order, target: Call, mappings: [{ source: id, target: ticket }] }
`,
    };
  };

  it('test-query tells of a list of a usual length, and refuses one with more records', async () => {
    const bodies = [{ data: orders(10) }, { data: orders(10), has_more: true }];
    const told = [/may have more\. Write in the endpoint/, /has more records than the 10 that were read: has_more/];
    for (const [index, body] of bodies.entries()) {
      await withService(
        () => ({ body }),
        (url) =>
          withProject(twoSources(url), async ({ folder }) => {
            const args = ['test-query', 'graph.entity.yaml', '--relationship', 'about', '--workspace', folder];
            const { code, stdout, stderr } = await runCommand(args, folder);
            assert.equal(code, index, stderr);
            assert.match(stdout + stderr, told[index] ?? /^$/);
          }),
      );
    }
  });
});

describe('REST source › paths, totals and ends of lists', () => {
  it('fields whose own names have dots are written as they are', async () => {
    await withService(
      (query) => {
        const from = Number(query.get('from') ?? 0);
        const next = from < 20 ? `/orders?from=${from + 10}` : undefined;
        const page = orders(Math.min(10, 25 - from), from);
        return { body: { 'page.orders': { 'all.items': page }, 'page.count': 25, '@odata.nextLink': next } };
      },
      async (url) => {
        const pagination = { style: 'cursor', next: '@odata.nextLink', total: 'page.count' };
        const outcome = await imported(url, { records: 'page.orders.all.items', pagination });
        assert.deepEqual(outcome, { rows: 25, warnings: [] });
      },
    );
  });

  it('a total that is a lower bound does not end a list', async () => {
    for (const total of [{ value: 20, relation: 'gte' }, '20+', 20]) {
      await withService(
        (query) => {
          const from = Number(query.get('offset'));
          return { body: { items: orders(Math.max(0, Math.min(10, 25 - from)), from), total } };
        },
        async (url) => {
          const outcome = await imported(url, { records: 'items', pagination: { style: 'offset', total: 'total' } });
          assert.deepEqual(outcome, { rows: 25, warnings: [] }, JSON.stringify(total));
        },
      );
    }
  });

  it('a total below the number of records does not end a list', async () => {
    const all = orders(25);
    const page = { records: 'data', pagination: { style: 'offset', total: 'total' } };
    const answer = (query: URLSearchParams): Answer => {
      const from = Number(query.get('offset'));
      return { body: { data: all.slice(from, from + 10), total: 0 } };
    };
    await withService(answer, async (url) => {
      assert.deepEqual(await imported(url, page), { rows: 25, warnings: [] });
    });
  });

  it('a list that repeats its last page ends there, and one that moves on is read again', async () => {
    let shifts = 1;
    const pages = async (url: string, requests: readonly string[]) => {
      const outcome = await imported(url, { pagination: { style: 'page' } });
      assert.deepEqual(outcome, { rows: 25, warnings: [] });
      return requests.length;
    };
    const pageOf = (at: number) => orders(Math.max(0, Math.min(10, 25 - at * 10)), at * 10);
    const clamped = await withService((query) => ({ body: pageOf(Math.min(2, Number(query.get('page')) - 1)) }), pages);
    // The first request finds the columns.
    assert.equal(clamped, 1 + 5);
    const shifted = await withService((query) => {
      const at = Number(query.get('page')) - 1;
      // Ten orders are inserted at the front before the third page is read, once.
      const isShifted = at >= 2 && shifts > 0;
      if (isShifted && at === 3) shifts -= 1;
      return { body: pageOf(isShifted ? at - 1 : at) };
    }, pages);
    assert.equal(shifted, 1 + 4 + 4);
  });

  it('equal pages of records without a key are refused, as they may be records of their own', async () => {
    const equal = Array.from({ length: 10 }, () => ({ id: 7 }));
    const pages = [orders(10), equal, equal, []];
    const read = (list: readonly unknown[], key: unknown) =>
      withService(
        (query) => ({ body: list[Math.min(list.length, Number(query.get('page'))) - 1] }),
        (url) => imported(url, { key, pagination: { style: 'page' } }),
      );
    const refused = await read(pages, undefined);
    assert.match(isSourceError(refused) ? refused.message : '', /sends the same page again/);
    // Distinct records that come again in the same order are the last page.
    const clamped = await read([orders(10), orders(5, 10)], undefined);
    assert.deepEqual(clamped, { rows: 15, warnings: [] });
    // Once only is no habit of the service: the list has changed.
    const once = await read([orders(10), orders(5, 10), orders(5, 10), []], 'id');
    assert.match(isSourceError(once) ? once.message : '', /sends the same page again/);
  });

  it('an error beyond the last page is an end, but not while there is more', async () => {
    for (const status of [404, 416]) {
      const answer = (isTold: boolean) => (query: URLSearchParams) => {
        const at = Number(query.get('page')) - 1;
        return at < 2 ? { body: { items: orders(10, at * 10), ...(isTold && { hasNext: true }) } } : { status };
      };
      const endpoint = { records: 'items', pagination: { style: 'page' } };
      const whole = await withService(answer(false), (url) => imported(url, endpoint));
      assert.deepEqual(whole, { rows: 20, warnings: [] });
      const cut = await withService(answer(true), (url) => imported(url, endpoint));
      assert.ok(isSourceError(cut));
      assert.match(cut.message, new RegExp(`status ${status}`));
    }
    const first = await withService(
      () => ({ status: 404 }),
      (url) => imported(url, { pagination: { style: 'page' } }),
    );
    assert.equal(isSourceError(first) && first.code, 'object-missing');
  });

  it('an empty page after a full one is an end, also of a list that is read by its last key', async () => {
    await withService(
      (query) => ({ body: { data: orders(query.has('after') ? 0 : 10) } }),
      async (url) => {
        const paging = {
          style: 'cursor',
          parameter: 'after',
          next: 'data[-1].id',
          limitParameter: 'limit',
          pageSize: 10,
        };
        assert.deepEqual(await imported(url, { records: 'data', pagination: paging }), { rows: 10, warnings: [] });
      },
    );
  });

  it('a flag that may mean another thing does not end a list that has a cursor', async () => {
    await withService(
      (query) => {
        const from = Number(query.get('cursor') ?? 0);
        const page = orders(Math.min(10, 25 - from), from);
        return { body: { data: page, truncated: false, done: true, next_cursor: from < 20 ? from + 10 : null } };
      },
      async (url) => {
        const paging = { style: 'cursor', next: 'next_cursor' };
        assert.deepEqual(await imported(url, { records: 'data', pagination: paging }), { rows: 25, warnings: [] });
        const first = await imported(url, { records: 'data' });
        assert.equal(isSourceError(first) && first.code, 'paging-unclear');
      },
    );
  });

  it('an error of the request that confirms a total does not fail an import', async () => {
    await withService(
      (query) => {
        const from = Number(query.get('offset'));
        return from < 20 ? { body: { data: orders(10, from), total: 20 } } : { status: 400 };
      },
      async (url) => {
        const paging = { style: 'offset', total: 'total' };
        assert.deepEqual(await imported(url, { records: 'data', pagination: paging }), { rows: 20, warnings: [] });
      },
    );
  });

  it('a service that sends pages without records for ever is refused', async () => {
    let page = 0;
    const read = readRestPages(
      {
        baseUrl: new URL('https://api.example'),
        get: async () => ({ value: { items: [], next: (page += 1) }, headers: { get: () => null } }),
      },
      {
        ...{ name: 'orders', path: '/orders', parameters: {}, records: ['items'], key: [], columns: {} },
        pagination: { style: 'cursor', parameter: 'cursor', next: ['next'], pageSize: 100, total: [] },
      },
      {},
    );
    const readAll = async (): Promise<void> => {
      for await (const _ of read);
    };
    await assert.rejects(readAll(), /sends one page without records after the other/);
    assert.equal(page, 1000);
  });
});
