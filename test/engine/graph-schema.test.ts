import assert from 'node:assert/strict';
import { copyFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readTables } from '../../server/src/event-graph/read-overview.ts';
import { type ColumnType, type GraphTable, graphViews } from '../../server/src/graph-schema/graph-schema.ts';
import { storedTables } from '../../server/src/graph-schema/stored-tables.ts';
import { type NamedTable, isRelationOf, namedTables } from '../../server/src/graph-schema/table-names.ts';
import { diffStores } from '../../server/src/operations/stored-graphs/diff-graph.ts';
import { askGraph, createGraphCache } from '../../server/src/operations/stored-graphs/event-graph.ts';
import { OperationError } from '../../server/src/operations/operation-error.ts';
import { createBuildDatabase, openScratch, openStore } from '../../server/src/store/duckdb-store.ts';
import { sourceSettings } from '../support/compare-engines.ts';
import { exportProject } from '../support/export-project.ts';
import { type ImportedProject, graphText, postgresqlSources, withProject } from '../support/import-text.ts';
import { type TestPostgres, sharedPostgres } from '../support/postgres.ts';
import { customers, orders, places, shop } from '../support/shop-graphs.ts';

/** A relation → its columns with their types, in order. */
type Relations = Readonly<Record<string, readonly string[]>>;

/** PostgreSQL's type for a type of the schema. */
const postgresqlTypes: Readonly<Record<ColumnType, readonly string[]>> = {
  BIGINT: ['bigint'],
  BOOLEAN: ['boolean'],
  DOUBLE: ['double precision'],
  INTEGER: ['integer'],
  JSON: ['json'],
  TIMESTAMP: ['timestamp without time zone'],
  VARCHAR: ['text', 'character varying'],
};

describe('graph schema', () => {
  const rules = 'rules:\n  - { name: Orders have a value, each: { entityType: orders }, expect: [{ sql: 1 = 0 }] }\n';
  const measures = 'measures:\n  - { name: Lead time, each: { entityType: orders }, duration: {} }\n';
  const ending = orders.replace('changeTimestamp: changed', '$&, endTimestamp: changed');
  const graph = graphText(customers + ending, places) + rules + measures;
  const tables = namedTables([1, 2]);
  /** Named after types, then after elements. */
  const named = ['customers', 'orders', 'win', 'order', 'entity_event'];
  let server: TestPostgres;
  let database = '';

  before(async () => {
    server = await sharedPostgres();
    database = await server.createDatabase();
    await server.query(database, shop);
  });

  const inProject = (settings: string, use: (project: ImportedProject) => Promise<void>): Promise<void> =>
    withProject(
      {
        'entity-sources.yaml': postgresqlSources(server, database),
        'graph.entity.yaml': graph + settings,
      },
      async (project) => {
        const { status, error } = await project.import();
        assert.equal(status, 'imported', error?.message);
        await use(project);
      },
    );

  /** Columns of the views and of each table; tables per element begin with the columns of the schema. */
  function assertRelations(found: Relations, wanted: readonly (typeof tables)[number][], types: TypesOf): void {
    const names = [...wanted.map(({ name }) => name), ...Object.keys(graphViews), ...named];
    assert.deepEqual(Object.keys(found).toSorted(), names.toSorted());
    for (const { name, table } of wanted) assertColumns(name, found[name] ?? [], table, types);
    for (const [name, view] of Object.entries(graphViews)) {
      assertColumns(name, found[name] ?? [], { columns: view.columns }, types);
    }
  }

  /** @param form what each table of the schema is in the store */
  async function assertStore(project: ImportedProject, form: (table: NamedTable) => 'table' | 'view'): Promise<void> {
    const rows = await project.rows(
      "SELECT table_name, column_name, data_type FROM information_schema.columns WHERE table_schema = 'main' ORDER BY table_name, ordinal_position",
    );
    assertRelations(relations(rows), tables, (type) => [type]);
    const views = await project.rows('SELECT view_name FROM duckdb_views() WHERE NOT internal');
    assert.deepEqual(
      views.map(([name]) => name).toSorted(),
      [
        ...tables.flatMap((table) => (form(table) === 'view' ? [table.name] : [])),
        ...Object.keys(graphViews),
        ...named,
      ].toSorted(),
    );
    await assertViews(project);
  }

  /**
   * Of a copy of the store, opened directly and attached beside tables of the same names, each under a name other than
   * the import's.
   */
  async function assertViews(project: ImportedProject): Promise<void> {
    const copy = join(project.folder, 'a copy.duckdb');
    await copyFile(await storeOf(project), copy);
    const file = await openStore(copy);
    const scratch = await openScratch();
    try {
      await scratch.run(`ATTACH '${copy}' AS other (READ_ONLY)`);
      for (const { name } of tables) await scratch.run(`CREATE TABLE ${name} AS SELECT 'not of this graph' AS id`);
      for (const [name, { select }] of Object.entries(graphViews)) {
        const { rows: wanted } = await file.table(`${select('main')} ORDER BY ALL`);
        assert.ok(wanted.length > 0, name);
        assert.deepEqual((await file.table(`SELECT * FROM ${name} ORDER BY ALL`)).rows, wanted, name);
        assert.deepEqual((await scratch.table(`SELECT * FROM other.${name} ORDER BY ALL`)).rows, wanted, name);
      }
      for (const name of named) {
        const { rows: wanted } = await file.table(`SELECT * FROM "${name}" ORDER BY ALL`);
        assert.ok(wanted.length > 0, name);
        assert.deepEqual((await scratch.table(`SELECT * FROM other."${name}" ORDER BY ALL`)).rows, wanted, name);
      }
    } finally {
      await scratch.close();
      await file.close();
    }
  }

  it('matches the columns and types of a store', () =>
    inProject('', (project) =>
      assertStore(project, ({ name, table: { embeddedAs } }) => {
        if (embeddedAs !== 'table or view') return embeddedAs;
        return ['relation', 'properties_2'].includes(name) ? 'view' : 'table';
      }),
    ));

  it('matches a graph built inside a source, and its copy', () =>
    inProject(sourceSettings, async (project) => {
      const rows = await server.query(
        database,
        `SELECT table_name AS t, column_name AS c, data_type AS d FROM information_schema.columns WHERE table_schema = 'ekg' ORDER BY table_name, ordinal_position`,
      );
      const found = relations(rows.map(({ t, c, d }) => [t, c, d]));
      const built = tables.filter(({ table }) => table.isInSource);
      assertRelations(found, built, (type) => postgresqlTypes[type as ColumnType]);
      const [run] = await server.query(database, 'SELECT counts::text AS counts FROM ekg.run');
      const counts = String(run?.['counts']);
      assert.deepEqual(
        Object.keys(found).filter((name) => !isRelationOf(counts, name)),
        [],
        'dropped with the graph',
      );
      const fetched = await project.import({ request: { kind: 'fetch' } });
      assert.equal(fetched.status, 'imported', fetched.error?.message);
      await assertStore(project, () => 'table');
    }));

  it('names unique keys and the sort order of rows', () =>
    inProject('', async (project) => {
      for (const { name, table } of tables) {
        const key = table.key.join(', ');
        const [twice, rows, sorted] = await project.rowsOfAll([
          `SELECT ${key} FROM ${name} GROUP BY ALL HAVING count(*) > 1`,
          ...(table.sortedBy.length === 0
            ? []
            : [`SELECT * FROM ${name}`, `SELECT * FROM ${name} ORDER BY ${table.sortedBy.join(', ')}`]),
        ]);
        assert.deepEqual(twice, [], `${name}: ${key}`);
        assert.deepEqual(rows, sorted, name);
      }
    }));

  it('lists the tables that a store has for exports and the SQL console', () =>
    inProject('', async (project) => {
      const exported = tables.filter(({ table }) => table.isExported).map(({ name }) => `${name}.csv`);
      assert.deepEqual(await csvFiles(project), exported.toSorted());
      const path = await storeOf(project);
      const shown = await project.read((store) => readTables(store, {}));
      assert.deepEqual(
        shown.map(({ name }) => name),
        [...tables.map(({ name }) => name), ...named.toSorted(), ...Object.keys(graphViews)],
      );
      const older = await createBuildDatabase({ path, temporaryFolder: project.folder });
      const optional = tables.filter(({ table }) => !table.isInEveryStore).map(({ name }) => name);
      for (const name of optional) await older.run(`DROP TABLE ${name}`);
      await older.close();
      const left = tables.filter(({ table }) => table.isInEveryStore);
      assert.deepEqual(
        (await project.read((store) => storedTables(store))).map(({ name }) => name),
        left.map(({ name }) => name),
      );
      assert.deepEqual(
        await csvFiles(project),
        left
          .filter(({ table }) => table.isExported)
          .map(({ name }) => `${name}.csv`)
          .toSorted(),
      );
    }));

  it('a store of another version is refused for every operation', () =>
    inProject('', async (project) => {
      const store = await storeOf(project);
      const later = await createBuildDatabase({ path: store, temporaryFolder: project.folder });
      await later.run('UPDATE run SET format_version = 99');
      await later.close();
      const refused = (error: unknown): boolean => {
        assert.ok(error instanceof OperationError);
        assert.deepEqual(error.failure.code, 'graph-version');
        assert.match(error.message, /has format 99, which this version of Entity Graph does not read/);
        return true;
      };
      const file = { path: join(project.folder, 'graph.entity.yaml'), text: graph };
      const { signal } = new AbortController();
      await assert.rejects(exportProject(project, 'csv', 'later'), refused);
      await assert.rejects(diffStores({ store, previous: store }, file, signal), refused);
      const graphs = createGraphCache();
      const layOut = () => Promise.reject(new Error('nothing to lay out'));
      const answers = [
        await askGraph({ graphs, layOut }, store, 'overview', {}, signal),
        await askGraph({ graphs, layOut }, store, 'sql', { sql: 'SELECT 1', limit: 1 }, signal),
      ];
      await graphs.close();
      for (const answer of answers) assert.deepEqual(answer.ok ? undefined : answer.error.code, 'graph-version');
    }));
});

async function storeOf(project: ImportedProject): Promise<string> {
  const [[path] = []] = await project.rows('SELECT path FROM duckdb_databases() WHERE path IS NOT NULL');
  return String(path);
}

type TypesOf = (type: string) => readonly string[];

function assertColumns(
  name: string,
  found: readonly string[],
  { columns, isPerEntryOf }: Pick<GraphTable, 'columns' | 'isPerEntryOf'>,
  types: TypesOf,
): void {
  const wanted = Object.entries(columns);
  const compared = isPerEntryOf ? found.slice(0, wanted.length) : found;
  assert.equal(compared.length, wanted.length, `${name}: ${found.join()}`);
  for (const [index, [column, type]] of wanted.entries()) {
    const allowed = types(type).map((each) => `${column} ${each}`);
    assert.ok(
      allowed.includes(compared[index] ?? ''),
      `${name}: ${compared[index]} instead of ${allowed.join(' or ')}`,
    );
  }
}

function relations(rows: readonly (readonly unknown[])[]): Relations {
  const found: Record<string, string[]> = {};
  for (const [table, column, type] of rows) (found[String(table)] ??= []).push(`${String(column)} ${String(type)}`);
  return found;
}

async function csvFiles(project: ImportedProject): Promise<readonly string[]> {
  const names = await readdir(await exportProject(project, 'csv', 'tables'));
  return names.filter((name) => name.endsWith('.csv')).toSorted();
}
