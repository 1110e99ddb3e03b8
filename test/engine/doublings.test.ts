import { join } from 'node:path';
import type { Connector } from '../../server/src/connectors/connector.ts';
import { draftGraph } from '../../server/src/draft/draft.ts';
import type { SampleCell } from '../../server/src/draft/table-sample.ts';
import { withBuildDatabase } from '../support/build-database.ts';
import { createConnector } from '../support/create-connector.ts';
import { fileQuery } from '../support/csv-source.ts';
import { assertGrowsInProportion } from '../support/doubling.ts';
import { createDuckdbFile } from '../support/duckdb-file.ts';
import { noSecrets } from '../support/no-secrets.ts';
import { dataSource } from '../support/postgresql-source.ts';
import { folderWith, removeFolder } from '../support/temporary-folder.ts';

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
      const log = await folderWith({ 'log.json': logWith(count) });
      const settings = { kind: 'ocel', path: join(log, 'log.json') };
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
});
