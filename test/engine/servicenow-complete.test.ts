import assert from 'node:assert/strict';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import { elementQuery, hidesEverySecond, incidents, loaded, withCatalog } from '../support/servicenow-queries.ts';

describe('queries of the platform: completeness', () => {
  it('fails when rows are hidden, and says why', async () => {
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

  it('imports what may be read when the settings say so, with a warning', async () => {
    await withCatalog({ settings: { onShortfall: 'warn' } }, async (connector, catalog, simulator) => {
      simulator.instance.settings.mayRead = hidesEverySecond;
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      const readable = incidents(simulator).filter((record) => hidesEverySecond('incident', record));
      assert.equal(found?.rows.length, readable.length);
      assert.match(found?.result.warnings[0] ?? '', /counts 300 records of incident, but only \d+ could be read/);
    });
  });

  it('steps over pages of which nothing may be read', async () => {
    await withCatalog({ settings: { pageSize: 5, onShortfall: 'warn' } }, async (connector, catalog, simulator) => {
      const visible = (record: SimulatedRecord): boolean =>
        /^[05bf]/.test(record['sys_id'] ?? '') && !/^[05bf][0-7]/.test(record['sys_id'] ?? '');
      simulator.instance.settings.mayRead = (table, record) => table !== 'incident' || visible(record);
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.deepEqual(found?.rows.length, incidents(simulator).filter(visible).length);
    });
  });

  it('warns of fields that may not be read', async () => {
    await withCatalog({}, async (connector, catalog, { instance }) => {
      instance.settings.hiddenFields = new Set(['incident.state']);
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.deepEqual(found?.result.warnings, [
        'The user may not read these fields of incident, so they are empty: state.',
      ]);
    });
  });

  it('does without the Aggregate API where it refuses to count', async () => {
    await withCatalog({}, async (connector, catalog, { instance }) => {
      Object.assign(instance.settings, { statsForbidden: true, mayRead: hidesEverySecond });
      await assert.rejects(loaded(connector, [elementQuery(catalog)]), { code: 'source-incomplete' });
    });
  });

  it('never goes round in circles where the condition on sys_id is ignored', async () => {
    await withCatalog({}, async (connector, catalog, { instance }) => {
      instance.settings.queryRange = false;
      await assert.rejects(loaded(connector, [elementQuery(catalog)]), {
        code: 'permission-denied',
        message: 'The instance ignores the condition on sys_id in queries of incident.',
      });
    });
  });

  it('halves pages that take the instance too long', async () => {
    await withCatalog({ settings: { pageSize: 1000 } }, async (connector, catalog, simulator) => {
      const isLarge = (limit: string | null): boolean => Number(limit) > 100;
      simulator.failNext(
        { kind: 'truncated', variant: 'malformed' },
        {
          times: 99,
          on: ({ path, parameters }) => path.endsWith('/incident') && isLarge(parameters.get('sysparm_limit')),
        },
      );
      const [found] = await loaded(connector, [elementQuery(catalog)]);
      assert.equal(found?.rows.length, 300);
    });
  });

  it('has every record that was there all the time while others come and go', async () => {
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

  it('ends on request', async () => {
    await withCatalog({ settings: { pageSize: 5 }, latency: 5 }, async (connector, catalog) => {
      const controller = new AbortController();
      const reason = new Error('stopped by the user');
      setTimeout(() => controller.abort(reason), 60);
      await assert.rejects(loaded(connector, [elementQuery(catalog)], { signal: controller.signal }), reason);
    });
  });
});
