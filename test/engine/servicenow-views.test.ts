import assert from 'node:assert/strict';
import { findColumn, findDataObject, type Catalog } from '../../server/src/catalog/catalog.ts';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { draftGraph } from '../../server/src/draft/draft.ts';
import { parseEntityGraph } from '../../server/src/model/parse-model.ts';
import { buildElementQuery } from '../../server/src/query/build-query.ts';
import type { CompiledQuery } from '../../server/src/query/compiled-query.ts';
import type { SimulatedRecord } from '../simulator/demo-data.ts';
import type { InstanceSettings } from '../simulator/instance.ts';
import { simulatedViews } from '../simulator/schema.ts';
import type { Simulator } from '../simulator/simulator.ts';
import { viewRows } from '../simulator/view-rows.ts';
import { importIncrementally, withIncrementalImport, type ImportedElement } from '../support/incremental-imports.ts';
import { loaded, withCatalog } from '../support/servicenow-queries.ts';

const tables = ['incident_metric', 'u_incident_problem', 'u_incident_states', 'incident'];
const small = { incidents: 40, settings: { tables, pageSize: 7 } };

/** An element on each of the views. */
const elements: Readonly<Record<string, { readonly lines: string; readonly columns: readonly string[] }>> = {
  incident_metric: {
    lines: 'key: mi_sys_id\n    startTimestamp: mi_start\n    properties: [md_name, inc_number, mi_duration]',
    columns: ['mi_sys_id', 'md_name', 'inc_number'],
  },
  u_incident_problem: {
    lines: 'key: inc_sys_id\n    startTimestamp: inc_opened_at\n    properties: [inc_number, prb_number, tc_ci_item]',
    columns: ['inc_number', 'prb_number', 'tc_ci_item'],
  },
  u_incident_states: {
    lines: 'key: inc_state\n    startTimestamp: inc_opened_at\n    properties: [inc_state, inc_priority]',
    columns: ['inc_state', 'inc_priority'],
  },
};

function queryOf(catalog: Catalog, view: string, where = ''): CompiledQuery {
  const filter = where === '' ? '' : `\n    where: "${where}"`;
  const text = `version: 1\nname: T\ndataSource: itsm\nelements:\n  - activityName: A\n    dataObject: ${view}\n    ${elements[view]?.lines}${filter}\n`;
  const { graph } = parseEntityGraph(text);
  const built = graph.elements[0] && buildElementQuery(graph, graph.elements[0], catalog);
  assert.ok(built && 'query' in built, JSON.stringify(built));
  return built.query;
}

/** The chosen columns of rows as returned by a query, sorted. */
function shownOf(query: CompiledQuery, rows: readonly string[], view: string): readonly string[] {
  const places = (elements[view]?.columns ?? []).map((name) => query.columns.indexOf(name));
  return rows.map((row) => places.map((place) => row.split('|')[place]).join('|')).sort();
}

function expectedRows(
  { instance }: Simulator,
  view: string,
  selects: (row: SimulatedRecord) => boolean = () => true,
): readonly string[] {
  const found = simulatedViews.get(view);
  assert.ok(found);
  return viewRows(instance.data, found)
    .filter(selects)
    .map((row) => (elements[view]?.columns ?? []).map((name) => row[name] ?? '').join('|'))
    .sort();
}

async function loadedView(connector: Connector, catalog: Catalog, view: string, where?: string) {
  const query = queryOf(catalog, view, where);
  const [found] = await loaded(connector, [query]);
  return { rows: shownOf(query, found?.rows ?? [], view), warnings: found?.result.warnings ?? [] };
}

describe('ServiceNow database views', () => {
  it('are distinguished from tables, and have the columns of the joined tables', async () => {
    await withCatalog(small, async (_connector, catalog) => {
      assert.deepEqual([catalog.warnings, catalog.complete], [[], true]);
      const view = findDataObject(catalog, 'incident_metric');
      assert.deepEqual(
        [view?.kind, view?.comment, view?.primaryKey, view?.statistics.rowEstimate],
        ['view', 'Incident Metric (database view)', [], 46],
      );
      const shown = (name: string) => {
        const found = view && findColumn(view, name);
        return [found?.type, found?.sourceType, found?.comment, found?.identifying ?? false, found?.nullable];
      };
      assert.deepEqual(shown('mi_start'), [
        ...['TIMESTAMP WITH TIME ZONE', 'glide_date_time', 'Metric › Start', false, true],
      ]);
      assert.deepEqual(shown('mi_sys_id'), ['VARCHAR', 'GUID', 'Metric › Sys id', true, false]);
      assert.deepEqual(shown('inc_number'), ['VARCHAR', 'string', 'Incident › Number', false, true]);
      assert.equal(view && findColumn(view, 'sys_id'), undefined);
      assert.deepEqual(view && findColumn(view, 'inc_problem_id')?.references, undefined);
      const joined = findDataObject(catalog, 'u_incident_problem');
      assert.deepEqual(
        joined?.columns.filter(({ identifying }) => identifying).map(({ name, nullable }) => [name, nullable]),
        [
          ['inc_sys_id', false],
          ['prb_sys_id', true],
          ['tc_sys_id', true],
        ],
      );
      assert.deepEqual(
        findDataObject(catalog, 'u_incident_states')?.columns.map(({ name }) => name),
        ['inc_opened_at', 'inc_priority', 'inc_state'],
      );
      assert.equal(findDataObject(catalog, 'incident')?.kind, 'table');
    });
  });

  for (const view of Object.keys(elements)) {
    for (const viewKeys of ['absent', 'empty', 'repeated'] as const) {
      it(`are read completely page by page: ${view}, sys_id ${viewKeys}`, async () => {
        for (const settings of [
          { pageSize: 7, concurrency: 1 },
          { pageSize: 7, concurrency: 4 },
          { pageSize: 500, concurrency: 4 },
        ]) {
          await withCatalog({ ...small, settings: { tables, ...settings } }, async (connector, catalog, simulator) => {
            simulator.instance.settings.viewKeys = viewKeys;
            const { rows, warnings } = await loadedView(connector, catalog, view);
            assert.deepEqual(rows, expectedRows(simulator, view));
            const isTold = view !== 'u_incident_states' || settings.pageSize > 40;
            assert.deepEqual(
              warnings,
              isTold
                ? []
                : [
                    'Nothing tells the rows of u_incident_states apart: where it changed while it was read, some may be missing or there twice.',
                  ],
            );
          });
        }
      });
    }
  }

  for (const view of Object.keys(elements)) {
    it(`are whole on an instance with small pages: ${view}`, async () => {
      await withCatalog({ ...small, settings: { tables, pageSize: 500 } }, async (connector, catalog, simulator) => {
        simulator.instance.settings.maxPage = 7;
        const { rows, warnings } = await loadedView(connector, catalog, view);
        assert.deepEqual([rows, warnings], [expectedRows(simulator, view), []]);
      });
    });
  }

  const filters: readonly (readonly [view: string, where: string, selects: (row: SimulatedRecord) => boolean])[] = [
    [
      'incident_metric',
      "md_name = 'Open' AND inc_state IN (1, 2)",
      (row) => row['md_name'] === 'Open' && /^[12]$/.test(row['inc_state'] ?? ''),
    ],
    ['u_incident_problem', 'prb_sys_id IS NULL', (row) => row['prb_sys_id'] === ''],
    ['u_incident_states', 'inc_priority = 1', (row) => row['inc_priority'] === '1'],
  ];
  for (const [view, where, selects] of filters) {
    it(`are filtered on the instance: ${view}, ${where}`, async () => {
      await withCatalog(small, async (connector, catalog, simulator) => {
        const before = simulator.requests.length;
        const { rows } = await loadedView(connector, catalog, view, where);
        assert.deepEqual(rows, expectedRows(simulator, view, selects));
        assert.ok(rows.length > 0);
        const asked = simulator.requests.slice(before).map(({ parameters }) => parameters.get('sysparm_query') ?? '');
        const [first = ''] = where.split(' ');
        assert.ok(asked.length > 0 && asked.every((query) => query.includes(first)), asked.join('\n'));
      });
    });
  }

  it('contain every row that existed throughout, and none twice, while others come and go', async () => {
    for (const view of ['incident_metric', 'u_incident_problem']) {
      await withCatalog(
        { ...small, incidents: 100, settings: { tables, pageSize: 9, onShortfall: 'warn' } },
        async (connector, catalog, simulator) => {
          const rows = simulator.instance.data.get(view === 'incident_metric' ? 'metric_instance' : 'task_ci') ?? [];
          const always = new Set(expectedRows(simulator, view));
          let pages = 0;
          simulator.onRequest = ({ path }) => {
            if (!path.endsWith(`/table/${view}`) || (pages += 1) > 30) return;
            if (pages % 2 === 0) rows.splice((pages * 7) % rows.length, 1);
            else rows.push({ ...rows[pages], sys_id: simulator.instance.newId() });
            const now = new Set(expectedRows(simulator, view));
            for (const row of always) if (!now.has(row)) always.delete(row);
          };
          const { rows: found } = await loadedView(connector, catalog, view);
          assert.deepEqual(
            [...always].filter((row) => !found.includes(row)),
            [],
          );
          if (view === 'incident_metric') assert.equal(new Set(found).size, found.length);
        },
      );
    }
  });

  it('fail when rows are hidden, without advice about permissions on missing fields', async () => {
    const hides = (table: string, row: SimulatedRecord): boolean =>
      !tables.includes(table) || !(row['inc_number'] ?? '').endsWith('3');
    for (const counting of [{}, { pageCounts: 'readable', limitAfterAcl: true }] as Partial<InstanceSettings>[]) {
      for (const view of Object.keys(elements)) {
        for (const onShortfall of ['fail', 'warn']) {
          const settings = { tables, pageSize: 7, onShortfall };
          await withCatalog({ ...small, settings }, async (connector, catalog, simulator) => {
            const mayRead =
              view === 'u_incident_states'
                ? (table: string, row: SimulatedRecord) => table !== view || row['inc_state'] !== '1'
                : hides;
            Object.assign(simulator.instance.settings, { ...counting, mayRead });
            const found = loadedView(connector, catalog, view);
            if (onShortfall === 'warn') {
              assert.match((await found).warnings.join('\n'), /The instance counts \d+ records of/);
            } else {
              await assert.rejects(found, (error: Error & { details?: { remedy?: string } }) => {
                assert.match(error.message, /^The instance counts \d+ records of .*, but only \d+ could be read/);
                assert.doesNotMatch(`${error.message} ${error.details?.remedy}`, /sys_id/);
                return true;
              });
            }
          });
        }
      }
    }
  });

  it('are recognised by their records when the dictionary is not readable', async () => {
    for (const viewKeys of ['absent', 'empty', 'repeated'] as const) {
      await withCatalog(small, async (connector, _catalog, simulator) => {
        simulator.instance.settings.viewKeys = viewKeys;
        simulator.instance.settings.mayRead = (table) => !/^sys_(?:db_|dictionary)/.test(table);
        const catalog = await connector.describe({});
        for (const view of ['incident_metric', 'u_incident_problem']) {
          assert.equal(findDataObject(catalog, view)?.kind, 'view');
          const warning = catalog.warnings.find((each) => each.includes(view));
          assert.match(warning ?? '', new RegExp(`the dictionary of ${view}, which is a database view: its columns`));
          const { rows } = await loadedView(connector, catalog, view);
          assert.deepEqual(rows, expectedRows(simulator, view));
        }
        assert.equal(findDataObject(catalog, 'incident')?.kind, 'table');
      });
    }
  });

  it('are read when neither the dictionary nor counts include them', async () => {
    await withCatalog(small, async (connector, _catalog, simulator) => {
      Object.assign(simulator.instance.settings, { viewFigures: false, viewsDescribed: false });
      const catalog = await connector.describe({});
      for (const view of Object.keys(elements)) {
        const found = findDataObject(catalog, view);
        assert.deepEqual([found?.kind, found?.statistics.rowEstimate], ['view', undefined]);
        const { rows, warnings } = await loadedView(connector, catalog, view);
        assert.deepEqual(rows, expectedRows(simulator, view));
        assert.match(warnings.join('\n'), /^The instance refuses to count the records of/m);
      }
      await assert.rejects(
        withCatalog({ ...small, settings: { tables: ['nothing'] } }, async () => undefined),
        { code: 'object-missing', message: 'The instance has no table nothing.' },
      );
    });
  });

  it('have their unique columns as key in a new entity graph', async () => {
    await withCatalog(small, async (_connector, catalog) => {
      const views = catalog.objects.filter(({ kind }) => kind === 'view');
      const inputs = views.map((object) => ({ object }));
      const draft = draftGraph({ name: 'T', catalog, inputs, areNamed: true, special: new Map(), answers: [] });
      const { graph } = parseEntityGraph(draft.text);
      assert.deepEqual(
        graph.elements.map(({ dataObject, key }) => [dataObject?.value, key?.map(({ value }) => value)]),
        [
          ['incident_metric', ['md_sys_id', 'mi_sys_id', 'inc_sys_id']],
          ['u_incident_problem', ['inc_sys_id']],
        ],
      );
    });
  });

  it('are read completely by incremental imports', async () => {
    await withIncrementalImport(40, async (simulator, folder) => {
      const element: ImportedElement = {
        dataObject: 'incident_metric',
        body: '    key: mi_sys_id\n    startTimestamp: mi_start\n    properties: [inc_number, inc_state]\n',
        shown: ['mi_sys_id', 'inc_number', 'inc_state'],
      };
      const wanted = (): readonly string[] => {
        const view = simulatedViews.get('incident_metric');
        return view
          ? viewRows(simulator.instance.data, view)
              .map((row) => element.shown.map((name) => row[name]).join('|'))
              .sort()
          : [];
      };
      for (let time = 0; time < 2; time += 1) {
        const { rows, warnings } = await importIncrementally(simulator, folder, { element, settings: { tables } });
        assert.deepEqual([rows, warnings], [wanted(), []]);
        // The content of a view changes with its records, and has no time of change.
        for (const record of simulator.instance.data.get('incident') ?? []) record['state'] = '9';
      }
    });
  });

  it('are read with smaller pages when pages take too long', async () => {
    for (const view of Object.keys(elements)) {
      await withCatalog({ ...small, settings: { tables, pageSize: 40 } }, async (connector, catalog, simulator) => {
        simulator.failNext(
          { kind: 'cancelled' },
          {
            times: Infinity,
            on: ({ path, parameters }) =>
              path.endsWith(`/table/${view}`) && Number(parameters.get('sysparm_limit')) > 9,
          },
        );
        assert.deepEqual((await loadedView(connector, catalog, view)).rows, expectedRows(simulator, view));
      });
    }
  });

  it('can be previewed', async () => {
    await withCatalog(small, async (connector, catalog, simulator) => {
      for (const view of Object.keys(elements)) {
        const { rows, truncated } = await connector.preview(queryOf(catalog, view), { limit: 5 });
        assert.deepEqual([rows.length, truncated], [5, true]);
        const all = await connector.preview(queryOf(catalog, view), { limit: 1000 });
        assert.equal(all.rows.length, expectedRows(simulator, view).length);
      }
    });
  });

  it('require a key in an entity graph', async () => {
    await withCatalog(small, async (_connector, catalog) => {
      const text =
        'version: 1\nname: T\ndataSource: itsm\nelements:\n  - { activityName: A, dataObject: incident_metric, startTimestamp: mi_start }\n';
      const { graph } = parseEntityGraph(text);
      const built = graph.elements[0] && buildElementQuery(graph, graph.elements[0], catalog);
      assert.ok(built && 'problems' in built);
      assert.deepEqual(
        built.problems.map(({ code }) => code),
        ['missing-key'],
      );
    });
  });

  it('are shown with their requests', async () => {
    for (const view of Object.keys(elements)) {
      await withCatalog({ ...small, settings: { tables, pageSize: 500 } }, async (connector, catalog, simulator) => {
        const query = queryOf(catalog, view);
        const steps = await connector.steps(query, { kind: 'import', queries: [query] });
        const planned = steps
          .filter(({ kind }) => kind === 'http')
          .flatMap(({ text }) => Array.from(text.matchAll(/^GET (\S+)$/gm), ([, url = '']) => url));
        const before = simulator.requests.length;
        await loaded(connector, [query]);
        const sent = simulator.requests
          .slice(before)
          .map(({ path, parameters }) => `${simulator.url}${path}?${parameters.toString()}`);
        assert.deepEqual([...new Set(sent)].sort(), [...new Set(planned)].sort());
      });
    }
  });
});
