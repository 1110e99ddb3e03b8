import assert from 'node:assert/strict';
import type { Catalog } from '../../server/src/catalog/catalog.ts';
import type { SimulatedRequest } from '../simulator/http-answer.ts';

import type { Simulator } from '../simulator/simulator.ts';
import {
  expectedIncidents,
  importIncrementally,
  withIncrementalImport,
  type IncrementalImport,
} from '../support/incremental-imports.ts';
import { elementQuery, hidesEverySecond, loaded, withCatalog } from '../support/servicenow-queries.ts';
import { withInstance } from '../support/servicenow-source.ts';

type Matches = (request: SimulatedRequest) => boolean;

function queryOf({ parameters }: SimulatedRequest): string {
  return parameters.get('sysparm_query') ?? '';
}

const isFigure: Matches = ({ path }) => path.includes('/stats/incident');
const isNewestTime: Matches = (request) => isFigure(request) && request.parameters.has('sysparm_max_fields');
const isPlainCount: Matches = (request) => isFigure(request) && !request.parameters.has('sysparm_max_fields');
const isOfChanges: Matches = (request) =>
  request.path.endsWith('/table/incident') && queryOf(request).includes('sys_updated_on>=');
const isInOrderOfTime: Matches = (request) => queryOf(request).includes('ORDERBYDESC');
const isListedCount: Matches = ({ path, parameters }) =>
  path.endsWith('/table/incident') && parameters.get('sysparm_limit') === '1';

function cancel(simulator: Simulator, on: Matches, times: number): void {
  simulator.failNext({ kind: 'cancelled' }, { times, on });
}

/**
 * One row per query beside the pages of an import: its purpose, its requests, and the message when it is always
 * cancelled; none if that makes no difference.
 */
const helpers: readonly (readonly [
  what: string,
  on: Matches,
  said: { readonly whole?: RegExp; readonly wholeFiltered?: RegExp; readonly changes?: RegExp },
])[] = [
  [
    'the newest time',
    isNewestTime,
    { whole: /^The instance cancels the query for the newest record of incident: the next import cannot go on from/ },
  ],
  [
    'every figure',
    isFigure,
    {
      whole: /^The instance (?:cancels the query for the newest record|does not tell how many records) of incident/,
      changes:
        /^The instance does not tell how many records of incident there are, which proves that none of those kept is gone/,
    },
  ],
  [
    'a count',
    isPlainCount,
    {
      // Without a filter, the count comes with the newest time.
      wholeFiltered:
        /^The instance does not tell how many records of incident there are: whether all arrived is not known\.$/,
      changes:
        /^The instance does not tell how many records of incident there are, which proves that none of those kept is gone/,
    },
  ],
  [
    'what changed',
    isOfChanges,
    { changes: /^The instance does not tell what changed in incident since the import before: all of it was read\.$/ },
  ],
];

const filters = ['', '    where: state IN (1, 2)\n'];
const isWanted =
  (where: string) =>
  ({ state = '' }: { readonly state?: string }): boolean =>
    where === '' || /^[12]$/.test(state);

describe('ServiceNow auxiliary queries of an import', () => {
  for (const [what, on, said] of helpers) {
    for (const where of filters) {
      const name = `${what}${where === '' ? '' : ', filtered'}`;

      it(`are retried after one cancellation: ${name}`, async () => {
        await withIncrementalImport(120, async (simulator, folder) => {
          cancel(simulator, on, 1);
          const first = await importIncrementally(simulator, folder, { where });
          assertRows(simulator, first, where);
          assert.deepEqual(first.warnings, []);
          change(simulator);
          cancel(simulator, on, 1);
          const second = await importIncrementally(simulator, folder, { where });
          assertRows(simulator, second, where);
          assert.deepEqual(second.warnings, []);
          assert.ok(second.lists < first.lists, `${first.lists} then ${second.lists} requests`);
        });
      });

      it(`are optional in a full import: ${name}`, async () => {
        await withIncrementalImport(120, async (simulator, folder) => {
          cancel(simulator, on, Infinity);
          const first = await importIncrementally(simulator, folder, { where });
          assertRows(simulator, first, where);
          assertSaid(first, (where === '' ? undefined : said.wholeFiltered) ?? said.whole);
          change(simulator);
          assertRows(simulator, await importIncrementally(simulator, folder, { where }), where);
        });
      });

      it(`are optional in an incremental import: ${name}`, async () => {
        await withIncrementalImport(120, async (simulator, folder) => {
          await importIncrementally(simulator, folder, { where });
          change(simulator);
          cancel(simulator, on, Infinity);
          const second = await importIncrementally(simulator, folder, { where });
          assertRows(simulator, second, where);
          assertSaid(second, said.changes);
        });
      });
    }
  }

  for (const [what, on] of [
    ['the newest record in the order of time', isInOrderOfTime],
    ['the count that comes with a page', isListedCount],
  ] as const) {
    for (const times of [1, Infinity]) {
      it(`replace refused counts: ${what}, cancelled ${times} times`, async () => {
        await withIncrementalImport(120, async (simulator, folder) => {
          const { settings } = simulator.instance;
          // Figures are refused because of a record that no import needs.
          settings.statsForbidden = true;
          settings.mayRead = (_, { number }) => number !== 'INC0000120';
          const wanted = "    where: number <> 'INC0000120'\n";
          const options = { where: wanted, settings: { onShortfall: 'warn' } };
          cancel(simulator, on, times);
          const first = await importIncrementally(simulator, folder, options);
          const rows = expectedIncidents(simulator, ({ number }) => number !== 'INC0000120');
          assert.deepEqual(first.rows, rows);
          change(simulator);
          const changed = expectedIncidents(simulator, ({ number }) => number !== 'INC0000120');
          assert.deepEqual((await importIncrementally(simulator, folder, options)).rows, changed);
          if (times === Infinity && on === isInOrderOfTime)
            assert.match(first.warnings.join('\n'), /cancels the query for the newest record of incident/);
        });
      });
    }
  }

  for (const times of [1, Infinity]) {
    it(`find out whether a filter is readable, cancelled ${times} times`, async () => {
      await withCatalog({}, async (connector, catalog, simulator) => {
        const isProbe: Matches = (request) => request.path.endsWith('/table/incident') && queryOf(request) === '';
        cancel(simulator, isProbe, times);
        const [found] = await loaded(connector, [elementQuery(catalog, '    where: state = 77\n')]);
        assert.deepEqual(found?.rows, []);
        const said =
          times === 1 ? /^$/ : /^No record of incident meets where\. Whether the user may read what it filters/;
        assert.match(found.result.warnings.join('\n'), said);
      });
    });

    it(`distinguish hidden from deleted records, cancelled ${times} times`, async () => {
      for (const onShortfall of ['fail', 'warn']) {
        await withCatalog({ settings: { onShortfall } }, async (connector, catalog, simulator) => {
          // Only the total count includes the hidden ones.
          const counting = { pageCounts: 'readable', limitAfterAcl: true, mayRead: hidesEverySecond };
          Object.assign(simulator.instance.settings, counting);
          cancel(simulator, (request) => isFigure(request) && queryOf(request).includes('sys_id'), times);
          const found = loaded(connector, [elementQuery(catalog)]);
          if (onShortfall === 'warn') assert.equal((await found)[0]?.rows.length, 150);
          else {
            const why =
              times === 1
                ? /user may probably not read/
                : /: whether the others are hidden or were deleted meanwhile is not known/;
            await assert.rejects(found, { code: 'source-incomplete', message: why });
          }
        });
      }
    });
  }

  it('a cancelled query for the newest time keeps the row cache usable for the next import', async () => {
    await withIncrementalImport(120, async (simulator, folder) => {
      await importIncrementally(simulator, folder);
      cancel(simulator, isNewestTime, Infinity);
      change(simulator);
      const second = await importIncrementally(simulator, folder, { pulling: { isFull: true } });
      assertRows(simulator, second, '');
      assert.equal(second.warnings.length, 1);
      const third = await importIncrementally(simulator, folder);
      assertRows(simulator, third, '');
      assert.deepEqual([third.warnings, third.lists < second.lists], [[], true]);
    });
  });

  it('do not sort a large table', async () => {
    await withIncrementalImport(120, async (simulator, folder) => {
      for (let time = 0; time < 2; time += 1) {
        const { requests } = await importIncrementally(simulator, folder);
        assert.deepEqual(requests.filter(isInOrderOfTime), []);
      }
    });
  });
});

/** One row per discovery query: whether the catalog is the same without its response, and the message. */
const discovery: readonly (readonly [what: string, on: Matches, said: RegExp | undefined])[] = [
  [
    'the tables',
    isDictionary('sys_db_object'),
    /^The instance cancels queries of its dictionary.*: which tables there are/,
  ],
  ['the columns', isDictionary('sys_dictionary'), /^The instance cancels queries of its dictionary.*: columns/],
  ['the choices', isDictionary('sys_choice'), /^The instance cancels queries of its dictionary.*: choices/],
  ['the number of columns', ({ path }) => path.endsWith('/stats/sys_dictionary'), undefined],
  ['the number of records', isFigure, undefined],
  ['a record', ({ path }) => path.endsWith('/table/incident'), undefined],
];

function isDictionary(table: string): Matches {
  return ({ path }) => path.endsWith(`/table/${table}`);
}

describe('ServiceNow dictionary queries', () => {
  const settings = { tables: ['incident', 'problem'] };
  const shown = ({ objects }: Catalog) =>
    objects.map(({ name, columns }) => [
      name,
      columns.map((column) => [column.name, column.type, column.values?.length]),
    ]);

  for (const [what, on, said] of discovery) {
    it(`are retried after one cancellation: ${what}`, async () => {
      await withInstance({ incidents: 10, settings }, async (connector, simulator) => {
        const whole = await connector.describe({});
        cancel(simulator, on, 1);
        const again = await connector.describe({});
        assert.deepEqual([again.warnings, again.complete], [[], true]);
        assert.deepEqual(again.objects, whole.objects);
      });
    });

    it(`are optional when always cancelled: ${what}`, async () => {
      await withInstance({ incidents: 10, settings }, async (connector, simulator) => {
        const whole = await connector.describe({});
        cancel(simulator, on, Infinity);
        const without = await connector.describe({});
        assert.deepEqual(
          without.objects.map(({ name }) => name),
          ['incident', 'problem'],
        );
        if (said) assert.match(without.warnings[0] ?? '', said);
        else assert.deepEqual([without.warnings, shown(without)], [[], shown(whole)]);
        // The cached catalog is better than what sample records show.
        const known = await connector.describe({ known: whole });
        assert.deepEqual(shown(known), shown(whole));
        assert.equal(known.warnings.length, said ? 1 : 0);
        const later = await connector.describe({ known });
        assert.deepEqual(later.warnings, known.warnings);
      });
    });
  }

  it('are optional when neither the dictionary nor a record is readable', async () => {
    await withInstance({ incidents: 10, settings: { tables: ['incident'] } }, async (connector, simulator) => {
      cancel(simulator, ({ path }) => path.includes('/table/'), Infinity);
      const { objects, warnings, complete } = await connector.describe({});
      assert.deepEqual([objects[0]?.columns, complete], [[], false]);
      assert.match(
        warnings.join('\n'),
        /cancels the query for some records of incident, whose dictionary cannot be read/,
      );
    });
  });

  for (const [what, on] of [
    ['the first records', ({ parameters }) => parameters.get('sysparm_limit') === '100'],
    ['the dictionary', isDictionary('sys_dictionary')],
    ['counts', isFigure],
    ['the comparison of keys', (request) => queryOf(request).startsWith('sys_id>')],
    ['a record by its own time', (request) => queryOf(request).includes('sys_updated_on=')],
  ] as readonly (readonly [string, Matches])[]) {
    it(`are retried in a diagnosis: ${what}`, async () => {
      await withInstance({ incidents: 110, settings: { tables: ['incident'] } }, async (connector, simulator) => {
        cancel(simulator, on, 1);
        const checks = (await connector.diagnose?.({})) ?? [];
        assert.deepEqual(
          checks.filter(({ state }) => state !== 'ok'),
          [],
        );
        cancel(simulator, on, Infinity);
        const without = (await connector.diagnose?.({})) ?? [];
        const others = without.filter(({ state }) => state !== 'ok');
        if (what === 'counts') assert.deepEqual(others, []);
        else if (what !== 'the first records') {
          assert.deepEqual([others.length, others[0]?.name, others[0]?.state], [1, 'Service', 'warning']);
          assert.match(others[0]?.message ?? '', /^The instance cancels the query for/);
        }
      });
    });
  }

  it('fail a diagnosis when no record arrives in time', async () => {
    await withInstance({ incidents: 10, settings: { tables: ['incident'] } }, async (connector, simulator) => {
      cancel(simulator, ({ path }) => path.endsWith('/table/incident'), Infinity);
      const failed = (await connector.diagnose?.({}))?.filter(({ state }) => state === 'failed') ?? [];
      assert.deepEqual(
        failed.map(({ name, message }) => [name, message]),
        [
          [
            'Service',
            'The instance cancels the query for the first records of incident: it takes longer than the instance allows.',
          ],
        ],
      );
    });
  });
});

/** Changes a record, and makes a matching one stop matching the filter. */
function change({ instance }: Simulator): void {
  const rows = instance.data.get('incident') ?? [];
  const stamp = { sys_updated_on: '2024-06-01 10:00:00' };
  Object.assign(rows.find(({ state }) => state === '1') ?? {}, { ...stamp, state: '7' });
  Object.assign(rows.find(({ state }) => state === '3') ?? {}, { ...stamp, state: '2' });
}

function assertRows(simulator: Simulator, { rows }: IncrementalImport, where: string): void {
  assert.deepEqual(rows, expectedIncidents(simulator, isWanted(where)));
}

/** Asserts that an import gave a warning of this kind; without a kind, none. */
function assertSaid({ warnings }: IncrementalImport, said: RegExp | undefined): void {
  if (!said) assert.deepEqual(warnings, []);
  else
    assert.ok(
      warnings.some((warning) => said.test(warning)),
      warnings.join('\n'),
    );
}
