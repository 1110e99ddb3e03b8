import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openScratch } from '../../server/src/store/duckdb-store.ts';
import type { PostgresAccess } from './postgres.ts';
import type { TestTrino } from './trino-server.ts';
import { projectFolder } from './vscode-host.ts';

type Server = Pick<TestTrino, 'run' | 'addPostgres' | 'createSchema'>;

/** A sample of this project whose data is in Trino. */
export interface TrinoSample {
  /** The settings `catalog` and `schemas` of a data source. */
  readonly place: string;
  /** The text of its graph, with SQL of Trino, for a data source with this name. */
  graph(dataSource: string): Promise<string>;
}

/** The samples, with the programs that load their data. PostgreSQL is needed for the one whose data is a dump of it. */
export const trinoSamples: Readonly<
  Record<string, (trino: Server, postgres: SampleDatabases) => Promise<TrinoSample>>
> = {
  northwind: async (trino, postgres) => {
    const database = await postgres.createDatabase();
    await postgres.loadSqlFile(database, join(projectFolder, 'samples/northwind/northwind.sql'));
    const catalog = await trino.addPostgres(postgres, database);
    return {
      place: `catalog: ${catalog}, schemas: public`,
      graph: sampleText('northwind', [
        // Trino lists no keys of tables.
        ...['customers', 'orders', 'products', 'employees'].map((table): Change => {
          const pattern = new RegExp(`^    dataObject: ${table}\n    entityType`, 'mu');
          return [pattern, `    dataObject: ${table}\n    key: ${table.slice(0, -1)}_id\n    entityType`];
        }),
        [/^ {4}dataObject: territories$/mu, '    dataObject: territories\n    key: territory_id'],
        // It refuses subqueries of other rows in an outer join.
        [
          /LEFT JOIN orders AS first_order ON first_order.order_id = \([^)]*\)[^)]*\)/u,
          'LEFT JOIN (SELECT customer_id AS buyer, min_by(order_date, order_id) AS order_date FROM orders GROUP BY customer_id) AS first_order\n        ON first_order.buyer = customers.customer_id',
        ],
        [
          /LEFT JOIN orders AS first_sale ON first_sale.order_id = \([^)]*\)[^)]*\)/u,
          'LEFT JOIN (SELECT d.product_id AS sold, min_by(o.order_date, o.order_id) AS order_date FROM order_details AS d JOIN orders AS o ON o.order_id = d.order_id GROUP BY d.product_id) AS first_sale\n        ON first_sale.sold = products.product_id',
        ],
      ]),
    };
  },
  incidents: (trino) => loadIncidents(trino, 'lake'),
  'order-to-cash': loadOrderToCash,
};

/** Loads *order-to-cash* into a new schema of the catalog `lake`. */
export async function loadOrderToCash(trino: Pick<Server, 'run' | 'createSchema'>): Promise<TrinoSample> {
  const schema = await trino.createSchema();
  const amount = (text: string): string => `CAST(${text} AS decimal(12, 2))`;
  for (const name of ['VBAK', 'VBAP', 'LIKP', 'LIPS', 'VBRK', 'VBRP', 'FEBEP', 'CDHDR', 'CDPOS', 'KNA1', 'MARA']) {
    await loadCsvIntoLake(trino, `lake.${schema}.${name.toLowerCase()}`, sampleFile(`order-to-cash/data/${name}.csv`), {
      values: { NETWR: amount, KWBTR: amount },
    });
  }
  return {
    place: `catalog: lake, schemas: ${schema}`,
    graph: sampleText('order-to-cash', [
      [/"try_strptime\((.*), '%Y%m%d%H%M%S'\)"/gu, `"try(date_parse($1, '%Y%m%d%H%i%s'))"`],
      [/"strptime\((.*), '%Y%m%d%H%M%S'\)"/gu, `"date_parse($1, '%Y%m%d%H%i%s')"`],
      // Its names are in lower case. Texts in quotes stay as they are.
      [/'[^'\n]*'|\b[A-Z][A-Z0-9_]+\b/gu, (word) => (word.startsWith("'") ? word : word.toLowerCase())],
    ]),
  };
}

/** Loads *incidents* into a new schema of a catalog of Iceberg. */
export async function loadIncidents(
  trino: Pick<Server, 'run' | 'createSchema'>,
  catalog: string,
): Promise<TrinoSample> {
  const schema = await trino.createSchema(catalog);
  const minute = (text: string): string => `CAST(date_parse(${text}, '%d-%m-%Y %H:%i') AS timestamp(6))`;
  const number = (text: string): string => `CAST(${text} AS bigint)`;
  const minutes = ['opened_at', 'sys_created_at', 'sys_updated_at', 'resolved_at', 'closed_at'];
  const numbers = ['reassignment_count', 'reopen_count', 'sys_mod_count'];
  const table = `"${catalog}".${schema}.incident_event_log`;
  await loadCsvIntoLake(trino, table, sampleFile('incidents/data/incident_event_log.csv'), {
    nullText: '?',
    values: Object.fromEntries([
      ...minutes.map((name) => [name, minute]),
      ...numbers.map((name) => [name, number]),
      ['made_sla', (text: string) => `CAST(${text} AS boolean)`],
    ]),
  });
  return { place: `catalog: ${JSON.stringify(catalog)}, schemas: ${schema}`, graph: sampleText('incidents', []) };
}

const sampleFile = (path: string): string => join(projectFolder, 'samples', path);

type SampleDatabases = PostgresAccess & {
  createDatabase(): Promise<string>;
  loadSqlFile(database: string, path: string): Promise<void>;
};

type Change = readonly [pattern: RegExp, text: string | ((found: string) => string)];

/** Each change must apply, so that a sample that is written anew is noticed here. */
function sampleText(name: string, changes: readonly Change[]): TrinoSample['graph'] {
  return async (dataSource) => {
    let text = await readFile(join(projectFolder, 'samples', name, `${name}.entity.yaml`), 'utf8');
    const source: Change = [/^dataSource: .*$/mu, `dataSource: ${dataSource}`];
    for (const [pattern, replacement] of [source, ...changes]) {
      const changed =
        typeof replacement === 'string' ? text.replace(pattern, replacement) : text.replaceAll(pattern, replacement);
      assert.notEqual(changed, text, `${name}: ${String(pattern)}`);
      text = changed;
    }
    return text;
  };
}

interface LakeReading {
  readonly nullText?: string;
  /** SQL of Trino that makes a value of a text; other columns are texts. */
  readonly values: Readonly<Record<string, (text: string) => string>>;
}

/** Rows of one INSERT: Trino takes statements of at most 1 MB. */
const rowsAtOnce = 400;

/** Creates a table of Trino from a CSV file. @param table its full name */
export async function loadCsvIntoLake(
  trino: Pick<TestTrino, 'run'>,
  table: string,
  file: string,
  { nullText = '', values }: LakeReading,
): Promise<void> {
  const scratch = await openScratch();
  try {
    const path = file.replaceAll("'", "''");
    const { columns, rows } = await scratch.table(
      `SELECT * FROM read_csv('${path}', all_varchar = true, nullstr = '${nullText}')`,
    );
    const types = columns.map(({ name }) => `"${name}" varchar`).join(', ');
    const selected = columns.map(({ name }) => `${values[name]?.(`"${name}"`) ?? `"${name}"`} AS "${name}"`).join(', ');
    for (let start = 0; start < rows.length; start += rowsAtOnce) {
      const json = JSON.stringify(rows.slice(start, start + rowsAtOnce)).replaceAll("'", "''");
      const list = `UNNEST(CAST(json_parse('${json}') AS array(row(${types}))))`;
      const names = columns.map(({ name }) => `"${name}"`).join(', ');
      const select = `SELECT ${selected} FROM ${list} AS log (${names})`;
      await trino.run(start === 0 ? `CREATE TABLE ${table} AS ${select}` : `INSERT INTO ${table} ${select}`);
    }
  } finally {
    await scratch.close();
  }
}
