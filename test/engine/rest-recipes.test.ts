import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parse } from 'yaml';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';

type Settings = Readonly<Record<string, unknown>>;

/** The sources of the recipes in docs/rest.md, by name. */
const recipes = new Map(
  [...readFileSync('docs/rest.md', 'utf8').matchAll(/^ *```yaml\n( *version: 1\n[^]*?)^ *```$/gm)].flatMap(
    ([, text = '']) => Object.entries((parse(text) as { readonly dataSources: Record<string, Settings> }).dataSources),
  ),
);

interface Asked {
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  /** Scheme and host of the service. */
  readonly origin: string;
}

interface Answered {
  readonly body: unknown;
  readonly headers?: Record<string, string>;
}

/** A service in the style of a recipe: the key of its records, and a page from a position, 10 records at most. */
interface Style {
  readonly key: string;
  readonly answer: (asked: Asked) => Answered;
}

const count = 25;
const numbers = Array.from({ length: count }, (_, index) => index + 1);

const valueOf = ({ url }: Asked, name: string, otherwise: number): number =>
  Number(url.searchParams.get(name) ?? otherwise);
const pageOf = <T>(from: number, record: (number: number) => T, most = 10): readonly T[] =>
  numbers.slice(from, from + Math.min(10, most)).map(record);
const hasMore = (from: number): boolean => from + 10 < count;
const id = (number: number): object => ({ id: number });

const linked = (asked: Asked): Answered => {
  const from = valueOf(asked, 'from', 0);
  const next = `<${asked.origin}${asked.url.pathname}?from=${from + 10}>; rel="next"`;
  return { body: pageOf(from, id), ...(hasMore(from) && { headers: { Link: next } }) };
};

/** One row per recipe. */
const styles: Readonly<Record<string, Style>> = {
  api: {
    key: 'id',
    answer: (asked) => {
      assert.deepEqual(asked.url.searchParams.getAll('status'), ['open', 'closed']);
      assert.equal(asked.headers['x-api-key'], 'hush');
      const items = pageOf(valueOf(asked, 'offset', 0), id, valueOf(asked, 'limit', 10));
      return { body: { data: { items }, meta: { total: count } } };
    },
  },
  pages: {
    key: 'id',
    answer: (asked) => ({
      body: pageOf(10 * (valueOf(asked, 'page', 1) - 1), id, valueOf(asked, 'per_page', 10)),
      headers: { 'X-Total-Count': String(count) },
    }),
  },
  offsets: {
    key: 'id',
    answer: (asked) => ({ body: { data: { items: pageOf(valueOf(asked, 'offset', 0), id) }, meta: { total: count } } }),
  },
  cursors: {
    key: 'id',
    answer: (asked) => {
      const cursor = asked.url.searchParams.get('cursor');
      const from = cursor === null ? 0 : Number(Buffer.from(cursor, 'base64').toString());
      const next = hasMore(from) ? Buffer.from(String(from + 10)).toString('base64') : null;
      return { body: { items: pageOf(from, id), next_cursor: next } };
    },
  },
  links: { key: 'id', answer: linked },
  github: {
    key: 'id',
    answer: (asked) => {
      assert.equal(asked.headers.authorization, 'Bearer hush');
      assert.equal(asked.headers['x-github-api-version'], '2022-11-28');
      assert.equal(asked.headers.accept, 'application/vnd.github+json');
      return linked(asked);
    },
  },
  odata: {
    key: 'ID',
    answer: (asked) => {
      assert.equal(asked.headers.prefer, 'odata.maxpagesize=500');
      const from = valueOf(asked, '$skiptoken', 0);
      const next = `${asked.origin}/odata/Orders?$skiptoken=${from + 10}`;
      const value = pageOf(from, (number) => ({ ID: number }));
      return {
        body: { '@odata.context': '$metadata#Orders', value, ...(hasMore(from) && { '@odata.nextLink': next }) },
      };
    },
  },
  jsonapi: {
    key: 'id',
    answer: (asked) => {
      assert.equal(asked.headers.accept, 'application/vnd.api+json');
      const from = 10 * (valueOf(asked, 'page[number]', 1) - 1);
      const data = pageOf(from, (number) => ({ type: 'orders', id: String(number), attributes: { number } }));
      const next = `/v1/orders?page[number]=${from / 10 + 2}`;
      return { body: { data, links: { self: '/v1/orders', next: hasMore(from) ? next : null } } };
    },
  },
  hal: {
    key: 'id',
    answer: (asked) => {
      const from = 10 * valueOf(asked, 'page', 0);
      const next = { next: { href: `?page=${from / 10 + 1}` } };
      return { body: { _embedded: { orders: pageOf(from, id) }, _links: { self: {}, ...(hasMore(from) && next) } } };
    },
  },
  stripe: {
    key: 'id',
    answer: (asked) => {
      assert.equal(asked.headers.authorization, `Basic ${Buffer.from('hush:').toString('base64')}`);
      const from = Number((asked.url.searchParams.get('starting_after') ?? 'ch_0').slice(3));
      const data = pageOf(from, (number) => ({ id: `ch_${number}` }));
      return { body: { object: 'list', data, has_more: hasMore(from) } };
    },
  },
  search: {
    key: '_id',
    answer: (asked) => {
      const hits = pageOf(valueOf(asked, 'from', 0), (number) => ({ _id: String(number), _source: { number } }));
      return { body: { hits: { total: { value: count, relation: 'eq' }, hits } } };
    },
  },
  salesforce: {
    key: 'Id',
    answer: (asked) => {
      if (asked.url.pathname === '/services/oauth2/token') return { body: { access_token: 'good' } };
      assert.equal(asked.headers.authorization, 'Bearer good');
      const from = Number(/-(\d+)$/.exec(asked.url.pathname)?.[1] ?? 0);
      const next = { nextRecordsUrl: `/services/data/v60.0/query/01g-${from + 10}` };
      const records = pageOf(from, (number) => ({ attributes: { type: 'Order' }, Id: `a${number}` }));
      return { body: { totalSize: count, done: !hasMore(from), records, ...(hasMore(from) && next) } };
    },
  },
  django: {
    key: 'id',
    answer: (asked) => {
      const from = 10 * (valueOf(asked, 'page', 1) - 1);
      const next = hasMore(from) ? `${asked.origin}/orders/?page=${from / 10 + 2}` : null;
      return { body: { count, next, previous: null, results: pageOf(from, id) } };
    },
  },
  jira: {
    key: 'id',
    answer: (asked) => {
      const from = Number((asked.url.searchParams.get('nextPageToken') ?? 'Ch0').slice(2));
      const issues = pageOf(from, (number) => ({ id: String(number), fields: { summary: '' } }));
      return { body: { issues, isLast: !hasMore(from), ...(hasMore(from) && { nextPageToken: `Ch${from + 10}` }) } };
    },
  },
  jiraServer: {
    key: 'id',
    answer: (asked) => {
      const startAt = valueOf(asked, 'startAt', 0);
      return { body: { startAt, maxResults: 10, total: count, issues: pageOf(startAt, (number) => id(number)) } };
    },
  },
};

/** Serves a style, and imports its recipe from there: numbers of records and of distinct keys. */
async function imported(settings: Settings, { key, answer }: Style): Promise<readonly number[]> {
  const faults: unknown[] = [];
  const server = createServer((request, response) => {
    const origin = `http://${request.headers.host}`;
    try {
      const { body, headers } = answer({ url: new URL(request.url ?? '/', origin), headers: request.headers, origin });
      response.writeHead(200, { 'Content-Type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    } catch (error) {
      faults.push(error);
      response.writeHead(400).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const local = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const text = JSON.stringify(settings).replaceAll(/https:\/\/[\w.-]+\.example/g, local);
  const source = JSON.parse(text) as Settings & { readonly endpoints: readonly { readonly name: string }[] };
  const [object = ''] = source.endpoints.map(({ name }) => name);
  try {
    const connector = await createConnector(dataSource('api', source), {
      folder: process.cwd(),
      permitUses: permitAllUses,
      readSecret: async () => 'hush',
      environment: {},
    });
    return await withBuildDatabase(async (staging) => {
      const pull = await connector.openPull(staging, {});
      try {
        const sql = `SELECT count(*), count(DISTINCT "${key}") FROM ${object}`;
        await pull.load(fileQuery(sql, [object]), 'result', {});
        return (await staging.table('SELECT * FROM result')).rows[0]?.map(Number) ?? [];
      } finally {
        await pull.close();
        await connector.close();
      }
    });
  } finally {
    assert.deepEqual(faults, []);
    server.closeAllConnections();
    server.close();
  }
}

describe('recipes of docs/rest.md', () => {
  for (const [name, settings] of recipes)
    it(`read every page: ${name}`, async () => {
      const style = styles[name];
      assert.ok(style, `${name} has no service here`);
      assert.deepEqual(await imported(settings, style), [count, count]);
    });

  it('are there for every style', () => assert.deepEqual([...recipes.keys()], Object.keys(styles)));
});
