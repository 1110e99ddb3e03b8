import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { draftGraph } from '../../server/src/draft/draft.ts';
import type { SampleCell } from '../../server/src/draft/table-sample.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { fileQuery } from '../support/csv-source.ts';
import { assertGrows, assertGrowsInProportion } from '../support/doubling.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { csvSources, graphText, withProject } from '../support/import-text.ts';
import { importAt, withLogProject } from '../support/log-projects.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { countSoak, soakList } from '../support/soak.ts';
import { folderWith, removeFolder, writeFiles } from '../support/temporary-folder.ts';

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

/** Draws a first graph of a table with so many columns of different kinds. */
function draftOf(count: number, of: (column: number) => 'text' | 'integer' | 'timestamp'): () => unknown {
  const columns = numbers(count).map((index) => ({
    name: ['case_id', 'activity', 'happened_at'][index] ?? `c${index}`,
    type: 'any',
    sense: index < 2 ? ('text' as const) : index === 2 ? ('timestamp' as const) : of(index),
    nullable: true,
    primaryKey: false,
  }));
  const rows = numbers(200).map((row) =>
    columns.map(({ sense }, index): SampleCell => {
      if (index === 0) return `C${Math.floor(row / 5)}`;
      if (index === 1) return `step ${row % 5}`;
      if (sense === 'timestamp') return new Date(Date.UTC(2024) + row * 60_000 + index * 1000).toISOString();
      return sense === 'text' ? `v${(row * (index + 7)) % 97}` : (row * (index + 3)) % 91;
    }),
  );
  const object = {
    ...{ name: 'event_log', kind: 'table' as const, path: ['event_log'], columns, primaryKey: [], foreignKeys: [] },
    statistics: { columnCount: count },
  };
  const sample = { columns: columns.map(({ name }) => name), rows, isWhole: true };
  return () =>
    draftGraph({
      ...{ name: 'Log', catalog: { dataSource: 'shop', dialect: 'duckdb' }, inputs: [{ object, sample }] },
      ...{ areNamed: true, special: new Map(), answers: [] },
    });
}

const events = 25;

/** A log with relations of so many qualifiers, spread over a few events of one type. */
function logWith(qualifiers: number): string {
  const ids = numbers(qualifiers);
  return JSON.stringify({
    objectTypes: [{ name: 'order', attributes: [] }],
    eventTypes: [{ name: 'pay', attributes: [] }],
    objects: ids.map((id) => ({ id: `o${id}`, type: 'order', attributes: [], relationships: [] })),
    events: numbers(events).map((event) => ({
      ...{ id: `e${event}`, type: 'pay', time: '2024-01-01T10:00:00Z', attributes: [] },
      relationships: ids
        .filter((id) => id % events === event)
        .map((id) => ({ objectId: `o${id}`, qualifier: `q${id}` })),
    })),
  });
}

const cells = [12, 'abc', 1.5, '2024-01-01', '2024-01-01 10:00:00', true];

/** Records with so many fields of several kinds. */
function wideRecords(columns: number): readonly Readonly<Record<string, unknown>>[] {
  const fields = numbers(columns).map((index) => [`c${index}`, cells[index % cells.length]] as const);
  return numbers(20).map((row) => ({ id: `K${row}`, at: '2024-01-01 10:00:00', ...Object.fromEntries(fields) }));
}

function csvOf(records: readonly Readonly<Record<string, unknown>>[]): string {
  const lines = [Object.keys(records[0] ?? {}), ...records.map((record) => Object.values(record))];
  return lines.map((line) => `${line.join(',')}\n`).join('');
}

/** An element on the data object `a`. */
function elementOn(object: string, activity: string, properties: readonly string[]): string {
  return `  - { activityName: ${activity}, dataObject: ${object}, entityType: E, key: id, startTimestamp: at, properties: [${properties.join(', ')}] }\n`;
}

const wide = (count: number, properties: number): string =>
  graphText(
    elementOn(
      'a',
      'A',
      numbers(Math.min(count, properties)).map((index) => `c${index}`),
    ),
  );

/** Imports of so much, each from nothing; `files` without the sources file if that reads CSV files. */
function importOf(files: Readonly<Record<string, string>>): () => Promise<void> {
  return () =>
    withProject({ 'entity-sources.yaml': csvSources().replace('*.csv', '*'), ...files }, async (project) => {
      const { status, error } = await project.import();
      assert.equal(status, 'imported', error?.message);
    });
}

const small = csvOf(wideRecords(2));

/** What an import may have more of, with how many it has at first. */
const imports: readonly {
  readonly by: string;
  readonly from: number;
  readonly files: (count: number) => Readonly<Record<string, string>>;
}[] = [
  {
    ...{ by: 'columns of a CSV file', from: 1000 },
    files: (count) => ({ 'a.csv': csvOf(wideRecords(count)), 'graph.entity.yaml': wide(count, 2) }),
  },
  {
    ...{ by: 'properties', from: 500 },
    files: (count) => ({ 'a.csv': csvOf(wideRecords(count)), 'graph.entity.yaml': wide(count, count) }),
  },
  {
    ...{ by: 'fields of a JSON file', from: 500 },
    files: (count) => ({ 'a.json': JSON.stringify(wideRecords(count)), 'graph.entity.yaml': wide(count, count) }),
  },
  {
    // Deeper values are JSON text.
    ...{ by: 'objects in each other', from: 5 },
    files: (count) => {
      const records = wideRecords(0).map((record) => {
        const value = numbers(count).reduce((inner: object, n) => ({ o: inner, at: '2024-01-01T10:00:00Z', n }), {});
        return { ...record, c0: value };
      });
      return { 'a.json': JSON.stringify(records), 'graph.entity.yaml': wide(1, 1) };
    },
  },
  {
    ...{ by: 'parts', from: 25 },
    files: (count) => ({
      ...Object.fromEntries(numbers(count).map((index) => [`p-${index}.csv`, small.replaceAll('K', `K${index}-`)])),
      'entity-sources.yaml': csvSources(', parts: { a: "p-*.csv" }'),
      'graph.entity.yaml': wide(1, 1),
    }),
  },
  {
    ...{ by: 'files, with an element each', from: 25 },
    files: (count) => ({
      ...Object.fromEntries(numbers(count).map((index) => [`f${index}.csv`, small])),
      'graph.entity.yaml': graphText(
        numbers(count)
          .map((index) => elementOn(`f${index}`, `A${index}`, ['c0']))
          .join(''),
      ),
    }),
  },
  {
    ...{ by: 'elements on one file', from: 25 },
    files: (count) => ({
      'a.csv': small,
      'graph.entity.yaml': graphText(
        numbers(count)
          .map((index) => elementOn('a', `A${index}`, ['c0']))
          .join(''),
      ),
    }),
  },
  {
    ...{ by: 'relationships', from: 25 },
    files: (count) => ({
      'a.csv': small,
      'graph.entity.yaml': graphText(
        elementOn('a', 'A', []) + elementOn('a', 'B', []),
        numbers(count)
          .map((index) => `  - { name: R${index}, source: A, target: B, mappings: [{ source: id, target: id }] }\n`)
          .join(''),
      ),
    }),
  },
  {
    ...{ by: 'process rules', from: 50 },
    files: (count) => ({
      'a.csv': small,
      'graph.entity.yaml': `${graphText(elementOn('a', 'A', []) + elementOn('a', 'B', []))}rules:\n${numbers(count)
        .map(
          (index) =>
            `  - { name: R${index}, each: { entityType: E }, expect: [{ from: A, to: B, atMost: ${index}d }] }\n`,
        )
        .join('')}`,
    }),
  },
];

/** A XES log whose events have so many attributes. */
function xesWith(attributes: number): string {
  const own = numbers(attributes).map((index) => `<int key="k${index}" value="${index}"/>`);
  const event = `<event><string key="concept:name" value="A"/><date key="time:timestamp" value="2024-01-01T10:00:00Z"/>${own.join('')}</event>`;
  const traces = ['a', 'b'].map(
    (name) => `<trace><string key="concept:name" value="${name}"/>${event.repeat(5)}</trace>`,
  );
  return `<log xes.version="1.0">${traces.join('')}</log>`;
}

/** An OCEL log whose events and objects have so many attributes. */
function ocelWith(attributes: number): string {
  const ids = numbers(attributes);
  const types = ids.map((index) => ({ name: `k${index}`, type: 'integer' }));
  const time = '2024-01-01T10:00:00Z';
  return JSON.stringify({
    objectTypes: [{ name: 'order', attributes: types }],
    eventTypes: [{ name: 'pay', attributes: types }],
    objects: numbers(5).map((object) => ({
      ...{ id: `o${object}`, type: 'order', relationships: [] },
      attributes: ids.map((index) => ({ name: `k${index}`, time, value: index })),
    })),
    events: numbers(10).map((event) => ({
      ...{ id: `e${event}`, type: 'pay', time },
      attributes: ids.map((index) => ({ name: `k${index}`, value: index })),
      relationships: [{ objectId: `o${event % 5}`, qualifier: 'paid' }],
    })),
  });
}

const logs = [
  ['xes', xesWith],
  ['ocel', ocelWith],
] as const;

describe('twice as much takes at most 2.3 times as long', () => {
  let folder = '';
  before(async () => {
    folder = await folderWith({});
  });
  after(() => removeFolder(folder));

  const withSource = async <T>(
    settings: Readonly<Record<string, unknown>>,
    use: (connector: Connector) => Promise<T>,
  ): Promise<T> => {
    const connector = await createConnector(dataSource('source', settings), { folder, ...noSecrets });
    return use(connector).finally(() => connector.close());
  };

  it('first graphs by the columns of a log, of several kinds', () =>
    assertGrowsInProportion(200, async (count) =>
      draftOf(count, (column) => (['text', 'integer', 'timestamp'] as const)[column % 3] ?? 'text'),
    ));

  it('first graphs by columns that could be the case or the activity', () =>
    assertGrowsInProportion(200, async (count) => draftOf(count, () => 'text')));

  it('first graphs by columns that could be the time', () =>
    assertGrowsInProportion(200, async (count) => draftOf(count, () => 'timestamp')));

  it('catalogs and imports of OCEL by the qualifiers of an event type', () =>
    assertGrowsInProportion(250, async (count) => {
      const log = `qualifiers-${count}.json`;
      await writeFiles(folder, { [log]: logWith(count) });
      const settings = { kind: 'ocel', path: log };
      return () =>
        withSource(settings, async (connector) => {
          await connector.describe({});
          await withBuildDatabase(async (staging) => {
            const pull = await connector.openPull(staging, {});
            await pull.load(fileQuery('SELECT * FROM event_pay', ['event_pay']), 'staged', {});
            await pull.close();
          });
        });
    }));

  it('catalogs of DuckDB files by their tables', () =>
    assertGrowsInProportion(100, async (count) => {
      const file = `tables-${count}.duckdb`;
      const tables = numbers(count).map((index) => `CREATE TABLE t${index} (a INTEGER PRIMARY KEY, b VARCHAR)`);
      await createDuckdbFile(join(folder, file), tables);
      return () => withSource({ kind: 'duckdb', path: file }, (connector) => connector.describe({}));
    }));

  // All but three of them run in the soak only: most of their time is that of large imports.
  const inEveryRun = ['columns of a CSV file', 'parts', 'elements on one file'];
  const checks: readonly (readonly [by: string, check: () => Promise<void>])[] = [
    ...imports.map(
      ({ by, from, files }) =>
        [by, () => assertGrowsInProportion(from, async (count) => importOf(files(count)))] as const,
    ),
    ...logs.map(
      ([kind, text]) =>
        [
          `attributes of ${kind}`,
          () =>
            assertGrowsInProportion(250, async (count) => {
              const log = `${kind}-${count}.${kind === 'xes' ? 'xes' : 'json'}`;
              await writeFiles(folder, { [log]: text(count) });
              return () =>
                withLogProject(kind, join(folder, log), async ({ graph }) => {
                  assert.equal((await importAt(graph)).status, 'imported');
                });
            }),
        ] as const,
    ),
    [
      'columns, four and three times as many of them',
      () =>
        assertGrows([250, 1000, 3000], 4, async (count) =>
          importOf({ 'a.csv': csvOf(wideRecords(count)), 'graph.entity.yaml': wide(count, 2) }),
        ),
    ],
  ];
  const few = checks.filter(([by]) => inEveryRun.includes(by));
  assert.equal(few.length, inEveryRun.length);
  for (const [by, check] of soakList(checks, few)) {
    it(`imports by ${by}`, async () => {
      await check();
      countSoak();
    });
  }
});
