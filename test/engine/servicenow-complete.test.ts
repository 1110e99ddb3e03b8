import assert from 'node:assert/strict';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';
import {
  elementQuery,
  hidesEverySecond,
  incidents,
  listQueries,
  loaded,
  withCatalog,
} from '../support/servicenow-queries.ts';

describe('ServiceNow queries › full reads of a table', () => {
  it('fail when access rules hide rows, and explain why', async () => {
    for (const emptyRows of [false, true]) {
      await withCatalog({}, async (connector, catalog, { instance }) => {
        Object.assign(instance.settings, { emptyRows, mayRead: hidesEverySecond });
        await assert.rejects(loaded(connector, [elementQuery(catalog)]), {
          code: 'source-incomplete',
          message:
            /^The instance counts 300 records of incident, but only \d+ could be read: the user may probably not read/,
        });
      });
    }
  });

  it('accept hidden rows with a warning when the settings allow it', async () => {
    await withCatalog({ settings: { onShortfall: 'warn' } }, async (connector, catalog, simulator) => {
      simulator.instance.settings.mayRead = hidesEverySecond;
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      const readable = incidents(simulator).filter((record) => hidesEverySecond('incident', record));
      assert.equal(found?.rows.length, readable.length);
      assert.match(found?.result.warnings[0] ?? '', /counts 300 records of incident, but only \d+ could be read/);
    });
  });

  /** Instances differ in what they count, and from where they fill a page. */
  const counting = [
    { pageCounts: 'all', statsCounts: 'all', limitAfterAcl: false },
    { pageCounts: 'all', statsCounts: 'all', limitAfterAcl: true },
    { pageCounts: 'readable', statsCounts: 'all', limitAfterAcl: false },
    { pageCounts: 'readable', statsCounts: 'all', limitAfterAcl: true },
  ] as const;
  for (const how of counting) {
    const name = `counts ${how.pageCounts} rows with a page, ${how.statsCounts} in statistics, limits ${how.limitAfterAcl ? 'after' : 'before'} row ACLs`;
    it(`detect hidden rows of an instance that ${name}`, async () => {
      for (const pageSize of [20, 1000]) {
        for (const mayRead of [hidesEverySecond, hidesOne, showsFew]) {
          const settings = { pageSize };
          await withCatalog({ settings }, async (connector, catalog, { instance }) => {
            Object.assign(instance.settings, { ...how, mayRead });
            await assert.rejects(
              loaded(connector, [elementQuery(catalog)]),
              { code: 'source-incomplete', message: /^The instance counts 300 records .*\(row ACLs\)\.$/ },
              `${mayRead.name}, ${pageSize}`,
            );
          });
          const warned = { ...settings, onShortfall: 'warn' };
          await withCatalog({ settings: warned }, async (connector, catalog, simulator) => {
            Object.assign(simulator.instance.settings, { ...how, mayRead });
            const [found] = await loaded(connector, [elementQuery(catalog)]);
            const readable = incidents(simulator).filter((record) => mayRead('incident', record));
            assert.equal(found?.rows.length, readable.length, `${mayRead.name}, ${pageSize}`);
            assert.match(
              found.result.warnings.join(),
              /^The instance counts 300 records of incident, but only \d+ could/,
            );
          });
        }
      }
    });
  }

  for (const pageCounts of ['all', 'readable'] as const) {
    for (const concurrency of [1, 4]) {
      it(`are whole on an instance with small pages that counts ${pageCounts} rows, in ${concurrency} parts`, async () => {
        const settings = { pageSize: 100, concurrency };
        await withCatalog({ settings }, async (connector, catalog, simulator) => {
          Object.assign(simulator.instance.settings, { maxPage: 30, pageCounts });
          const from = simulator.requests.length;
          const [found] = await loaded(connector, [elementQuery(catalog)]);
          assert.deepEqual([found?.rows.length, found?.result.warnings], [300, []]);
          const pages = listQueries(simulator, from).length;
          // Each part learns the size from two requests.
          assert.ok(pages <= 10 + 2 * concurrency + concurrency, `${pages} requests`);
          assert.deepEqual(await connector.checkQueries?.([elementQuery(catalog)], {}), [undefined]);
        });
      });
    }
  }

  for (const how of counting) {
    it(`detect hidden rows also on an instance with small pages: ${JSON.stringify(how)}`, async () => {
      for (const mayRead of [hidesEverySecond, hidesOne, showsFew]) {
        await withCatalog({ settings: { pageSize: 100 } }, async (connector, catalog, { instance }) => {
          Object.assign(instance.settings, { ...how, mayRead, maxPage: 30 });
          await assert.rejects(loaded(connector, [elementQuery(catalog)]), { code: 'source-incomplete' }, mayRead.name);
        });
        // Where a page has no readable record at all, nothing tells how many rows the instance looked at.
        if (mayRead === showsFew) continue;
        const settings = { pageSize: 100, onShortfall: 'warn' };
        await withCatalog({ settings }, async (connector, catalog, simulator) => {
          Object.assign(simulator.instance.settings, { ...how, mayRead, maxPage: 30 });
          const [found] = await loaded(connector, [elementQuery(catalog)]);
          const readable = incidents(simulator).filter((record) => mayRead('incident', record));
          assert.equal(found?.rows.length, readable.length, mayRead.name);
        });
      }
    });
  }

  it('accept the readable rows when nothing indicates hidden ones', async () => {
    const silent = { pageCounts: 'readable', statsCounts: 'readable', limitAfterAcl: true };
    await withCatalog({}, async (connector, catalog, { instance }) => {
      Object.assign(instance.settings, { ...silent, mayRead: hidesEverySecond });
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.deepEqual([found?.rows.length, found?.result.warnings], [150, []]);
    });
    await withCatalog({}, async (connector, catalog, { instance }) => {
      Object.assign(instance.settings, { ...silent, statsForbidden: true, mayRead: hidesEverySecond });
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.equal(found?.rows.length, 150);
      assert.match(found.result.warnings.join(), /^The instance refuses to count the records of incident/);
    });
  });

  it('warn about a table that takes too long to count', async () => {
    await withCatalog({}, async (connector, catalog, simulator) => {
      simulator.failNext({ kind: 'cancelled' }, { times: Infinity, on: ({ path }) => path.includes('/stats/') });
      const before = simulator.requests.length;
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.equal(found?.rows.length, 300);
      assert.match(found.result.warnings.join(), /^The instance does not tell how many records of incident there are/);
      // As many ranges as the catalog's estimate requires.
      assert.ok(listQueries(simulator, before).some((query) => query.startsWith('sys_id>=8^')));
    });
  });

  for (const figures of ['{}', '{"stats": {}}', '{"stats": {"count": ""}}', '{"stats": {"count": "many"}}']) {
    it(`treat ${figures} as an unknown count, not as zero`, async () => {
      await withCatalog({}, async (connector, catalog, simulator) => {
        const fault = { kind: 'answer', body: `{"result": ${figures}}` } as const;
        simulator.failNext(fault, { times: Infinity, on: ({ path }) => path.includes('/stats/') });
        const [found] = await loaded(connector, [elementQuery(catalog)]);
        assert.equal(found?.rows.length, 300);
        assert.match(
          found.result.warnings.join(),
          /^The instance does not tell how many records of incident there are/,
        );
        const { objects } = await connector.describe({});
        assert.equal(objects.find(({ name }) => name === 'incident')?.statistics.rowEstimate, undefined);
      });
    });
  }

  for (const onShortfall of ['fail', 'warn'] as const) {
    it(`detect hidden rows compensated by new ones (onShortfall: ${onShortfall})`, async () => {
      const settings = { pageSize: 10, concurrency: 1, onShortfall };
      await withCatalog({ settings }, async (connector, catalog, simulator) => {
        const { instance } = simulator;
        const rows = instance.data.get('incident') ?? [];
        const hidden = rows.slice(100, 103).map((record) => record['sys_id']);
        const mayRead = (_: string, record: SimulatedRecord): boolean => !hidden.includes(record['sys_id']);
        // Only the total count reveals pages filled without hidden rows.
        Object.assign(instance.settings, { pageCounts: 'readable', limitAfterAcl: true, mayRead });
        let pages = 0;
        simulator.onRequest = ({ path }) => {
          // New records have keys above all read ones, and arrive before the last page.
          if (path.endsWith('/table/incident') && (pages += 1) <= 5)
            rows.push({ ...rows[0], sys_id: `ffff${instance.newId().slice(4)}` });
        };
        const read = loaded(connector, [elementQuery(catalog)]);
        const said = /^The instance leaves records of incident out of its pages: 302 could be read: the user may/;
        if (onShortfall === 'fail') return assert.rejects(read, { code: 'source-incomplete', message: said });
        const [found] = await read;
        assert.equal(found?.rows.length, 302);
        assert.match(found.result.warnings.join(), said);
      });
    });
  }

  it('do not warn when records are only inserted during the read', async () => {
    await withCatalog({ settings: { pageSize: 10, concurrency: 1 } }, async (connector, catalog, simulator) => {
      const rows = simulator.instance.data.get('incident') ?? [];
      let pages = 0;
      simulator.onRequest = ({ path }) => {
        if (!path.endsWith('/table/incident') || (pages += 1) > 20) return;
        // Before and after everything read.
        for (const start of ['0000', 'ffff'])
          rows.push({ ...rows[0], sys_id: `${start}${simulator.instance.newId().slice(4)}` });
      };
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.ok(Number(found?.rows.length) >= 320);
      assert.deepEqual(found?.result.warnings, []);
    });
  });

  it('do not count deleted records as hidden when as many were inserted', async () => {
    await withCatalog({ settings: { pageSize: 10, concurrency: 1 } }, async (connector, catalog, simulator) => {
      const rows = simulator.instance.data.get('incident') ?? [];
      let pages = 0;
      simulator.onRequest = ({ path }) => {
        if (!path.endsWith('/table/incident') || (pages += 1) % 4 !== 0 || pages > 25) return;
        // The last record has not been read yet, and the new one sorts before everything read.
        rows.sort((one, other) => ((one['sys_id'] ?? '') < (other['sys_id'] ?? '') ? -1 : 1));
        const gone = rows.pop();
        rows.push({ ...gone, sys_id: `0000${simulator.instance.newId().slice(4)}` });
      };
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.ok(Number(found?.rows.length) < 300);
      assert.match(found?.result.warnings.join() ?? '', /some were deleted or changed while they were read\.$/);
    });
  });

  it('skip pages without readable records', async () => {
    await withCatalog({ settings: { pageSize: 5, onShortfall: 'warn' } }, async (connector, catalog, simulator) => {
      const visible = (record: SimulatedRecord): boolean =>
        /^[05bf]/.test(record['sys_id'] ?? '') && !/^[05bf][0-7]/.test(record['sys_id'] ?? '');
      simulator.instance.settings.mayRead = (table, record) => table !== 'incident' || visible(record);
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.deepEqual(found?.rows.length, incidents(simulator).filter(visible).length);
    });
  });

  it('warn about unreadable fields', async () => {
    await withCatalog({}, async (connector, catalog, { instance }) => {
      instance.settings.hiddenFields = new Set(['incident.state']);
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.deepEqual(found?.result.warnings, [
        'The user may not read these fields of incident, so they are empty: state.',
      ]);
    });
  });

  const unreadable =
    'The user may not read state of incident, which where filters by: which records it means is not known.';
  for (const invalidQuery of ['ignore', 'none', 'forbid'] as const) {
    it(`report a filter on an unreadable field, where instances ${invalidQuery}`, async () => {
      for (const where of ['state = 1', 'state IS NULL', 'state + 0 = 1', 'priority = 1 OR state = 2']) {
        for (const onShortfall of ['fail', 'warn']) {
          await withCatalog({ settings: { onShortfall } }, async (connector, catalog, { instance }) => {
            Object.assign(instance.settings, { invalidQuery, hiddenFields: new Set(['incident.state']) });
            const query = elementQuery(catalog, `    where: ${where}\n`);
            const isSent = !where.includes('+');
            const expected = {
              code: 'permission-denied',
              ...((invalidQuery !== 'forbid' || !isSent) && { message: unreadable }),
            };
            await assert.rejects(loaded(connector, [query]), expected, where);
            await assert.rejects(connector.preview(query, { limit: 5 }), expected, where);
          });
        }
      }
    });
  }

  it('accept an empty result when the filter is readable', async () => {
    await withCatalog({}, async (connector, catalog) => {
      const [found] = await loaded(connector, [elementQuery(catalog, '    where: state = 77\n')]);
      assert.deepEqual([found?.rows, found?.result.warnings], [[], []]);
    });
  });

  it('send no filter on a hidden field unless a shortfall is accepted', async () => {
    const mayReadField = (_: string, field: string, { number = '' }: SimulatedRecord): boolean =>
      field !== 'state' || !number.endsWith('3');
    const where = '    where: state < 100\n';
    await withCatalog({}, async (connector, catalog, { instance }) => {
      instance.settings.mayReadField = mayReadField;
      await assert.rejects(loaded(connector, [elementQuery(catalog, where)]), { message: unreadable });
      const [whole] = await loaded(connector, [elementQuery(catalog)]);
      assert.deepEqual(
        [whole?.rows.length, whole?.result.warnings],
        [300, ['The user may not read state of 30 records of incident: it is empty there.']],
      );
    });
    await withCatalog({ settings: { onShortfall: 'warn' } }, async (connector, catalog, { instance }) => {
      instance.settings.mayReadField = mayReadField;
      const [found] = await loaded(connector, [elementQuery(catalog, where)]);
      assert.equal(found?.rows.length, 270);
      assert.deepEqual(found.result.warnings, [
        'The user may not read state of 30 records of incident: where takes it for empty there.',
      ]);
    });
  });

  it('work without the Aggregate API when it refuses to count', async () => {
    await withCatalog({}, async (connector, catalog, { instance }) => {
      Object.assign(instance.settings, { statsForbidden: true, mayRead: hidesEverySecond });
      await assert.rejects(loaded(connector, [elementQuery(catalog)]), { code: 'source-incomplete' });
    });
  });

  it('stop when the instance ignores the condition on sys_id', async () => {
    await withCatalog({}, async (connector, catalog, { instance }) => {
      instance.settings.queryRange = false;
      await assert.rejects(loaded(connector, [elementQuery(catalog)]), {
        code: 'permission-denied',
        message: 'The instance ignores the condition on sys_id in queries of incident.',
      });
    });
  });

  it('learn the page size limit of the instance once', async () => {
    for (const concurrency of [1, 4]) {
      const settings = { pageSize: 400, concurrency };
      await withCatalog({ incidents: 2000, settings }, async (connector, catalog, simulator) => {
        const failed: number[] = [];
        const isTooMuch = ({ path, parameters }: SimulatedRequest): boolean => {
          const limit = Number(parameters.get('sysparm_limit'));
          const isCancelled = path.endsWith('/table/incident') && limit > 60;
          if (isCancelled) failed.push(limit);
          return isCancelled;
        };
        simulator.failNext({ kind: 'truncated', variant: 'malformed' }, { times: Infinity, on: isTooMuch });
        const from = simulator.requests.length;
        const [found] = await loaded(connector, [elementQuery(catalog)]);
        assert.equal(found?.rows.length, 2000);
        const pages = listQueries(simulator, from).length - failed.length;
        assert.ok(pages >= 40, `${pages} pages of 50 records`);
        // 400, 200 and 100 once per reader, and 100 again after 8 pages, after 16 more, and after 32 more.
        assert.ok(failed.length <= 3 * concurrency + 3, `${failed.length} failed requests: ${failed.join(', ')}`);
      });
    }
  });

  it('reduce the page size when a page exceeds the memory of a process', async () => {
    await withCatalog(
      { incidents: 60, settings: { pageSize: 40, concurrency: 1 } },
      async (connector, catalog, simulator) => {
        const isPage = ({ path }: SimulatedRequest): boolean => path.endsWith('/table/incident');
        simulator.failNext({ kind: 'endless' }, { on: isPage });
        const from = simulator.requests.length;
        const [found] = await loaded(connector, [elementQuery(catalog)]);
        assert.equal(found?.rows.length, 60);
        const limits = simulator.requests
          .slice(from)
          .filter(isPage)
          .map(({ parameters }) => parameters.get('sysparm_limit'));
        assert.deepEqual(limits.slice(0, 2), ['40', '20']);
      },
    );
  });

  it('contain every record that existed throughout, while others come and go', async () => {
    for (const seed of [1, 2, 3]) {
      await withCatalog({ seed, settings: { pageSize: 11 } }, async (connector, catalog, simulator) => {
        const { instance } = simulator;
        const rows = instance.data.get('incident') ?? [];
        const ever = new Set(rows.map((record) => record['sys_id'] ?? ''));
        const always = new Set(ever);
        let changes = 0;
        simulator.onRequest = ({ path }) => {
          if (!path.endsWith('/table/incident') || (changes += 1) > 60) return;
          if (changes % 10 === 0) simulator.failNext(changes % 20 === 0 ? { kind: 'cut-json' } : { kind: 'semaphore' });
          const gone = rows.splice(Math.floor(instance.random() * rows.length), 1)[0];
          always.delete(gone?.['sys_id'] ?? '');
          for (let added = 0; added < 2; added += 1) {
            const id = instance.newId();
            rows.push({ ...(rows[0] as SimulatedRecord), sys_id: id });
            ever.add(id);
          }
        };
        const [found] = await loaded(connector, [elementQuery(catalog)]);
        const ids = found?.rows.map((row) => row.slice(0, 32)) ?? [];
        assert.equal(new Set(ids).size, ids.length);
        assert.deepEqual(
          [...always].filter((id) => !ids.includes(id)),
          [],
        );
        assert.deepEqual(
          ids.filter((id) => !ever.has(id)),
          [],
        );
      });
    }
  });

  it('start reading a large table while the instance still counts it', async () => {
    await withCatalog({ settings: { pageSize: 5 } }, async (connector, catalog, simulator) => {
      simulator.failNext({ kind: 'never-answers' }, { on: isCount });
      const controller = new AbortController();
      const reason = new Error('the first page was asked for');
      simulator.onRequest = ({ path }) => {
        if (path.endsWith('/table/incident')) controller.abort(reason);
      };
      await assert.rejects(loaded(connector, [elementQuery(catalog)], { signal: controller.signal }), reason);
    });
  });

  it('stop when the instance fails to count', async () => {
    for (const pageSize of [5, 1000]) {
      await withCatalog({ settings: { pageSize } }, async (connector, catalog, simulator) => {
        simulator.failNext({ kind: 'status', status: 400 }, { on: isCount });
        await assert.rejects(loaded(connector, [elementQuery(catalog)]), /400/);
      });
    }
  });

  it('use a session for each key range, as an instance serialises the requests of a session', async () => {
    const settings = { pageSize: 20, concurrency: 4 };
    await withCatalog({ incidents: 1000, settings, latency: 3 }, async (connector, catalog, simulator) => {
      const before = simulator.sessions.begun;
      const from = simulator.requests.length;
      simulator.load.most = 0;
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.equal(found?.rows.length, 1000);
      assert.equal(simulator.load.most, 4);
      // One per worker, and one for each count before and after.
      assert.equal(simulator.sessions.begun - before, 6);
      assert.ok(simulator.requests.length - from > 50);
    });
  });

  it('stop on cancellation', async () => {
    await withCatalog({ settings: { pageSize: 5 }, latency: 5 }, async (connector, catalog) => {
      const controller = new AbortController();
      const reason = new Error('stopped by the user');
      setTimeout(() => controller.abort(reason), 60);
      await assert.rejects(loaded(connector, [elementQuery(catalog)], { signal: controller.signal }), reason);
    });
  });
});

function isCount({ path }: SimulatedRequest): boolean {
  return path.includes('/stats/');
}

function hidesOne(table: string, record: SimulatedRecord): boolean {
  return table !== 'incident' || record['number'] !== 'INC0000123';
}

/** Records with gaps of hidden ones longer than the number of readable ones. */
function showsFew(table: string, record: SimulatedRecord): boolean {
  return table !== 'incident' || /^[3c]/.test(record['sys_id'] ?? '');
}
