import assert from 'node:assert/strict';
import { createConnector } from '../support/create-connector.ts';
import { permitAllUses } from '../../server/src/connectors/permit-use.ts';
import { wholeReads } from '../../server/src/query/object-reads.ts';
import { randomNumbers } from '../simulator/demo-data.ts';
import { type PagedService, startPagedService } from '../simulator/paged-service.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { fileQuery } from '../support/csv-source.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { countSoak, isSoak, soakSeeds } from '../support/soak.ts';

type Order = Record<string, unknown>;

interface Shifting {
  /** For an endpoint with offset pages of 10 records. */
  readonly pagination?: object;
  readonly key?: string | undefined;
  /** Changes the list before a request is answered; `request` counts requests of the import from 0. */
  readonly change?: (orders: Order[], request: number) => void;
}

interface Imported {
  /** In the order of the table. */
  readonly ids: readonly number[];
  readonly warnings: readonly string[];
  /** The requested offsets. */
  readonly offsets: readonly string[];
}

/** Imports a list of 37 orders that changes while it is read. */
async function importOrders({ pagination = {}, key = 'id', change = () => undefined }: Shifting): Promise<Imported> {
  let request = -1;
  const onRequest = (orders: Order[]): void => {
    if (request >= 0) change(orders, request);
    if (request >= 0) request += 1;
  };
  const service: PagedService = await startPagedService(37, 10, { onRequest });
  const source = {
    kind: 'rest',
    baseUrl: service.url,
    auth: { kind: 'apiKey', header: 'X-Api-Key', token: 'key-1' },
    endpoints: [
      {
        ...{ name: 'orders', path: '/by-offset', records: 'data.items' },
        ...(key !== undefined && { key }),
        pagination: { style: 'offset', total: 'meta.total', pageSize: 10, ...pagination },
      },
    ],
  };
  const connector = await createConnector(dataSource('api', source), {
    ...{ folder: process.cwd(), permitUses: permitAllUses, readSecret: async () => undefined, environment: {} },
  });
  try {
    const reads = wholeReads(['orders'], await connector.describe({}));
    request = 0;
    service.requests.length = 0;
    return await withBuildDatabase(async (staging) => {
      const query = fileQuery('SELECT id FROM orders', ['orders']);
      const pull = await connector.openPull(staging, {});
      try {
        const { warnings } = await pull.load({ ...query, reads }, 'result', {});
        const { rows } = await staging.table('SELECT c1 FROM result');
        const offsets = service.requests.map((each) => new URL(each, service.url).searchParams.get('offset') ?? '');
        return { ids: rows.map(([id]) => Number(id)), warnings, offsets };
      } finally {
        await pull.close();
      }
    });
  } finally {
    await connector.close();
    await service.close();
  }
}

let lastId = 1000;
const newOrder = (): Order => ({ id: (lastId += 1), at: '2024-02-01T00:00:00.000Z' });
const all = Array.from({ length: 37 }, (_, index) => index + 1);
const once = ['0', '10', '20', '30'];

describe('REST source › lists that change during offset pagination', () => {
  it('unchanged lists are read once', async () => {
    assert.deepEqual(await importOrders({}), { ids: all, warnings: [], offsets: once });
  });

  for (const key of ['id', undefined]) {
    const title = key === undefined ? 'without a key' : 'with a key';
    it(`are read again when records were inserted at the front, ${title}`, async () => {
      const change = (orders: Order[], request: number): void => {
        if (request === 2) orders.unshift(newOrder(), newOrder(), newOrder());
      };
      const { ids, warnings, offsets } = await importOrders({ key, change });
      assert.deepEqual(ids.slice(3), all);
      assert.equal(new Set(ids).size, 40);
      assert.deepEqual(warnings, []);
      // With 40 records, the last page is full: it is followed by one more request.
      assert.deepEqual(offsets, [...once, '40', ...once, '40']);
    });

    it(`are read again when records were deleted, ${title}`, async () => {
      const change = (orders: Order[], request: number): void => {
        if (request === 1) orders.splice(0, 3);
      };
      const { ids } = await importOrders({ key, change });
      assert.deepEqual(ids, all.slice(3));
    });

    it(`fail when they change on every attempt, ${title}`, async () => {
      const change = (orders: Order[], request: number): void => {
        if (request % 2 === 1) orders.unshift(newOrder());
      };
      await assert.rejects(importOrders({ key, change }), (error: Error & { readonly code?: string }) => {
        assert.equal(error.code, 'source-incomplete');
        assert.match(error.message, /^The list of orders changed while it was read: it was said to have \d+, then \d+/);
        return true;
      });
    });
  }

  it('are read again when a record appears twice, even when the total is unchanged', async () => {
    const change = (orders: Order[], request: number): void => {
      if (request !== 2) return;
      orders.unshift(newOrder());
      orders.pop();
    };
    const { ids } = await importOrders({ change });
    assert.deepEqual(ids.slice(1), all.slice(0, -1));
  });

  it('one record per key is kept where a service always repeats some, with a warning', async () => {
    const change = (orders: Order[], request: number): void => {
      if (request === 0) orders.splice(20, 0, { ...orders[3], at: '2025-01-01T00:00:00.000Z' });
    };
    const { ids, warnings, offsets } = await importOrders({ change, pagination: { total: undefined } });
    assert.deepEqual(
      ids.toSorted((one, other) => one - other),
      all,
    );
    assert.deepEqual(warnings, [
      '1 of 38 records of orders came more than once by their key (id): each is there once, as it came last.',
    ]);
    // The same twice is a property of the service.
    assert.deepEqual(offsets, ['0', '10', '20', '30', '38', '0', '10', '20', '30', '38']);
  });

  it('overlapping pages prove completeness where the service gives no total', async () => {
    const change = (orders: Order[], request: number): void => {
      // Equally many are added and removed: neither the total nor a key shows that two were missed.
      if (request === 2) orders.splice(0, 2);
      if (request === 2) orders.push(newOrder(), newOrder());
    };
    const unseen = await importOrders({ change });
    assert.ok(!unseen.ids.includes(21) && !unseen.ids.includes(22), 'without overlap');
    const { ids, offsets } = await importOrders({ change, pagination: { overlap: 1 } });
    assert.deepEqual(ids.slice(0, 35), all.slice(2));
    assert.equal(ids.length, 37);
    assert.deepEqual(offsets, ['0', '9', '18', '0', '9', '18', '27', '36']);
  });

  it('are read once when pages overlap and records are appended only', async () => {
    const change = (orders: Order[], request: number): void => {
      if (request < 4) orders.push(newOrder());
    };
    const { ids, offsets } = await importOrders({ change, pagination: { overlap: 2 } });
    assert.deepEqual(ids.slice(0, 37), all);
    assert.equal(new Set(ids).size, ids.length);
    assert.deepEqual(offsets, ['0', '8', '16', '24', '32']);
  });

  it('contain every record that existed throughout, and none twice, for seeds of changes', async () => {
    let [tried, refused] = [0, 0];
    for (const seed of soakSeeds(2)) {
      tried += 1;
      const random = randomNumbers(seed * 7919);
      const gone = new Set<number>();
      const change = (orders: Order[]): void => {
        if (random() < 0.75) return;
        for (let times = 1 + Math.floor(random() * 4); times > 0; times -= 1) {
          const at = Math.floor(random() * (orders.length + 1));
          if (random() < 0.5) orders.splice(at, 0, newOrder());
          else for (const { id } of orders.splice(at, 1)) gone.add(Number(id));
        }
      };
      const outcome = await importOrders({ change, pagination: { overlap: 4 } }).catch((error: { code?: string }) => {
        assert.equal(error.code, 'source-incomplete', `seed ${seed}: ${String(error)}`);
      });
      countSoak();
      if (!outcome) {
        refused += 1;
        continue;
      }
      const found = new Set(outcome.ids);
      assert.equal(found.size, outcome.ids.length, `seed ${seed}: no record twice`);
      assert.deepEqual(
        all.filter((id) => !gone.has(id) && !found.has(id)),
        [],
        `seed ${seed}: every record that was there the whole time`,
      );
    }
    assert.ok(refused <= tried / 2 + 1, `${refused} of ${tried} were refused`);
  }).timeout(isSoak ? 0 : 120_000);
});
